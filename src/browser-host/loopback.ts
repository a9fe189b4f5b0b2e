import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const { createServer } = process.getBuiltinModule('node:http')

/** How often another free port is tried when one is free on only one of the two addresses. */
const mostTries = 20

/**
 * HTTP servers on one port of both loopback addresses. Browsers resolve `*.localhost` to `::1`
 * first: another user's program that listened there would receive the page's token. Rejects with
 * the system's error when the port is in use on either address.
 *
 * @param port 0 for any port that is free on both
 */
export async function listenOnLoopback(port: number): Promise<[Server, ...Server[]]> {
  for (let tries = 1; ; tries++) {
    const first = await listen('127.0.0.1', port)
    try {
      return [first, await listen('::1', portOf(first))]
    } catch (error) {
      if (hasNoIpv6(error)) return [first]
      first.close()
      if (port !== 0 || tries === mostTries) throw error
    }
  }
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

const hasNoIpv6 = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')

function listen(host: string, port: number): Promise<Server> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}
