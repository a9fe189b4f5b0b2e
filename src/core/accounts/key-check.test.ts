import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { bundledBackend } from './key-check.ts'

let server: Server | undefined
afterEach(() => {
  server?.close()
})

/** A service on this computer that responds as the test defines. */
async function serve(answer: RequestListener): Promise<string> {
  const made = createServer(answer)
  server = made
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/v1`
}

test('recognizes a sandbox on this computer by the bundled backend’s response', async () => {
  expect(
    await bundledBackend(
      await serve((request, response) =>
        response.end(request.url === '/healthz' ? '{"ok":true}' : 'no'),
      ),
    ),
  ).toEqual({ countsRequests: true })
  server?.close()
  expect(
    await bundledBackend(
      await serve((_request, response) =>
        response.setHeader('x-svc-rates', 'off').end('{"ok":true}'),
      ),
    ),
  ).toEqual({ countsRequests: false })
})

test.each<[string, RequestListener]>([
  ['something else', (_request, response) => response.end('<html>')],
  ['other words', (_request, response) => response.end('{"status":"up"}')],
  [
    'a place elsewhere',
    (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  ],
  ['nothing', (request) => request.destroy()],
])('%s is not a sandbox: the account keeps its mode', async (_what, answer) => {
  expect(await bundledBackend(await serve(answer))).toBe(null)
})

test('never sends the sandbox request to another computer', async () => {
  let asked = 0
  const own = globalThis.fetch
  globalThis.fetch = () => {
    asked += 1
    return Promise.resolve(new Response('{"ok":true}', { headers: { 'x-svc-rates': 'off' } }))
  }
  try {
    for (const address of [
      'https://api.example.com/v1',
      'https://127.0.0.1.example.com/v1',
      'https://10.0.0.1/v1',
      'https://[2001:db8::1]/v1',
    ])
      expect(await bundledBackend(address)).toBe(null)
    expect(asked).toBe(0)
    expect(await bundledBackend('http://127.0.0.1:1/v1')).toEqual({ countsRequests: false })
  } finally {
    globalThis.fetch = own
  }
})
