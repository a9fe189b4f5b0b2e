import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to one exchange: passed on, its answer lost after the service did its work, or cut before it reaches the service. */
export type Fate = 'pass' | 'lose-answer' | 'cut'

export interface FaultyProxy {
  /** The service's base address through the proxy. */
  baseUrl: string
  /** Decides each exchange; `pass` for all at the start. */
  decide: (method: string, path: string) => Fate
  /** Refuses every connection, as a machine without a network; `plug` takes them again at the same address. */
  unplug(): Promise<void>
  plug(): Promise<void>
  close(): Promise<void>
}

/** A loopback proxy in front of a service that loses what it is told to lose. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const fate = proxy.decide(incoming.method ?? 'GET', incoming.url ?? '/')
    if (fate === 'cut') return void incoming.socket.destroy()
    const onward = request({ hostname, port, method: incoming.method, path: incoming.url, headers: { ...incoming.headers, host: `${hostname}:${port}` } }, (answer) => {
      if (fate === 'lose-answer') {
        answer.resume()
        answer.once('end', () => incoming.socket.destroy())
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.once('error', () => incoming.socket.destroy())
    incoming.pipe(onward)
  })
  const listen = (at: number): Promise<void> => new Promise((resolve) => { server.listen(at, '127.0.0.1', resolve) })
  const shut = (): Promise<void> => new Promise((resolve) => { server.close(() => resolve()); server.closeAllConnections() })
  await listen(0)
  const own = (server.address() as AddressInfo).port
  const proxy: FaultyProxy = {
    baseUrl: `http://127.0.0.1:${own}/v1`,
    decide: () => 'pass',
    unplug: shut,
    plug: () => listen(own),
    close: shut,
  }
  return proxy
}
