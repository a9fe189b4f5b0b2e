import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookRequest } from './verify.ts'

const { createServer } = process.getBuiltinModule('node:http')

const largestBody = 1024 * 1024
export type ReceivedWebhook = WebhookRequest & { method: string; path: string }
export type WebhookReceiver = { url: string; close(): Promise<void> }

async function bodyOf(incoming: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming) {
    size += (part as Buffer).length
    if (size > largestBody) return null
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts)
}

/**
 * Listens for webhooks on this computer only (127.0.0.1, a free port). `take` returns the status to
 * send. Null sends no response, like a receiver that hangs, until the sender gives up.
 */
export async function startReceiver(
  onRequest: (request: ReceivedWebhook) => number | null,
): Promise<WebhookReceiver> {
  const server: Server = createServer((incoming, outgoing) => {
    void bodyOf(incoming)
      .then((body) => {
        if (incoming.method !== 'POST' || incoming.url !== '/hook' || body === null)
          return void outgoing.writeHead(body === null ? 413 : 404).end()
        const headers = incoming.rawHeaders.flatMap((name, index): [string, string][] =>
          index % 2 === 0 ? [[name, incoming.rawHeaders[index + 1] ?? '']] : [],
        )
        const status = onRequest({ method: 'POST', path: '/hook', headers, body })
        if (status !== null) outgoing.writeHead(status).end()
      })
      .catch(() => incoming.socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
