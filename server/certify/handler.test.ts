import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { accepts } from './handler.ts'

/** Asks for a port from that port, as the system does by chance. */
const fromItself = (port: number, host: string): Socket =>
  connect({ port, host, localPort: port, localAddress: host })

test('a socket that is connected to itself is no handler', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://127.0.0.1:${port}/hook`)
  expect(await accepts(url)).toBe(true)
  server.close()
  await once(server, 'close')
  expect(await accepts(url)).toBe(false)

  const socket = fromItself(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
  await once(socket, 'close')
  expect(await accepts(url, fromItself as typeof connect)).toBe(false)
})
