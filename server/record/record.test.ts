import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from '../api/client/client.ts'
import { cents } from '../api/money.ts'
import { fetchTransport } from '../fetch-transport.ts'
import { startSandbox } from '../sandbox.ts'
import { testOptions } from '../testing/sandbox-options.ts'
import { recordMain } from './command.ts'
import { contractProblems } from './contract-problems.ts'

const silent = { info: () => undefined, error: (message: string) => expect.fail(message) }

let folder: string
let written = ''
let errors = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-record-'))
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

/** Records what `work` sends to the recording's origin. */
async function recorded(target: string, work: (origin: string) => Promise<void>) {
  const path = join(folder, 'exchanges.json')
  const status = await recordMain(['--target', target, '--out', path], () =>
    work((JSON.parse(written) as { origin: string }).origin),
  )
  return { status, text: readFileSync(path, 'utf8') }
}

test('passes requests on, and keeps them without secrets @long', async () => {
  const world = { seed: 'demo', products: 30 } as const
  const { ready, stop } = await startSandbox(testOptions({ world }), silent)
  const key = ready.demo?.partnerLiveKey ?? ''
  let secret = ''
  const { status, text } = await recorded(ready.baseUrl, async (origin) => {
    const partner = createClient({ baseUrl: `${origin}/v1`, key, send: fetchTransport })
    const { results } = (await partner.listProducts({ query: { inStock: true } })).body
    const product = results.find(({ deliveryType }) => deliveryType === 'key')
    const items = [{ productId: product?.id ?? '', qty: 1, maxUnitPrice: cents(99_999_900) }]
    const order = await partner.createOrder({
      query: { wait: 5 },
      body: { externalId: 'recorded', items },
    })
    const { keys } = (await partner.getOrderKeys({ params: { id: order.body.id } })).body
    secret = keys[0]?.value ?? ''
    await expect(partner.getOrder({ params: { id: 'ord_none' } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
  await stop()
  expect(errors).toBe('4 of 4 answers follow the contract.\n')
  expect(status).toBe(0)
  expect(secret).not.toBe('')
  expect(text).not.toContain(secret)
  expect(text).not.toContain(key)
  expect(JSON.parse(text)).toMatchObject({
    format: 'keydesk-exchanges',
    exchanges: [
      { method: 'GET', path: '/v1/products?inStock=true', status: 200, problems: [] },
      { method: 'POST', status: 201, request: { externalId: 'recorded' } },
      { method: 'GET', answer: { keys: [{ value: '***' }] } },
      { status: 404, requestId: expect.stringMatching(/^req_/) },
    ],
  })
})

test('names what the contract does not allow, and a service that does not answer', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/v1/balance') request.socket.destroy()
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":"yes"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { status } = await recorded(target, async (origin) => {
    expect(await (await fetch(`${origin}/v1/ping`)).json()).toEqual({ ok: 'yes' })
    await fetch(`${origin}/v1/nothing`)
    await expect(fetch(`${origin}/v1/balance`)).rejects.toThrow('fetch failed')
  })
  server.close()
  expect(status).toBe(1)
  expect(errors).toContain('GET /v1/ping: 200\n  ok ')
  expect(errors).toContain('GET /v1/nothing: 200\n  The contract has no such operation.')
  expect(errors).toContain("GET /v1/balance: 0\n  The service didn't answer.")
  expect(errors).toContain('0 of 3 answers follow the contract.')
})

test.each([
  ['GET', '/v1/ping', 204, '', ['The contract has no status 204 here.']],
  ['GET', '/v1/ping', 500, 'oops', ['The body is not JSON.']],
  ['GET', '/v1/ping', 404, '{"error":{"code":"NEW_CODE","message":"No.","requestId":"r"}}', []],
  ['DELETE', '/dashboard/snapshots/one', 204, '{}', ['Status 204 has no body.']],
  ['DELETE', '/dashboard/snapshots/one', 204, '', []],
] as const)('checks %s %s, status %i', (method, path, status, text, problems) => {
  expect(contractProblems(method, path, { status, text })).toEqual(problems)
})

test('needs a service and a file', async () => {
  expect(await recordMain(['--target', 'here', '--out', 'x'])).toBe(2)
  expect(await recordMain(['--target', 'http://127.0.0.1:1'])).toBe(2)
  expect(await recordMain(['--out'])).toBe(2)
  expect(errors).toMatch(/--target must be an address.*\n--out must name a file/)
})
