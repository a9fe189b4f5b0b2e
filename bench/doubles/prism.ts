import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { webhookHeaders } from '../../server/api/schemas/webhook-event.ts'
import { installPeer, startPeer } from '../backend/peers.ts'
import { BALANCE, fixedKeys, fixedShelf, type Installer, type Receiver } from './double.ts'
import { fixedEvent, fixedOrders, fixedUnits, signedEvent } from './fixed-events.ts'

type Media = { example?: unknown; examples?: unknown }
type Operation = {
  responses: Record<string, { content?: Record<string, Media> }>
  callbacks?: unknown
}
type Document = { paths: Record<string, Record<string, Operation>> }

const orderId = fixedOrders.completed.id
const examples = [
  ['/orders', 'post', '201', fixedOrders.completed],
  ['/orders/{id}', 'get', '200', fixedOrders.completed],
  ['/orders/{id}/keys', 'get', '200', { orderId, keys: fixedUnits }],
  ['/balance', 'get', '200', { balance: BALANCE, currency: 'EUR', mode: 'live' }],
] as const

function callbackTo({ url, secret }: Receiver) {
  const { headers } = signedEvent('completed', secret)
  return {
    orderCompleted: {
      [url]: {
        post: {
          parameters: Object.values(webhookHeaders).map((name) => ({
            name,
            in: 'header',
            required: true,
            schema: { type: 'string' },
            examples: { given: { value: headers[name] } },
          })),
          requestBody: {
            content: {
              'application/json': { schema: { type: 'object' }, example: fixedEvent('completed') },
            },
          },
          responses: { 204: { description: 'Received.' } },
        },
      },
    },
  }
}

/** Prism: answers by the examples of an OpenAPI document. */
export const prism: Installer = (log) => {
  const program = installPeer('prism', log)
  if (program === null) return null
  return {
    name: 'Prism',
    how: 'our OpenAPI document, with four examples that fit together and a callback of POST /orders',
    async start(folder, text, receiver) {
      const document = JSON.parse(text) as Document
      for (const [target, method, status, example] of examples) {
        const operation = document.paths[target]?.[method]
        const media = operation?.responses[status]?.content?.['application/json']
        if (operation === undefined || media === undefined)
          throw new Error(`the OpenAPI document has no ${status} of ${method} ${target}`)
        delete media.examples
        media.example = example
        if (method === 'post' && receiver !== null) operation.callbacks = callbackTo(receiver)
      }
      const file = path.join(folder, 'openapi.json')
      writeFileSync(file, JSON.stringify(document))
      const { port, running } = await startPeer(
        (free) => [process.execPath, program, 'mock', '--port', String(free), file],
        '/ping',
      )
      return {
        ...fixedKeys,
        baseUrl: `http://127.0.0.1:${port}`,
        shelf: fixedShelf,
        controls: null,
        announced: [orderId],
        stop: () => running.stop(),
      }
    },
  }
}
