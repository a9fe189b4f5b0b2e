/**
 * Events for doubles that can't compute a signature: fixed texts, signed when the double is
 * configured, which handlers accept for five minutes.
 */
import { messageOf } from '../../server/certify/sending.ts'
import { fixedKeys, fixedShelf, type RunningDouble } from './double.ts'

const { plenty, broken } = fixedShelf
const at = '2026-11-26T09:00:00.000Z'
const line = (no: number, { id, price }: typeof plenty, qty: number, deliveredQty: number) => ({
  line: no,
  productId: id,
  name: id,
  deliveryType: 'key',
  qty,
  unitPrice: price,
  status: deliveredQty === qty ? 'completed' : 'failed',
  deliveredQty,
})
const common = { currency: 'EUR', createdAt: at, completedAt: at }
const two = [line(1, plenty, 2, 2)]

/** An order of each kind, as `GET /orders/{id}` answers it. */
export const fixedOrders = {
  completed: {
    ...common,
    id: 'ord_completed',
    externalId: 'fixed-1',
    mode: 'live',
    status: 'completed',
    total: 4.4,
    refunded: 0,
    failure: null,
    items: two,
  },
  partial: {
    ...common,
    id: 'ord_partial',
    externalId: 'fixed-2',
    mode: 'live',
    status: 'partially_completed',
    total: 6.6,
    refunded: 2.2,
    failure: { code: 'PARTIAL_DELIVERY', message: 'One unit was not delivered.' },
    items: [...two, line(2, broken, 1, 0)],
  },
  test: {
    ...common,
    id: 'ord_test',
    externalId: 'fixed-3',
    mode: 'test',
    status: 'completed',
    total: 4.4,
    refunded: 0,
    failure: null,
    items: two,
  },
} as const
export type FixedKind = keyof typeof fixedOrders
export const fixedKinds = Object.keys(fixedOrders) as FixedKind[]

/** The keys of every fixed order. */
export const fixedUnits = [1, 2].map((no) => ({
  id: `key_${no}`,
  line: 1,
  productId: plenty.id,
  deliveryType: 'key',
  contentType: 'text/plain',
  value: `AAAA-${no}`,
  status: 'delivered',
  deliveredAt: at,
}))

/** The event of a fixed order. */
export function fixedEvent(kind: FixedKind) {
  const data = fixedOrders[kind]
  const name = `order.${data.status}`
  return { id: `evt_${kind}`, event: name, mode: data.mode, createdAt: at, data }
}

/** The event as a delivery; its delivery id is one that the double makes for each, if it can. */
export function signedEvent(kind: FixedKind, secret: string, delivery = `dlv_${kind}`) {
  const event = fixedEvent(kind)
  return messageOf({ name: event.event, delivery, body: JSON.stringify(event) }, secret)
}

/** A running double of these orders: it has no clock and no claims. */
export const withFixedEvents = (
  port: number,
  running: { stop(): Promise<unknown> },
): RunningDouble => ({
  ...fixedKeys,
  baseUrl: `http://127.0.0.1:${port}/v1`,
  shelf: fixedShelf,
  controls: null,
  announced: fixedKinds.map((kind) => fixedOrders[kind].id),
  stop: async () => void (await running.stop()),
})
