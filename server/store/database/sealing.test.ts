import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { channelName, type CrashPoint } from '../../domain/crash-points.ts'
import { startSandbox } from '../../sandbox.ts'
import { testOptions } from '../../testing/sandbox-options.ts'
import type { Options } from '../../options.ts'
import { openStore } from '../store.ts'

const quiet = { info: () => {}, error: () => {} }
const keys = Array.from(
  { length: 200 },
  (_, index) => `PLANT-${String(index).padStart(5, '0')}-ZEBRA`,
)
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-sealing-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const options = (): Options =>
  testOptions({ dataFolder: folder, world: { seed: 'demo', products: 80 } })

test('stores no uploaded key in plain text in any file while the service sells and returns keys @long', async () => {
  const sandbox = await startSandbox(options(), quiet)
  const { sellerUrl, demo, dashboardUrl, dashboardToken } = sandbox.ready
  const headers = {
    authorization: `Bearer ${demo?.sellerKey}`,
    'content-type': 'application/json',
    'idempotency-key': 'sealing-0001',
  }
  const call = async (method: string, path: string, body?: object) =>
    (
      await fetch(`${sellerUrl}${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
    ).json() as Promise<Record<string, unknown>>
  const { results } = (await call('GET', '/offers?status=paused')) as {
    results: { id: string; stock: number }[]
  }
  const [offer] = results
  expect(await call('POST', `/offers/${offer?.id}/keys`, { keys })).toMatchObject({ added: 200 })
  await fetch(`${dashboardUrl}/snapshots`, {
    method: 'POST',
    headers: { authorization: `Bearer ${dashboardToken}`, 'content-type': 'application/json' },
    body: '{"name":"one"}',
  })
  const withdrawn = (await call('POST', `/offers/${offer?.id}/withdraw`, {})) as { keys: string[] }
  expect(withdrawn.keys.filter((key) => key.startsWith('PLANT')).toSorted()).toEqual(keys)
  // The response is stored for a repeat and returned unchanged.
  expect(await call('POST', `/offers/${offer?.id}/withdraw`, {})).toEqual(withdrawn)

  const search = (): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
      if (!statSync(join(folder, name)).isFile()) return false
      const bytes = readFileSync(join(folder, name))
      return keys.some((key) => bytes.includes(key))
    })
  expect(search()).toEqual([])
  await sandbox.stop()
  expect(search()).toEqual([])
})

test('reports a missing or damaged seal key and leaves the folder unchanged', async () => {
  await (await startSandbox(options(), quiet)).stop()
  const path = join(folder, 'seal.key')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  rmSync(path)
  for (const _ of [1, 2]) expect(() => openStore(folder)).toThrow(/seal\.key is missing/)
  writeFileSync(path, 'too short')
  expect(() => openStore(folder)).toThrow(/seal\.key is damaged/)
})

/** Opens the folder in a separate process that is killed at a crash point. Returns how it ended. */
function openUntil(crashPoint: CrashPoint): { signal: string | null; stderr: string } {
  const program = `
    import { channel } from 'node:diagnostics_channel'
    import { openStore } from '${new URL('../store.ts', import.meta.url).href}'
    channel('${channelName(crashPoint)}').subscribe(() => process.kill(process.pid, 'SIGKILL'))
    openStore('${folder}')`
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
}

test('leaves no seal key when a start is killed while creating it, and the next start creates one', () => {
  expect(openUntil('seal.written').signal).toBe('SIGKILL')
  expect(existsSync(join(folder, 'seal.key'))).toBe(false)
  openStore(folder).close()
  expect(readdirSync(folder).toSorted()).toEqual(['keydesk.lock', 'keydesk.sqlite', 'seal.key'])
})

test('never replaces a missing seal key, not even temporarily', async () => {
  await (await startSandbox(options(), quiet)).stop()
  rmSync(join(folder, 'seal.key'))
  expect(openUntil('seal.written')).toMatchObject({
    signal: null,
    stderr: expect.stringContaining('seal.key is missing'),
  })
})
