/** Mockoon's rules and templates for the partner API: a page of Handlebars. */
import { BALANCE, fixedShelf } from './double.ts'
import { type FixedKind, fixedKinds, fixedOrders, fixedUnits } from './fixed-events.ts'

export type MockoonAnswer = {
  /** A template, the value that it must have (empty: no value), and whether it must not. */
  readonly when?: readonly (readonly [string, string, boolean?])[]
  readonly status: number
  readonly body: string
  readonly event?: FixedKind
}

/** Data that templates can read and change. */
export const buckets = {
  account: { balance: BALANCE },
  prices: Object.fromEntries(Object.values(fixedShelf).map(({ id, price }) => [id, price])),
  stock: {
    [fixedShelf.plenty.id]: 100,
    [fixedShelf.scarce.id]: 1,
    [fixedShelf.dear.id]: 5,
    [fixedShelf.broken.id]: 50,
  },
}

const product = "(body 'items.0.productId')"
const qty = "(body 'items.0.qty')"
const price = `(dataRaw 'prices' ${product})`
const total = `(multiply ${qty} ${price})`
const key = "(header 'Idempotency-Key')"
const firstBody = `{{{getGlobalVar (concat 'body-' ${key})}}}`
const orderNamed = (id: string) => `{{{getGlobalVar (concat 'order-' ${id})}}}`
const ownId = "(concat 'ord_' (body 'externalId'))"
const error = (code: string, details = '{}') =>
  `{"error":{"code":"${code}","message":"${code}","details":${details},"requestId":"req_1"}}`

/** Keeps the order, its number of units and the first body of the key. */
const accept = `{{#if ${key}}}{{setGlobalVar (concat 'body-' ${key}) (stringify (bodyRaw))}}{{/if}}
{{setData 'dec' 'account' 'balance' ${total}}}{{setData 'dec' 'stock' ${product} ${qty}}}
{{setGlobalVar (concat 'units-' ${ownId}) ${qty}}}
{{setGlobalVar (concat 'order-' ${ownId}) (concat '{"id":"' ${ownId} '","externalId":"'
  (body 'externalId') '","mode":"live","status":"completed","currency":"EUR","refunded":0,"total":'
  ${total} ',"items":[]}')}}${orderNamed(ownId)}`

const isFixed = (kind: FixedKind) => [["{{urlParam 'id'}}", fixedOrders[kind].id] as const]

/** The first answer whose templates all have their value; one without templates is the default. */
export const answers: Readonly<Record<string, readonly MockoonAnswer[]>> = {
  'post orders': [
    {
      when: [
        [firstBody, '', true],
        [firstBody, '{{{stringify (bodyRaw)}}}', true],
      ],
      status: 409,
      body: error('IDEMPOTENCY_CONFLICT'),
    },
    { when: [[firstBody, '', true]], status: 201, body: orderNamed(ownId) },
    {
      when: [[`{{lt (body 'items.0.maxUnitPrice') ${price}}}`, 'true']],
      status: 409,
      body: error('PRICE_CHANGED', `{"currentPrice":{{dataRaw 'prices' ${product}}} }`),
    },
    {
      when: [[`{{gt ${qty} (dataRaw 'stock' ${product})}}`, 'true']],
      status: 409,
      body: error('OUT_OF_STOCK'),
    },
    {
      when: [[`{{gt ${total} (dataRaw 'account' 'balance')}}`, 'true']],
      status: 402,
      body: error('INSUFFICIENT_BALANCE'),
    },
    {
      when: [["{{body 'items.1.productId'}}", fixedShelf.broken.id]],
      status: 201,
      body: JSON.stringify(fixedOrders.partial),
      event: 'partial',
    },
    {
      when: [["{{includes (header 'Authorization') 'svc_test'}}", 'true']],
      status: 201,
      body: JSON.stringify(fixedOrders.test),
      event: 'test',
    },
    { status: 201, body: accept, event: 'completed' },
  ],
  'get orders/:id': [
    ...fixedKinds.map((kind) => ({
      when: isFixed(kind),
      status: 200,
      body: JSON.stringify(fixedOrders[kind]),
    })),
    { status: 200, body: orderNamed("(urlParam 'id')") },
  ],
  'get orders/:id/keys': [
    ...fixedKinds.map((kind) => ({
      when: isFixed(kind),
      status: 200,
      body: JSON.stringify({ keys: fixedUnits }),
    })),
    {
      status: 200,
      body: `{"keys":[{{#repeat (getGlobalVar (concat 'units-' (urlParam 'id')))}}
        {"id":"key_{{urlParam 'id'}}_{{@index}}"}{{/repeat}}]}`,
    },
  ],
  'get orders': [
    {
      status: 200,
      body: `{"results":[${orderNamed("(concat 'ord_' (queryParam 'externalId'))")}]}`,
    },
  ],
  'get balance': [{ status: 200, body: `{"balance":{{data 'account' 'balance'}} }` }],
}
