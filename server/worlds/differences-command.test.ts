import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from '../api/client/client.ts'
import { fetchTransport } from '../fetch-transport.ts'
import { startSandbox } from '../sandbox.ts'
import type { Sandbox } from '../sandbox-types.ts'
import { testOptions } from '../testing/sandbox-options.ts'
import { differencesMain } from './differences-command.ts'

let folder: string
let sandbox: Sandbox
let written: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-differences-'))
  sandbox = await startSandbox(testOptions(), { info: () => undefined, error: () => undefined })
  written = ''
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written += String(text)
      return true
    })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await sandbox.stop()
  rmSync(folder, { recursive: true })
})

test('prints a sentence for each difference, and its status says whether there are any', async () => {
  const { ready } = sandbox
  const file = join(folder, 'ready.json')
  writeFileSync(file, JSON.stringify(ready))
  const dashboard = createClient({
    baseUrl: ready.baseUrl,
    key: ready.dashboardToken,
    send: fetchTransport,
  })
  await dashboard.createSnapshot({ body: { name: 'before' } })
  expect(await differencesMain([file, 'before'])).toBe(0)
  await dashboard.advanceClock({ body: { ms: 5000 } })
  await dashboard.createSnapshot({ body: { name: 'after' } })
  for (const to of [[], ['after']]) expect(await differencesMain([file, 'before', ...to])).toBe(1)
  expect(written).toMatch(/^(The clock: time [\dT:.-]+Z instead of [\dT:.-]+Z\.\n){2}$/)
  expect(await differencesMain([file, 'none'])).toBe(2)
  expect(await differencesMain([join(folder, 'none'), 'before'])).toBe(2)
  expect(await differencesMain([])).toBe(2)
})
