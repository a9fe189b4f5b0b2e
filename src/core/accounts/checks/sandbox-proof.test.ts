import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { createSandboxProof } from './sandbox-proof.ts'

const keysFolder = process.env['KEYDESK_SANDBOX_KEYS'] ?? ''
const prove = createSandboxProof(keysFolder)
const opened: Server[] = []
let backend: TestBackend

/** A service on this computer that responds as the test defines. */
async function serve(answer: RequestListener): Promise<string> {
  const made = createServer(answer)
  opened.push(made)
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/v1`
}

beforeAll(async () => {
  backend = await startTestBackend({ products: 20, noLimits: true })
})
afterEach(() => {
  for (const server of opened.splice(0)) server.close()
})
afterAll(() => backend.stop())

test('the bundled service proves that it is a sandbox, and reports whether it counts requests @long', async () => {
  expect(await prove(backend.ready.baseUrl)).toEqual({ kind: 'proven', countsRequests: false })
  expect(await prove(backend.ready.sellerUrl)).toEqual({ kind: 'proven', countsRequests: false })
  const counting = await startTestBackend({ products: 20 })
  expect(await prove(counting.ready.baseUrl)).toEqual({ kind: 'proven', countsRequests: true })
  await counting.stop()
})

test.each<[string, RequestListener]>([
  ['a health check that says ok', (_request, response) => response.end('{"ok":true}')],
  ['a web page', (_request, response) => response.end('<html>')],
  ['an endless body', (_request, response) => response.end('{"hmac":"'.padEnd(1_000_000, 'a'))],
  ['another status', (_request, response) => response.writeHead(404).end('{}')],
  ['a redirect', (_request, response) => response.writeHead(302, { location: '/x' }).end()],
])('%s is not the proof of a sandbox', async (_what, answer) => {
  expect(await prove(await serve(answer))).toEqual({ kind: 'refuted' })
})

test('an earlier answer can’t be used again', async () => {
  let stored = ''
  const real = globalThis.fetch
  const recording = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const answer = await real(...request)
    stored ||= await answer.clone().text()
    return stored === '' ? answer : new Response(stored)
  })
  expect((await prove(backend.ready.baseUrl)).kind).toBe('proven')
  expect((await prove(backend.ready.baseUrl)).kind).toBe('refuted')
  recording.mockRestore()
})

test('a sandbox whose key nobody has published proves nothing', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'keydesk-keys-'))
  expect(await createSandboxProof(empty)(backend.ready.baseUrl)).toEqual({ kind: 'refuted' })
  expect(await createSandboxProof(join(empty, 'missing'))(backend.ready.baseUrl)).toEqual({
    kind: 'refuted',
  })
  rmSync(empty, { recursive: true })
})

test('an address that doesn’t respond leaves the answer open', async () => {
  expect(await prove('http://127.0.0.1:1/v1')).toEqual({ kind: 'silent' })
  expect(await prove(await serve((request) => request.destroy()))).toEqual({ kind: 'silent' })
  expect(await prove(await serve(() => {}), 50)).toEqual({ kind: 'silent' })
})

test('never sends the challenge to another computer', async () => {
  const asked = vi.spyOn(globalThis, 'fetch')
  for (const address of [
    'https://api.example.com/v1',
    'https://127.0.0.1.example.com/v1',
    'https://10.0.0.1/v1',
    'https://[2001:db8::1]/v1',
  ])
    expect(await prove(address)).toEqual({ kind: 'refuted' })
  expect(asked).not.toHaveBeenCalled()
})
