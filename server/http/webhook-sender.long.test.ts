import { afterEach, expect, test } from 'vitest'
import { closeReceivers, receiver } from './testing/receivers.ts'
import { createWebhookSender } from './webhook-sender.ts'

afterEach(closeReceivers)

const send = createWebhookSender(true)

test('succeeds with a response after 7.9 s, and fails with a later, slow, partial or missing one', async () => {
  const late = await receiver((_request, response) => setTimeout(() => response.end('late'), 7900))
  const tooLate = await receiver((_request, response) =>
    setTimeout(() => response.end('too late'), 8100),
  )
  const never = await receiver(() => undefined)
  const half = await receiver(({ socket }) => socket.write('HTTP/1.1 200 OK\r\nContent-Len'))
  const trickle = await receiver(({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Pad: ')
    const drip = setInterval(() => socket.write('x'), 50)
    socket.on('close', () => clearInterval(drip))
  })
  const [taken, ...failed] = await Promise.all(
    [late, tooLate, never, half, trickle].map((url) =>
      send({ url, headers: {}, body: '{}' }, new AbortController().signal),
    ),
  )
  expect(taken).toMatchObject({ status: 200, error: null })
  for (const outcome of failed)
    expect(outcome).toMatchObject({ status: null, error: 'no response within 8 s' })
})
