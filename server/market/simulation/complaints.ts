import complaints from '../../../resources/demo/complaints.json' with { type: 'json' }
import type { DeliveryType } from '../../api/schemas/enums.ts'
import type {
  DisputedUnit,
  MarketProduct,
  MarketPurchase,
  MarketWorld,
} from '../../domain/ports/market.ts'
import { errorWindow } from '../art/error-window.ts'
import type { SeededRandom } from '../random.ts'
import { DAY, HOUR, MINUTE } from './calendar.ts'
import { randomFor } from './random-for.ts'
import { type EventOf, type Problem, formatEvent } from './events.ts'
import { createDisputeCourse } from './dispute-course.ts'
import { type Customer, customerOf } from './people.ts'

/**
 * Claims per unit sold: for sellers outside the simulation, and for its own best and worst sellers.
 */
const claimRate = { others: 0.032, best: 0.008, worst: 0.055 } as const
/** Share of claims in which the customer is at fault. */
const MISTAKEN = 0.18
const WITH_PICTURE = 0.6
/** Claims come within this time; the claim window is seven days. */
const LATEST = 6 * DAY
const problems: Readonly<Record<DeliveryType, readonly { weight: number; problem: Problem }[]>> = {
  key: [
    { weight: 40, problem: 'used' },
    { weight: 25, problem: 'invalid' },
    { weight: 20, problem: 'region' },
    { weight: 15, problem: 'edition' },
  ],
  account: [
    { weight: 80, problem: 'login' },
    { weight: 20, problem: 'region' },
  ],
  gift: [
    { weight: 70, problem: 'expired' },
    { weight: 30, problem: 'region' },
  ],
  link: [
    { weight: 75, problem: 'expired' },
    { weight: 25, problem: 'invalid' },
  ],
}

/** Most customers notice immediately, the others when they use the key. */
const noticedAfter = (random: SeededRandom): number =>
  random.chance(0.7)
    ? 4 * MINUTE + Math.floor(random.next() ** 2 * 9 * HOUR)
    : 9 * HOUR + Math.floor(random.next() * (LATEST - 9 * HOUR))

/** The customer's screenshot as base64. */
const pictureOf = ([title = '', line = '']: readonly string[]): string =>
  errorWindow(title, line).toString('base64')

/** The share of a seller's units that customers complain about. */
function claimRateOf(world: MarketWorld, sellerId: string): number {
  if (!world.isOwn(sellerId)) return claimRate.others
  const share = randomFor(world.run().seed, 'quality', sellerId).next()
  return claimRate.best + share * (claimRate.worst - claimRate.best)
}

/** Opens a dispute with a customer's text, often with a screenshot. */
function openDispute(
  world: MarketWorld,
  { orderId, keyId, productId }: DisputedUnit,
  problem: Problem,
  { language, country }: Customer,
  random: SeededRandom,
): string | null {
  const message = random
    .pick(language.claims[problem])
    .replace('{product}', world.product(productId)?.name ?? '')
    .replace('{country}', country)
  const window = language.windows[problem]
  const screenshot =
    window !== undefined && random.chance(WITH_PICTURE) ? { screenshot: pictureOf(window) } : {}
  return world.claim({ orderId, keyId, message, ...screenshot })
}

/** How long a simulated seller takes to settle a claim: up to two days, sometimes three to five. */
function settledAfter(random: SeededRandom): number {
  const slow = random.chance(0.12)
  return Math.floor((slow ? 74 + random.next() * 50 : 1 + random.next() ** 2 * 40) * HOUR)
}

/** The dispute's first check, before anyone answered. */
const firstCheck = (
  dispute: string,
  { customer, problem, mistaken }: Pick<EventOf<'claim'>, 'customer' | 'problem' | 'mistaken'>,
): EventOf<'look-again'> => ({
  kind: 'look-again',
  dispute,
  customer,
  problem,
  mistaken,
  answers: 0,
  support: 0,
})

/**
 * Simulates complaints and the course of disputes: customers answer and escalate, support decides,
 * simulated sellers resolve.
 */
export function createComplaints(world: MarketWorld) {
  const seed = () => world.run().seed
  const chance = (kind: string, id: string) => randomFor(seed(), kind, id, world.now())
  const course = createDisputeCourse(world)

  return {
    complain(unit: DisputedUnit): string | null {
      const kind = world.product(unit.productId)?.deliveryType
      const random = chance('complains', unit.keyId)
      const { problem } = random.weighted(problems[kind ?? 'key'])
      const customer = random.between(1, 100_000)
      const mistaken = random.chance(MISTAKEN)
      const id = openDispute(world, unit, problem, customerOf(seed(), customer), random)
      if (id !== null)
        course.lookLater({ ...firstCheck(id, { customer, problem, mistaken }), prompt: true })
      return id
    },
    /** Handles a delivered purchase: schedules the complaints about some of its units. */
    follow(
      { orderId, keyIds }: MarketPurchase,
      customer: number,
      { id: product, deliveryType }: MarketProduct,
    ): void {
      for (const key of keyIds) {
        const random = randomFor(seed(), 'claim', key)
        const luck = random.next()
        if (luck > claimRate.worst) continue
        const sellerId = world.sellerOf(orderId, key)
        if (sellerId === null || luck > claimRateOf(world, sellerId)) continue
        const { problem } = random.weighted(problems[deliveryType])
        const mistaken = random.chance(MISTAKEN)
        world.schedule(
          world.now() + noticedAfter(random),
          formatEvent({ kind: 'claim', customer, order: orderId, key, product, problem, mistaken }),
        )
      }
    },

    claim(event: EventOf<'claim'>): void {
      const { customer, order, key, product, problem } = event
      const random = chance('claimed', key)
      const id = openDispute(
        world,
        { orderId: order, keyId: key, productId: product },
        problem,
        customerOf(seed(), customer),
        random,
      )
      const opened = id === null ? null : world.dispute(id)
      if (!opened) return
      if (!world.isOwn(opened.sellerId)) return course.lookLater(firstCheck(opened.id, event))
      world.schedule(
        world.now() + settledAfter(random),
        formatEvent({ kind: 'settle', dispute: opened.id }),
      )
    },

    lookAgain: course.lookAgain,

    settle({ dispute: id }: EventOf<'settle'>): void {
      const dispute = world.dispute(id)
      if (!dispute || dispute.status === 'resolved') return
      const random = chance('settles', id)
      const how = random.chance(0.6) ? 'replace' : 'refund'
      world.addMessage(id, 'seller', random.pick(complaints.sellers[how]))
      world.settle(id, how)
    },
  }
}
