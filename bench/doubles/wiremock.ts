import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { installPeer, startPeer } from '../backend/peers.ts'
import { BALANCE, fixedShelf, type Installer, type Receiver } from './double.ts'
import {
  type FixedKind,
  fixedKinds,
  fixedOrders,
  fixedUnits,
  signedEvent,
  withFixedEvents,
} from './fixed-events.ts'

const { plenty, scarce, dear, broken } = fixedShelf
const refused = (status: number, code: string, details?: unknown) => ({
  response: { status, jsonBody: { error: { code, message: code, details, requestId: 'req_1' } } },
})
const has = (line: string) => [{ matchesJsonPath: `$.items[?(${line})]` }]

/** The id follows from the Idempotency-Key, so that a repeat gets the same order. */
const templated = JSON.stringify({
  ...fixedOrders.completed,
  id: "ord_{{request.headers.Idempotency-Key}}{{jsonPath request.body '$.externalId'}}",
  externalId: "{{jsonPath request.body '$.externalId'}}",
})

/** Sends a fixed event with a new delivery id each time. */
function webhook(kind: FixedKind, receiver: Receiver | null) {
  if (receiver === null) return {}
  const { headers, body } = signedEvent(kind, receiver.secret, "{{randomValue type='UUID'}}")
  const given = { ...headers, 'Content-Type': 'application/json' }
  return {
    serveEventListeners: [
      {
        name: 'webhook',
        parameters: { method: 'POST', url: receiver.url, headers: given, body },
      },
    ],
  }
}

const post = (bodyPatterns: unknown[], more: object = {}) => ({
  request: { method: 'POST', urlPath: '/v1/orders', bodyPatterns, ...more },
})
const get = (urlPathPattern: string, answer: unknown) => ({
  request: { method: 'GET', urlPathPattern },
  response: { status: 200, jsonBody: answer },
})
const testMode = { headers: { Authorization: { contains: 'svc_test' } } }

/** The first one that matches answers. */
const mappingsFor = (receiver: Receiver | null): object[] => [
  { ...post(has(`@.productId == '${dear.id}'`)), ...refused(402, 'INSUFFICIENT_BALANCE') },
  {
    ...post(has(`@.maxUnitPrice < ${plenty.price}`)),
    ...refused(409, 'PRICE_CHANGED', { productId: plenty.id, currentPrice: plenty.price }),
  },
  {
    ...post(has(`@.productId == '${scarce.id}' && @.qty > 1`)),
    ...refused(409, 'OUT_OF_STOCK'),
  },
  {
    ...post(has(`@.productId == '${broken.id}'`)),
    response: { status: 201, jsonBody: fixedOrders.partial },
    ...webhook('partial', receiver),
  },
  {
    ...post([], testMode),
    response: { status: 201, jsonBody: fixedOrders.test },
    ...webhook('test', receiver),
  },
  { ...post([]), response: { status: 201, body: templated }, ...webhook('completed', receiver) },
  ...fixedKinds.map((kind) => get(`/v1/orders/${fixedOrders[kind].id}`, fixedOrders[kind])),
  get('/v1/orders/[^/]+/keys', { keys: fixedUnits }),
  get('/v1/orders/[^/]+', fixedOrders.completed),
  get('/v1/orders', { page: 1, total: 0, results: [] }),
  get('/v1/balance', { balance: BALANCE, currency: 'EUR', mode: 'live' }),
]

/** WireMock: stubs that match requests, with templates, and webhooks. It needs Java. */
export const wiremock: Installer = (log) => {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' })
  } catch {
    log('WireMock is left out: it needs Java, which is not installed')
    return null
  }
  const program = installPeer('wiremock', log)
  if (program === null) return null
  return {
    name: 'WireMock',
    how: 'twelve stubs that match products, prices and quantities, templates, and its webhooks',
    async start(folder, _document, receiver) {
      mkdirSync(path.join(folder, 'mappings'), { recursive: true })
      const mappings = mappingsFor(receiver).map((stub, at) => ({ priority: at + 1, ...stub }))
      writeFileSync(path.join(folder, 'mappings', 'stubs.json'), JSON.stringify({ mappings }))
      const { port, running } = await startPeer(
        (free) =>
          ['java', '-jar', program, '--port', String(free), '--root-dir', folder].concat([
            '--disable-banner',
            '--global-response-templating',
          ]),
        '/v1/balance',
      )
      return withFixedEvents(port, running)
    },
  }
}
