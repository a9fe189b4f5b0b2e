import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BackendProcesses } from './backend-process.ts'
import { createNodeBackends } from './node-backends.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-backends-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function backendsOf(source: string, readyMs = 60_000): BackendProcesses {
  const path = join(folder, 'backend.mjs')
  writeFileSync(
    path,
    `process.on('SIGTERM', () => {}); setTimeout(() => process.exit(5), 20_000); ${source}`,
  )
  return createNodeBackends(path, { readyMs, stopMs: 50 })
}
const options = { dataDir: null, port: 0, seed: 'empty' } as const

test('kills a backend that hangs while it stops', async () => {
  const backend = await backendsOf(
    `console.log(JSON.stringify({ ready: true, baseUrl: 'http://127.0.0.1:1/v1' }))`,
  ).start(options)
  await backend.stop()
  expect((await backend.ended).code).toBeNull()
})

test('stops a backend that never becomes ready, and reports the reason', async () => {
  await expect(backendsOf('', 100).start(options)).rejects.toThrow(
    'The sandbox was not ready within 0.1 s.',
  )
})

test('gives a backend only the environment variables that it needs', async () => {
  vi.stubEnv('STORE_ACCESS_TOKEN', 'another program’s secret')
  vi.stubEnv('NODE_OPTIONS', '--no-warnings')
  vi.stubEnv('LD_PRELOAD', '')
  const backend = await backendsOf(
    `console.log(JSON.stringify({ ready: true, baseUrl: JSON.stringify(Object.keys(process.env)) }))`,
  ).start(options)
  const names = JSON.parse(backend.ready.baseUrl) as string[]
  await backend.stop()
  vi.unstubAllEnvs()
  expect(names).toContain('PATH')
  expect(names.filter((name) => /TOKEN|NODE_|LD_/.test(name))).toEqual([])
})

test('passes the text of a repeatable backend by a variable, not on the command line', async () => {
  const backend = await backendsOf(
    `console.log(JSON.stringify({ ready: true, baseUrl: JSON.stringify(
      [process.argv.slice(2), process.env.KEYDESK_SANDBOX_REPEATABLE]) }))`,
  ).start({ ...options, repeatable: 'a secret' })
  const [args, text] = JSON.parse(backend.ready.baseUrl) as [string[], string]
  await backend.stop()
  expect(text).toBe('a secret')
  expect(args.join(' ')).toBe(
    '--port 0 --memory --no-limits --seed empty --no-webhooks --exit-with-parent',
  )
})

test('reports a backend’s own message when it exits before it is ready', async () => {
  await expect(
    backendsOf(`console.error('The folder is in use.'); process.exit(1)`).start(options),
  ).rejects.toThrow('The folder is in use.')
})
