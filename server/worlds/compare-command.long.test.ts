import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startSandbox } from '../sandbox.ts'
import { repeatableOptions } from '../testing/repeatable-tour.ts'
import { compareMain } from './compare-command.ts'

const silent = { info: () => undefined, error: (message: string) => expect.fail(message) }
const present = fileURLToPath(new URL('../main.ts', import.meta.url))

let folder: string
let written = ''
let errors = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-compare-'))
  written = errors = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text)
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    errors += String(text)
    return true
  })
})
afterEach(() => rmSync(folder, { recursive: true }))

test('lists the answers of a version that differ from those of another', async () => {
  const { ready, stop } = await startSandbox(repeatableOptions('one'), silent)
  const ask = (path: string, key: string) =>
    fetch(new URL(path, ready.baseUrl), { headers: { authorization: `Bearer ${key}` } })
  await ask('/v1/ping', ready.demo?.partnerTestKey ?? '')
  await ask('/dashboard/clock', ready.dashboardToken)
  const file = join(folder, 'bug.world')
  writeFileSync(file, await (await ask('/dashboard/world', ready.dashboardToken)).text())
  await stop()
  // The other version starts a millisecond later than it is asked to.
  const later = join(folder, 'main.js')
  const changed = 'process.argv.map((text) => text.replace(/^(--at=.*)000Z$/, "$1001Z"))'
  writeFileSync(
    later,
    `process.argv = ${changed}\nawait import(${JSON.stringify(pathToFileURL(present).href)})\n`,
  )
  expect(await compareMain([present, folder, file]), errors).toBe(1)
  expect(written.split('\n').slice(-4)).toEqual([
    'Request 2, GET /dashboard/clock: status 200, another body',
    '  now: "2026-05-01T00:00:00.003Z" instead of "2026-05-01T00:00:00.002Z"',
    '1 of 2 answers are the same.',
    '',
  ])
}, 60_000)

test('says what is missing', async () => {
  const file = join(folder, 'bug.world')
  writeFileSync(file, 'hello')
  expect(await compareMain([present, present])).toBe(2)
  expect(await compareMain([present, join(folder, 'none'), file])).toBe(2)
  expect(await compareMain([present, present, file])).toBe(2)
  expect(errors).toContain(`There is no keydesk-sandbox at ${join(folder, 'none')}.`)
  expect(errors).toContain(`${file} isn't a world file.`)
})
