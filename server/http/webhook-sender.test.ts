import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { WebhookRequest } from '../domain/ports/webhooks.ts'
import { createWebhookSender } from './webhook-sender.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function receiver(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk)).on('end', () => answer(request, response, body)).on('error', () => undefined)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?a=1`
}

const post = (url: string, { loopback = true, signal = new AbortController().signal, body = '{"id":"evt_ü"}' } = {}) =>
  createWebhookSender(loopback)({ url, headers: { 'X-SVC-Event': 'webhook.test', 'X-SVC-Delivery': 'dlv_1' }, body } satisfies WebhookRequest, signal)

describe('an event on its way', () => {
  it('is one POST of exactly the body, as JSON, with its headers', async () => {
    const seen: unknown[] = []
    const url = await receiver(({ method, url: target, headers }, response, body) => {
      seen.push({ method, target, body, type: headers['content-type'], event: headers['x-svc-event'], delivery: headers['x-svc-delivery'] })
      response.writeHead(204).end()
    })
    expect(await post(url)).toEqual({ status: 204, error: null, durationMs: expect.any(Number) })
    expect(seen).toEqual([
      { method: 'POST', target: '/hooks?a=1', body: '{"id":"evt_ü"}', type: 'application/json; charset=utf-8', event: 'webhook.test', delivery: 'dlv_1' },
    ])
  })

  it('does not follow a redirect', async () => {
    let reached = 0
    const elsewhere = await receiver((_request, response) => response.end(String((reached += 1))))
    const url = await receiver((_request, response) => response.writeHead(307, { location: elsewhere }).end())
    expect(await post(url)).toMatchObject({ status: 307, error: 'redirects are not followed' })
    expect(reached).toBe(0)
  })

  it('fails by name when the connection is reset or refused', async () => {
    const url = await receiver((request) => request.socket.resetAndDestroy())
    expect(await post(url)).toMatchObject({ status: null, error: 'ECONNRESET' })
    const [server] = servers.splice(0)
    await new Promise((resolve) => server?.close(resolve))
    expect(await post(url)).toMatchObject({ status: null, error: 'ECONNREFUSED' })
  })

  it('is taken by an answer after 7.9 s', async () => {
    const url = await receiver((_request, response) => setTimeout(() => response.end('late'), 7900))
    expect(await post(url)).toMatchObject({ status: 200, error: null })
  })

  it('has failed when the answer comes after 8.1 s, or never', async () => {
    const late = await receiver((_request, response) => setTimeout(() => response.end('too late'), 8100))
    const never = await receiver(() => undefined)
    for (const outcome of await Promise.all([post(late), post(never)])) expect(outcome).toMatchObject({ status: null, error: 'no answer within 8 s' })
  })

  it('does not reach this machine where that is not allowed, nor a private network, nor anybody by plain http', async () => {
    let reached = 0
    const url = await receiver((_request, response) => response.end(String((reached += 1))))
    const refused = { status: null, error: 'the address may not be called' }
    expect(await post(url, { loopback: false })).toMatchObject(refused)
    expect(await post(url.replace('127.0.0.1', 'localhost'), { loopback: false })).toMatchObject(refused)
    for (const other of ['https://10.0.0.1/', 'https://[fd00::1]/', 'https://169.254.169.254/latest', 'http://8.8.8.8/']) expect(await post(other)).toMatchObject(refused)
    expect(reached).toBe(0)
  })

  it('reaches a name by the address that was checked', async () => {
    const url = await receiver(({ headers }, response) => response.writeHead(headers.host?.startsWith('localhost:') === true ? 200 : 400).end())
    expect(await post(url.replace('127.0.0.1', 'localhost'))).toMatchObject({ status: 200 })
  })

  it('is called off without an outcome when the service stops', async () => {
    const stop = new AbortController()
    const url = await receiver(() => stop.abort())
    await expect(post(url, { signal: stop.signal })).rejects.toThrow(/abort/i)
  })
})
