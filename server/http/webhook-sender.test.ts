import { isIP } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WebhookRequest } from '../domain/ports/ordering/webhooks.ts'
import { closeReceivers, receiver, servers } from './testing/receivers.ts'
import { createWebhookSender } from './webhook-sender.ts'

afterEach(closeReceivers)

type PostOptions = {
  loopback?: boolean
  signal?: AbortSignal
  body?: string
  names?: string[][]
  asked?: () => void
}

/** `names`: the addresses of a name at the first look-up, the second look-up, … */
function post(
  url: string,
  {
    loopback = true,
    signal = new AbortController().signal,
    body = '{"id":"evt_ü"}',
    names,
    asked,
  }: PostOptions = {},
) {
  const resolveName =
    names &&
    (async () => {
      asked?.()
      return (names.shift() ?? []).map((address) => ({ address, family: isIP(address) }))
    })
  return createWebhookSender(loopback, resolveName)(
    {
      url,
      headers: { 'X-SVC-Event': 'webhook.test', 'X-SVC-Delivery': 'dlv_1' },
      body,
    } satisfies WebhookRequest,
    signal,
  )
}

describe('sending an event', () => {
  it('sends one POST with exactly the body, as JSON, with its headers', async () => {
    const seen: unknown[] = []
    const url = await receiver(({ method, url: target, headers }, response, body) => {
      seen.push({
        method,
        target,
        body,
        type: headers['content-type'],
        event: headers['x-svc-event'],
        delivery: headers['x-svc-delivery'],
      })
      response.writeHead(204).end()
    })
    expect(await post(url)).toEqual({ status: 204, error: null, durationMs: expect.any(Number) })
    expect(seen).toEqual([
      {
        method: 'POST',
        target: '/hooks?a=1',
        body: '{"id":"evt_ü"}',
        type: 'application/json; charset=utf-8',
        event: 'webhook.test',
        delivery: 'dlv_1',
      },
    ])
  })

  it("doesn't follow a redirect", async () => {
    let reached = 0
    const elsewhere = await receiver((_request, response) => response.end(String((reached += 1))))
    const url = await receiver((_request, response) =>
      response.writeHead(307, { location: elsewhere }).end(),
    )
    expect(await post(url)).toMatchObject({ status: 307, error: "redirects aren't followed" })
    expect(reached).toBe(0)
  })

  it('fails with a named reason when the connection is reset or refused', async () => {
    const url = await receiver((request) => request.socket.resetAndDestroy())
    expect(await post(url)).toMatchObject({ status: null, error: 'ECONNRESET' })
    const [server] = servers.splice(0)
    await new Promise((resolve) => server?.close(resolve))
    expect(await post(url)).toMatchObject({ status: null, error: 'ECONNREFUSED' })
  })

  it('fails when a complete head doesn’t arrive within 8 s', async () => {
    const limits: number[] = []
    const { timeout } = AbortSignal
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      limits.push(ms)
      return timeout.call(AbortSignal, 50)
    })
    const never = await receiver(() => undefined)
    const half = await receiver(({ socket }) => socket.write('HTTP/1.1 200 OK\r\nContent-Len'))
    for (const url of [never, half])
      expect(await post(url)).toMatchObject({ status: null, error: 'no response within 8 s' })
    expect(limits).toEqual([8000, 8000])
  })

  it.each([
    ['breaks off within its head', 'HTTP/1.1 200 OK\r\nContent-Len', /^ECONNRESET$/],
    ["isn't HTTP", 'HELLO THERE\r\n\r\n', /^HPE_/],
    [
      'has an endless head',
      `HTTP/1.1 200 OK\r\n${'X-Pad: x\r\n'.repeat(20_000)}`,
      /^(HPE_HEADER_OVERFLOW|ECONNRESET|EPIPE)$/,
    ],
  ])('fails when the response %s', async (_, text, error) => {
    const url = await receiver(({ socket }) => void socket.on('error', () => undefined).end(text))
    expect(await post(url)).toMatchObject({ status: null, error: expect.stringMatching(error) })
  })

  it('succeeds by the status alone, and reads only the start of an endless body', async () => {
    let written = 0
    const gone = Promise.withResolvers<void>()
    const url = await receiver((_request, response) => {
      response
        .on('close', gone.resolve)
        .on('error', () => undefined)
        .writeHead(200)
      const chunk = Buffer.alloc(1024 * 1024)
      const pour = () => {
        if (response.destroyed) return
        written += chunk.length
        response.write(chunk, pour)
      }
      pour()
    })
    expect(await post(url)).toMatchObject({ status: 200, error: null })
    await gone.promise
    expect(written).toBeLessThan(16 * 1024 * 1024)
    const broken = await receiver(({ socket }) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    )
    expect(await post(broken)).toMatchObject({ status: 200, error: null })
  })

  it('refuses this computer unless allowed, private networks, and other hosts by plain http', async () => {
    let reached = 0
    const url = await receiver((_request, response) => response.end(String((reached += 1))))
    const refused = { status: null, error: "connections to this address aren't allowed" }
    expect(await post(url, { loopback: false })).toMatchObject(refused)
    expect(await post(url.replace('127.0.0.1', 'localhost'), { loopback: false })).toMatchObject(
      refused,
    )
    for (const other of [
      'https://10.0.0.1/',
      'https://[fd00::1]/',
      'https://169.254.169.254/latest',
      'http://8.8.8.8/',
    ])
      expect(await post(other)).toMatchObject(refused)
    expect(reached).toBe(0)
  })

  it.each([
    ['a private network', ['10.0.0.7']],
    ['this network', ['169.254.169.254']],
    ['a public address and a private one', ['93.184.215.14', 'fd00::1']],
    ['nowhere', []],
    ['a private address in another notation', ['::ffff:192.168.1.1']],
  ])("doesn't connect to a name of %s", async (_, addresses) => {
    expect(await post('https://shop.example/hooks', { names: [addresses] })).toMatchObject({
      status: null,
      error: "connections to this address aren't allowed",
    })
  })

  it('connects to the checked address even if the name has changed since', async () => {
    let asked = 0
    const url = await receiver((_request, response) => response.end())
    const names = [['127.0.0.1'], ['10.0.0.1']]
    expect(
      await post(url.replace('127.0.0.1', 'shop.localhost'), {
        names,
        asked: () => void (asked += 1),
      }),
    ).toMatchObject({ status: 200 })
    expect(asked).toBe(1)
  })

  it('reaches a name by the checked address', async () => {
    const url = await receiver(({ headers }, response) =>
      response.writeHead(headers.host?.startsWith('localhost:') === true ? 200 : 400).end(),
    )
    expect(await post(url.replace('127.0.0.1', 'localhost'))).toMatchObject({ status: 200 })
  })

  it('is cancelled without an outcome when the service stops', async () => {
    const stop = new AbortController()
    const url = await receiver(() => stop.abort())
    await expect(post(url, { signal: stop.signal })).rejects.toThrow(/abort/i)
  })
})
