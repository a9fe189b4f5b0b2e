import { cents } from '../../../../server/api/money.ts'
import type { OrderedUnits } from '../book.ts'
import { attempt } from '../../sync/day.ts'
import type { Deed, Person } from './person.ts'

/** Orders with maximum prices at the current price or just below it. */
async function wantedOrders(person: Person, count: number): Promise<OrderedUnits[]> {
  const { ask, partner, below, unique } = person
  const { rows } = await ask.catalogue.search({
    accountId: partner,
    filter: { inStockOnly: true },
  })
  const products = rows.filter(
    ({ deliveryType, priceCents, qty }) =>
      deliveryType === 'key' && priceCents !== null && (qty ?? 0) > 3,
  )
  return Array.from({ length: count }, () => {
    const product = products[below(Math.max(1, products.length))]
    const price = product?.priceCents ?? 100
    return {
      externalId: unique('O'),
      productId: product?.productId ?? '',
      maxUnitCents: cents(below(5) === 0 ? Math.max(1, price - 1) : price + below(3)),
    }
  })
}

async function placeOrder(person: Person): Promise<void> {
  const { ask, partner, book } = person
  const [wanted] = await wantedOrders(person, 1)
  if (wanted === undefined) return
  const { externalId, productId, maxUnitCents } = wanted
  book.orders.set(externalId, wanted)
  await ask.orders.place({
    accountId: partner,
    externalId,
    lines: [{ productId, qty: 1 + person.below(2), maxUnitCents }],
    waitSeconds: person.below(3),
  })
}

async function placeTable(person: Person): Promise<void> {
  const { ask, partner, book, below } = person
  const wanted = await wantedOrders(person, 2 + below(4))
  for (const each of wanted) book.orders.set(each.externalId, each)
  await ask.orders.placeMany({
    accountId: partner,
    name: 'orders.csv',
    orders: wanted.map(({ externalId, productId, maxUnitCents }) => ({
      externalId,
      lines: [{ productId, qty: 1, maxUnitCents }],
    })),
  })
}

/**
 * Downloads the keys of an order. A download that succeeded stores every unit that was delivered
 * before: the service takes the first one for the proof of their delivery.
 */
async function downloadKeys(person: Person): Promise<void> {
  const { ask, partner: accountId, below, world, isAlive, note } = person
  const { rows } = await ask.orders.list({ accountId, window: { offset: 0, limit: 500 } })
  const open = rows.filter(({ deliveredUnits, keysKept }) => deliveredUnits > keysKept)
  const orderId = open[below(Math.max(1, open.length))]?.orderId
  if (orderId === undefined) return
  const before = world.deliveredUnits(orderId)
  await ask.orders.downloadKeys({ accountId, orderId, acknowledged: true })
  const { keys } = await ask.orders.order({ accountId, orderId })
  if (!isAlive()) return
  const stored = new Set(keys.map(({ keyId }) => keyId))
  for (const keyId of world.deliveredUnits(orderId))
    if (before.includes(keyId) && !stored.has(keyId))
      note({ kind: 'lost', what: `the download of ${orderId} left out ${keyId}` })
}

/** Files a claim for a downloaded key. */
async function fileClaim(person: Person): Promise<void> {
  const { ask, partner: accountId, book, below } = person
  const { rows } = await ask.orders.keys({ accountId })
  const unit = rows[below(Math.max(1, Math.min(12, rows.length)))]
  if (unit === undefined) return
  const { orderId, keyId } = unit
  const { claimId } = await ask.claims.create({ accountId, orderId, keyId })
  if (!person.isAlive()) return
  if (!book.claims.has(keyId)) book.claims.set(keyId, false)
  const { state } = await ask.claims.file({ accountId, claimId })
  if (person.isAlive() && state === 'filed') book.claims.set(keyId, true)
}

export const partnerDeeds = (person: Person): Record<string, Deed> => ({
  placeOrder: () => attempt(placeOrder(person)),
  placeTable: () => attempt(placeTable(person)),
  downloadKeys: () => attempt(downloadKeys(person)),
  fileClaim: () => attempt(fileClaim(person)),
  fileAnotherClaim: () => attempt(fileClaim(person)),
})
