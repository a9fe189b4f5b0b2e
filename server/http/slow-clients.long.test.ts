import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { errorBodySchema } from '../api/errors.ts'
import { bearer, handlers, keys, testApp } from './testing/app.ts'

const limits = { headMs: 150, requestMs: 400, checkMs: 30, lingerMs: 60 }
/** Every connection of these tests ends long before this. */
const SOON_MS = 3000

const open: FastifyInstance[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const app of open.splice(0)) await app.close()
})

async function listening(app: FastifyInstance): Promise<number> {
  open.push(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

function dial(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  sockets.push(socket)
  return socket
}

const connectionsOf = (app: FastifyInstance): Promise<number> =>
  new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })

const head = [
  'POST /v1/orders HTTP/1.1',
  'Host: x',
  `Authorization: Bearer ${keys.partner}`,
  'Content-Type: application/json',
]
const orderHead = (framing: string): string => [...head, framing, '', ''].join('\r\n')

/** Everything the service sends until it ends the connection. The client never ends its own side. */
async function answerTo(socket: Socket): Promise<string> {
  const signal = AbortSignal.timeout(SOON_MS)
  signal.addEventListener('abort', () => socket.destroy(new Error('the connection stayed open')))
  return await text(socket)
}

describe('a client that stalls', () => {
  it.each([
    ['half a request line', 'POST /v1/ord'],
    ['half a head', head.join('\r\n')],
    ['half a body with a length', `${orderHead('Content-Length: 100')}{"externalId"`],
    ['half a body in chunks', `${orderHead('Transfer-Encoding: chunked')}5\r\n{"ext\r\n`],
  ])('after %s gets the reason, and its connection ends', async (_, begun) => {
    const { app, errors } = testApp({ arrival: limits })
    const socket = dial(await listening(app))
    socket.write(begun)
    const [start = '', body = ''] = (await answerTo(socket)).split('\r\n\r\n')
    expect(start).toMatch(/^HTTP\/1\.1 400 .*\r\nConnection: close$/s)
    const { error } = errorBodySchema.parse(JSON.parse(body))
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'request', message: 'must arrive completely in time' }],
    })
    await expect.poll(() => connectionsOf(app)).toBe(0)
    expect(errors).toEqual([])
  })

  it('after a refusal of its head gets nothing else, and its connection ends', async () => {
    const { app } = testApp({ arrival: limits })
    const socket = dial(await listening(app))
    socket.write(`${orderHead('Content-Length: 100').replace(keys.partner, 'unknown')}{"ext`)
    const answers = (await answerTo(socket)).match(/HTTP\/1\.1 \d+/g)
    expect(answers).toEqual(['HTTP/1.1 401'])
    await expect.poll(() => connectionsOf(app)).toBe(0)
  })

  it('before its first byte is disconnected without an answer', async () => {
    const { app } = testApp({ arrival: limits })
    expect(await answerTo(dial(await listening(app)))).toBe('')
    await expect.poll(() => connectionsOf(app)).toBe(0)
  })

  it('is disconnected even if it sends a byte now and then', async () => {
    const { app } = testApp({ arrival: limits })
    const socket = dial(await listening(app))
    socket.write(orderHead('Content-Length: 100000'))
    const dripping = setInterval(() => socket.writable && socket.write(' '), 20)
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('error', () => undefined).resume()
    await closed
    clearInterval(dripping)
    await expect.poll(() => connectionsOf(app)).toBe(0)
  })
})

describe('a slow answer', () => {
  it('is no stall: the limits count until the request has arrived', async () => {
    const slow = testApp({
      arrival: limits,
      handlers: {
        ...handlers,
        createOrder: async (_call, { body }) => {
          await new Promise((resolve) => setTimeout(resolve, 2 * limits.requestMs))
          return { status: 201, json: JSON.stringify({ id: body.externalId }) }
        },
      },
    }).app
    const answer = await fetch(`http://127.0.0.1:${await listening(slow)}/v1/orders`, {
      method: 'POST',
      headers: { ...bearer(keys.partner), 'content-type': 'application/json' },
      body: JSON.stringify({
        externalId: 'slow',
        items: [{ productId: 'p', qty: 1, maxUnitPrice: 1 }],
      }),
    })
    expect([answer.status, await answer.json()]).toEqual([201, { id: 'slow' }])
  })

  it('lets a connection stay open between two requests', async () => {
    const { app } = testApp({ arrival: limits })
    const socket = dial(await listening(app))
    const ping = [
      'GET /v1/ping HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${keys.partner}`,
      '',
      '',
    ]
    for (let round = 0; round < 2; round += 1) {
      socket.write(ping.join('\r\n'))
      const [answer] = (await once(socket, 'data')) as [Buffer]
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
      await new Promise((resolve) => setTimeout(resolve, 2 * limits.requestMs))
    }
  })
})
