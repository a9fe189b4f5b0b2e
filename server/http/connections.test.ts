import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { errorBodySchema } from '../api/errors.ts'
import { bearer, handlers, keys, testApp } from './testing/app.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

async function listening(app = testApp().app): Promise<number> {
  open.push(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

/** Writes raw bytes to the service and returns all response data until the connection closes. */
function speak(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket
      .setEncoding('utf8')
      .on('data', (chunk: string) => (answer += chunk))
      .on('close', () => resolve(answer))
      .on('error', reject)
  })
}

const lines = (...parts: string[]) => parts.join('\r\n')

describe('over a real connection', () => {
  it.each([
    ['non-HTTP data', lines('HELLO', '', '')],
    ['an unknown method', lines('BREW /v1/ping HTTP/1.1', 'Host: x', '', '')],
    [
      'two lengths',
      lines(
        'POST /v1/orders HTTP/1.1',
        'Host: x',
        'Content-Length: 2',
        'Content-Length: 3',
        '',
        '{}',
      ),
    ],
    [
      'length and chunks',
      lines(
        'POST /v1/orders HTTP/1.1',
        'Host: x',
        'Content-Length: 2',
        'Transfer-Encoding: chunked',
        '',
        '0',
        '',
        '',
      ),
    ],
    [
      'an unknown coding',
      lines(
        'POST /v1/orders HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${keys.partner}`,
        'Transfer-Encoding: xchunked',
        '',
        '',
      ),
    ],
    [
      'a chunk without a size',
      lines(
        'POST /v1/orders HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${keys.partner}`,
        'Transfer-Encoding: chunked',
        '',
        'zz',
        '',
      ),
    ],
    [
      'a head beyond 64 KiB',
      lines('GET /v1/ping HTTP/1.1', 'Host: x', `X-Pad: ${'x'.repeat(70_000)}`, '', ''),
    ],
  ])('returns the Error body for %s', async (_, text) => {
    const answer = await speak(await listening(), text)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
    const { error } = errorBodySchema.parse(JSON.parse(body))
    expect(error.code).toBe('VALIDATION_ERROR')
    expect(head).toContain(`X-Request-Id: ${error.requestId}`)
  })

  it.each([
    [
      'no Host',
      lines(
        'GET /v1/ping HTTP/1.1',
        'Connection: close',
        `Authorization: Bearer ${keys.partner}`,
        '',
        '',
      ),
      200,
    ],
    [
      'an unknown expectation',
      lines(
        'GET /v1/ping HTTP/1.1',
        'Host: x',
        'Expect: wonders',
        'Connection: close',
        `Authorization: Bearer ${keys.partner}`,
        '',
        '',
      ),
      200,
    ],
    [
      'an upgrade',
      lines(
        'GET /v1/ping HTTP/1.1',
        'Host: x',
        'Connection: Upgrade, close',
        'Upgrade: websocket',
        '',
        '',
      ),
      401,
    ],
    [
      'two Authorization headers that differ',
      lines(
        'GET /v1/ping HTTP/1.1',
        'Host: x',
        'Connection: close',
        `Authorization: Bearer ${keys.partner}`,
        'Authorization: Bearer x',
        '',
        '',
      ),
      401,
    ],
    [
      'the key twice',
      lines(
        'GET /v1/ping HTTP/1.1',
        'Host: x',
        'Connection: close',
        `Authorization: Bearer ${keys.partner}`,
        `Authorization: Bearer ${keys.partner}`,
        '',
        '',
      ),
      200,
    ],
    [
      'two content types',
      lines(
        'POST /v1/orders HTTP/1.1',
        'Host: x',
        'Connection: close',
        `X-Api-Key: ${keys.partner}`,
        'Content-Type: application/json',
        'Content-Type: text/plain',
        'Content-Length: 2',
        '',
        '{}',
      ),
      400,
    ],
  ])('handles %s by our own rules', async (_, text, status) => {
    const answer = await speak(await listening(), text)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    if (status !== 200)
      expect(errorBodySchema.safeParse(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).success).toBe(
        true,
      )
  })

  it.each([
    ['with its length announced', { 'content-length': 20 * 1024 * 1024 }],
    ['with its length unknown', {}],
  ])('reports a body that is too large, sent %s @long', async (_, headers) => {
    const port = await listening()
    const chunk = Buffer.alloc(1024 * 1024, ' ')
    for (let round = 0; round < 3; round += 1) {
      const sending = request({
        port,
        method: 'POST',
        path: '/v1/orders',
        headers: { ...bearer(keys.partner), 'content-type': 'application/json', ...headers },
      })
      Readable.from(Array.from({ length: 20 }, () => chunk)).pipe(sending)
      const [answer]: IncomingMessage[] = await once(sending, 'response')
      expect(answer?.statusCode).toBe(400)
      expect(await json(answer ?? Readable.from([]))).toMatchObject({
        error: {
          code: 'VALIDATION_ERROR',
          details: [{ field: 'body', message: 'must be at most 16777216 bytes' }],
        },
      })
    }
  })

  it('responds to the valid requests before invalid data in order, and then to the invalid data', async () => {
    const slow = testApp({
      handlers: {
        ...handlers,
        ping: async (call) => {
          await new Promise((resolve) => setImmediate(resolve))
          return {
            status: 200,
            body: {
              ok: true,
              partnerId: call.caller.partnerId,
              mode: call.caller.mode,
              scopes: [...call.caller.scopes],
              ip: call.address,
            },
          }
        },
      },
    }).app
    const ping = lines(
      'GET /v1/ping HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${keys.partner}`,
      '',
      '',
    )
    const answer = await speak(await listening(slow), `${ping.repeat(3)}NOISE\r\n\r\n`)
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
      '200',
      '400',
    ])
    expect(
      errorBodySchema.safeParse(JSON.parse(answer.split('\r\n\r\n').at(-1) ?? '')).success,
    ).toBe(true)
  })

  it.each([
    ['a length', 'Content-Length: 100', '{"externalId"'],
    ['chunks', 'Transfer-Encoding: chunked', '5\r\n{"ext\r\n'],
  ])("doesn't log a truncated body of %s as a defect", async (_, framing, begun) => {
    const { app, errors } = testApp()
    const answered = Promise.withResolvers<number>()
    app.addHook('onSend', (_request, reply, payload, done) => {
      answered.resolve(reply.statusCode)
      done(null, payload)
    })
    const socket = connect(await listening(app), '127.0.0.1')
    socket.write(
      lines(
        'POST /v1/orders HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${keys.partner}`,
        'Content-Type: application/json',
        framing,
        '',
        begun,
      ),
      () => setTimeout(() => socket.resetAndDestroy(), 20),
    )
    expect(await answered.promise).toBe(400)
    expect(errors).toEqual([])
  })

  it("uses the socket's address and ignores X-Forwarded-For", async () => {
    const port = await listening()
    const answer = await fetch(`http://127.0.0.1:${port}/v1/ping`, {
      headers: { ...bearer(keys.partner), 'x-forwarded-for': '203.0.113.9' },
    })
    expect(await answer.json()).toMatchObject({ ip: '127.0.0.1' })
  })

  it("aborts a call's signal when its client disconnects, and every wait on close", async () => {
    const ended: string[] = []
    const waiting = testApp({
      handlers: {
        ...handlers,
        createOrder: (call, { body }) =>
          new Promise((resolve) => {
            call.signal.addEventListener('abort', () => {
              ended.push(body.externalId)
              resolve({ status: 201, json: JSON.stringify({ id: body.externalId }) })
            })
            started.get(body.externalId)?.()
          }),
      },
    }).app
    const started = new Map<string, () => void>()
    const port = await listening(waiting)
    const order = (externalId: string, signal?: AbortSignal) => {
      const begun = new Promise<void>((resolve) => started.set(externalId, resolve))
      const body = JSON.stringify({
        externalId,
        items: [{ productId: 'p', qty: 1, maxUnitPrice: 1 }],
      })
      const answer = fetch(`http://127.0.0.1:${port}/v1/orders?wait=25`, {
        method: 'POST',
        headers: { ...bearer(keys.partner), 'content-type': 'application/json' },
        body,
        ...(signal === undefined ? {} : { signal }),
      })
      return { begun, answer }
    }

    const leaving = new AbortController()
    const gone = order('gone', leaving.signal)
    await gone.begun
    leaving.abort()
    await expect(gone.answer).rejects.toThrow('aborted')
    await expect.poll(() => ended).toEqual(['gone'])

    const stays = order('stays')
    await stays.begun
    const closing = waiting.close()
    expect(await (await stays.answer).json()).toEqual({ id: 'stays' })
    await closing
    expect(ended).toEqual(['gone', 'stays'])
  })
})
