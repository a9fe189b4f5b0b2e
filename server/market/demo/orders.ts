import type { Mode } from '../../api/schemas/enums.ts'
import type { SeededRandom } from '../random.ts'
import type { DemoOffer } from './demo-offers.ts'
import type { ProductFacts } from './facts.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A planned order in the past. */
export interface OrderPlan {
  /** The demo partner, or one of the other buyers by number. */
  buyer: 'demo' | number
  mode: Mode
  at: number
  items: { productId: string; qty: number }[]
  deliveredAfterMs: number
  failUnits: number
  firstDownloadedAt: number | null
}

type Ending = 'completed' | 'partial' | 'failed' | 'pre-launch'

/** The final status of each of the demo partner's 30 orders. */
const endings: readonly { mode: Mode; ending: Ending; count: number }[] = [
  { mode: 'live', ending: 'completed', count: 14 },
  { mode: 'live', ending: 'partial', count: 3 },
  { mode: 'live', ending: 'failed', count: 1 },
  { mode: 'live', ending: 'pre-launch', count: 2 },
  { mode: 'test', ending: 'completed', count: 7 },
  { mode: 'test', ending: 'partial', count: 1 },
  { mode: 'test', ending: 'failed', count: 1 },
  { mode: 'test', ending: 'pre-launch', count: 1 },
]

const between = (random: SeededRandom, oldest: number, newest: number): number =>
  Math.floor(newest + random.next() * (oldest - newest))

const timing = (
  random: SeededRandom,
  at: number,
  now: number,
): Pick<OrderPlan, 'at' | 'deliveredAfterMs' | 'firstDownloadedAt'> => {
  const fetched = at + random.between(1, 90) * minute
  return {
    at,
    deliveredAfterMs: random.between(180, 2400),
    firstDownloadedAt: random.chance(0.75) && fetched < now ? fetched : null,
  }
}

/**
 * Orders of the other buyers for exactly the units that the demo seller sold; a few are the demo
 * partner's own.
 */
export const ordersOfSales = (
  random: SeededRandom,
  offers: readonly DemoOffer[],
  buyers: number,
  now: number,
): OrderPlan[] => {
  const units = offers
    .flatMap(({ product, sold }) =>
      Array.from({ length: sold }, () => ({ id: product.id, order: random.next() })),
    )
    .toSorted((a, b) => a.order - b.order)
  const plans: OrderPlan[] = []
  for (let taken = 0; taken < units.length;) {
    const group = units.slice(taken, taken + random.between(1, 4))
    taken += group.length
    const quantities = new Map<string, number>()
    for (const { id } of group) quantities.set(id, (quantities.get(id) ?? 0) + 1)
    // More orders in recent days than earlier.
    const at = now - Math.floor(3 * hour + random.next() ** 1.4 * 38 * day)
    plans.push({
      buyer: random.between(0, buyers - 1),
      mode: 'live',
      items: [...quantities].map(([productId, qty]) => ({ productId, qty })),
      failUnits: 0,
      ...timing(random, at, now),
    })
  }
  return plans
}

/** Orders that empty a few products, so that they are out of stock and show their last price. */
export const ordersThatSellOut = (
  random: SeededRandom,
  products: readonly ProductFacts[],
  buyers: number,
  now: number,
): OrderPlan[] => {
  const plans: OrderPlan[] = []
  for (let taken = 0; taken < products.length; taken += 8) {
    const items = products
      .slice(taken, taken + 8)
      .map(({ id, units }) => ({ productId: id, qty: units }))
    plans.push({
      buyer: random.between(0, buyers - 1),
      mode: 'live',
      items,
      failUnits: 0,
      ...timing(random, between(random, now - 38 * day, now - 4 * hour), now),
    })
  }
  return plans
}

/** Assigns products while they have units left, so that no planned order finds one out of stock. */
const shelf = (products: readonly ProductFacts[]) => {
  const left = new Map(products.map(({ id, units }) => [id, units]))
  return (
    random: SeededRandom,
    lines: number,
    quantities: readonly [low: number, high: number],
  ): OrderPlan['items'] => {
    const enough = products.filter(({ id }) => (left.get(id) ?? 0) >= quantities[1])
    return random.sample(enough, lines).map(({ id }) => {
      const qty = random.between(...quantities)
      left.set(id, (left.get(id) ?? 0) - qty)
      return { productId: id, qty }
    })
  }
}

/**
 * The demo partner's orders: 30 in all, of every status, if the catalogue is large enough. `sales`
 * are orders from the demo seller; a few of them become the partner's own, so that the two accounts
 * trade with each other.
 */
export const partnerOrders = (
  random: SeededRandom,
  products: readonly ProductFacts[],
  sales: OrderPlan[],
  now: number,
): OrderPlan[] => {
  const ordinary = shelf(
    products.filter(
      ({ preLaunch, lowestPrice }) => !preLaunch && lowestPrice !== null && lowestPrice < 3500,
    ),
  )
  const coming = shelf(
    products.filter(
      ({ preLaunch, lowestPrice }) => preLaunch && lowestPrice !== null && lowestPrice < 9000,
    ),
  )
  const shared = random.sample(
    sales.filter(({ items }) => items.length > 1),
    4,
  )
  const wanted = endings.flatMap(({ mode, ending, count }) =>
    Array.from({ length: count }, () => ({ mode, ending })),
  )
  const plans = wanted.map(({ mode, ending }): OrderPlan => {
    const known = mode === 'live' && ending === 'completed' ? shared.pop() : undefined
    if (known !== undefined) {
      sales.splice(sales.indexOf(known), 1)
      return { ...known, buyer: 'demo' }
    }
    const items =
      ending === 'pre-launch'
        ? coming(random, 1, [1, 2])
        : ordinary(random, random.between(1, 3), ending === 'partial' ? [2, 3] : [1, 2])
    const count = items.reduce((sum, { qty }) => sum + qty, 0)
    const failUnits =
      ending === 'failed'
        ? count
        : ending === 'partial'
          ? random.between(1, Math.max(1, count - 1))
          : 0
    const times = timing(random, between(random, now - 30 * day, now - 2 * hour), now)
    const firstDownloadedAt =
      ending === 'pre-launch' || ending === 'failed' ? null : times.firstDownloadedAt
    return { buyer: 'demo', mode, items, failUnits, ...times, firstDownloadedAt }
  })
  return plans.filter(({ items }) => items.length > 0)
}
