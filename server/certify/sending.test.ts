import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { forgedMessage, type Manner, messageOf, send, staleMessage } from './sending.ts'

const event = { name: 'order.completed', delivery: 'dlv_1', body: '{"id":"evt_1","mode":"live"}' }
const secret = 'whsec_test'

/** Whether a receiver that follows the documents accepts a message. */
function accepts({ headers, body }: ReturnType<typeof messageOf>): boolean {
  const [, t = '', v1 = ''] = /^t=(\d+),v1=(\w+)$/.exec(headers['X-SVC-Signature'] ?? '') ?? []
  const signed = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  return signed === v1 && Math.abs(Date.now() / 1000 - Number(t)) <= 300
}

test('signs genuine events as the service does; forged and stale ones are not acceptable', () => {
  expect(accepts(messageOf(event, secret))).toBe(true)
  for (const variant of ['secret', 'body', 'unsigned', 'time'])
    expect(accepts(forgedMessage(event, secret, variant)), variant).toBe(false)
  for (const variant of ['old', 'future'])
    expect(accepts(staleMessage(event, secret, variant)), variant).toBe(false)
  expect(JSON.parse(forgedMessage(event, secret, 'body').body)).toEqual(JSON.parse(event.body))
})

async function receiver(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
}
const sizeOf = async (request: IncomingMessage): Promise<number> => {
  let size = 0
  for await (const part of request) size += (part as Buffer).length
  return size
}

test.each<[Manner, number | null, number | 'cut']>([
  ['plain', 204, event.body.length],
  ['slow', 204, event.body.length],
  ['lost', null, event.body.length],
  ['cut', null, 'cut'],
])('a %s delivery is answered with %j after %j bytes', async (manner, status, received) => {
  const arrived = Promise.withResolvers<number | 'cut'>()
  const url = await receiver((request, response) => {
    sizeOf(request).then(
      (size) => {
        arrived.resolve(size)
        response.writeHead(204).end()
      },
      () => arrived.resolve('cut'),
    )
  })
  expect((await send(url, messageOf(event, secret), manner)).status).toBe(status)
  expect(await arrived.promise).toBe(received)
})

test('stops waiting at the limit, and reports a refused connection as no answer', async () => {
  const url = await receiver(() => undefined)
  expect(await send(url, messageOf(event, secret), 'plain', 20)).toMatchObject({ status: null })
  const closed = new URL('http://127.0.0.1:1/hook')
  expect((await send(closed, messageOf(event, secret))).status).toBeNull()
})
