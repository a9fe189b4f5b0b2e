import { execFileSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/websocket'
import type { ContractRouterClient } from '@orpc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket as Socket } from 'ws'
import type { Contract } from '../../src/contract/index.ts'
import { build } from '../../scripts/lib/build.mjs'
import { buildDebianPackage } from '../../scripts/lib/deb/debian-package.mjs'
import { createCleanRoot, missingForCleanRoot } from './clean-root.ts'

const missing = missingForCleanRoot()
if (missing !== null) console.warn(`The Debian package isn't installed by this test: ${missing}.`)
const minutes = 60_000
const date = 1_790_000_000

let folder = ''
const packages: string[] = []
/** Builds without compression, which takes a minute. */
async function buildVersion(version: string): Promise<string> {
  const { path } = await buildDebianPackage({ target: folder, version, date, level: 0 })
  const kept = join(folder, `${packages.length}-${version}.deb`)
  copyFileSync(path, kept)
  packages.push(kept)
  return kept
}

/** A connection to a Keydesk that prints its address. */
async function connect(keydesk: ChildProcess) {
  if (keydesk.stdout === null) throw new Error('Its output isn’t connected.')
  const [line] = (await once(createInterface({ input: keydesk.stdout }), 'line')) as [string]
  const { url } = JSON.parse(line) as { url: string }
  const { origin, searchParams } = new URL(url)
  const body = searchParams.get('token')
  const session = await fetch(`${origin}/session`, { method: 'POST', body, headers: { origin } })
  const socket = new Socket(
    `${origin.replace('http', 'ws')}/rpc`,
    ['keydesk', `session.${await session.text()}`],
    { origin },
  )
  await once(socket, 'open')
  const rpc: ContractRouterClient<Contract> = createORPCClient(
    new RPCLink({ websocket: socket as unknown as WebSocket }),
  )
  return { rpc, close: () => socket.close() }
}

describe.skipIf(missing !== null)('the Debian package (only as root on Debian)', () => {
  let clean: Awaited<ReturnType<typeof createCleanRoot>>
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keydesk-deb-'))
    if ((await build()) !== 0) throw new Error('The build failed.')
    await buildVersion('0.2.0')
    await buildVersion('0.2.0')
    await buildVersion('0.2.1')
    clean = await createCleanRoot()
  }, 10 * minutes)
  afterAll(async () => {
    await clean.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('has the same bytes in two builds, and contains no sources, tests or maps', () => {
    const [first = '', second = ''] = packages
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true)
    const listed = execFileSync('dpkg-deb', ['-c', first]).toString()
    expect(listed).not.toMatch(/\.(?:map|ts|tsx|test\.\w+)\n/)
    expect(listed.split('\n').filter((line) => !/^[-dl]\S+ root\/root |^$/.test(line))).toEqual([])
  })

  test(
    'is used by a fresh user without this repository, upgraded while it runs, rolled back and removed',
    async () => {
      const [first = '', , second = ''] = packages.map((path) => clean.bring(path))
      clean.run('dpkg', '--force-depends', '-i', first)
      expect(clean.run('cat', '/usr/share/applications/keydesk.desktop')).toContain(
        'Exec=keydesk --window -- %u\n',
      )
      const keydesk = clean.start('keydesk', '--no-open')
      const { rpc, close } = await connect(keydesk)
      expect(await rpc.updates.state()).toMatchObject({ status: 'off' })
      expect(await rpc.sandbox.start({ keep: 'session' })).toMatchObject({ state: 'running' })

      clean.run('dpkg', '--force-depends', '-i', second)
      expect(await rpc.updates.state()).toMatchObject({ status: 'installed' })
      // The running version still starts its own service.
      await rpc.sandbox.stop()
      expect(await rpc.sandbox.start({ keep: 'session' })).toMatchObject({ state: 'running' })
      close()
      const quit = clean.start('keydesk', '--quit')
      await Promise.all([once(quit, 'close'), once(keydesk, 'close')])

      const next = clean.start('keydesk', '--no-open')
      const again = await connect(next)
      expect(await again.rpc.app.info()).toMatchObject({
        dataFolder: join(clean.home, '.config/Keydesk'),
      })
      expect(await again.rpc.accounts.list()).toHaveLength(2)
      again.close()
      await Promise.all([once(clean.start('keydesk', '--quit'), 'close'), once(next, 'close')])

      clean.run('dpkg', '--force-depends,downgrade', '-i', first)
      expect(clean.run('readlink', '/usr/lib/keydesk/current')).toMatch(/^0\.2\.0-/)
      clean.run('dpkg', '--purge', 'keydesk')
      expect(clean.status('test', '-e', '/usr/lib/keydesk')).toBe(1)
      expect(clean.status('test', '-e', '/usr/bin/keydesk')).toBe(1)
      expect(clean.status('test', '-s', `${clean.home}/.config/Keydesk/keydesk.db`)).toBe(0)
    },
    5 * minutes,
  )
})
