import type { DeliveryType } from '../../api/schemas/enums.ts'
import type { SeedBuilder } from '../../domain/ports/seeding.ts'
import { errorWindow } from '../art/error-window.ts'
import type { SeededRandom } from '../random.ts'
import type { ProductFacts } from './facts.ts'
import type { OrderPlan } from './orders.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

type Step =
  | { after: number; do: 'say'; author: 'customer' | 'seller' | 'support'; body: string }
  | { after: number; do: 'replace' | 'refund' }

/** A claim on an order's first unit, and the following steps, in milliseconds after the claim. */
export interface DisputePlan {
  at: number
  message: string
  /** The title and the line of the error that the screenshot shows. */
  screenshot: readonly [string, string] | null
  steps: readonly Step[]
}

interface Story extends Omit<DisputePlan, 'at'> {
  /** Milliseconds since the claim. */
  ago: number
  /** Whether the offer must have a unit left. */
  needsStock: boolean
}

/** What customers write, by reason. */
const reasons = {
  used: 'The code is refused as already redeemed. I tried it twice and copied it straight from the order.',
  region:
    'My customer cannot activate this: the platform says the product is not available in their region.',
  invalid: 'Invalid code. I checked every character and tried it in the client and on the website.',
  edition:
    'This is the wrong edition: the product page says Deluxe, the code activates the base game.',
  login: 'The password of the account was changed. I was logged out and cannot sign in again.',
  expired: 'The link has expired, although I opened it for the first time today.',
} as const

/** Two disputes that wait for the seller, one that waited too long, and two that are resolved. */
const disputeStories: readonly Story[] = [
  {
    ago: 5 * hour,
    needsStock: false,
    screenshot: ['Already redeemed', 'This code belongs to another account'],
    steps: [],
    message: reasons.used,
  },
  {
    ago: 26 * hour,
    needsStock: false,
    screenshot: null,
    message: reasons.region,
    steps: [
      {
        after: 6 * hour,
        do: 'say',
        author: 'seller',
        body: 'Sorry about that. Which country does the account belong to?',
      },
      {
        after: 23 * hour,
        do: 'say',
        author: 'customer',
        body: 'Austria. The product page lists it as allowed.',
      },
    ],
  },
  {
    ago: 4 * day,
    needsStock: false,
    screenshot: ['Invalid code', 'Check what you typed and try again'],
    message: reasons.invalid,
    steps: [
      {
        after: 75 * hour,
        do: 'say',
        author: 'support',
        body: 'The seller did not answer within 72 hours. We are looking at it now.',
      },
    ],
  },
  {
    ago: 15 * day,
    needsStock: true,
    screenshot: ['Already redeemed', 'This code was used before'],
    message: reasons.used,
    steps: [
      {
        after: 3 * hour,
        do: 'say',
        author: 'seller',
        body: 'That should not happen. Another code is on its way.',
      },
      { after: 3 * hour + 10 * minute, do: 'replace' },
    ],
  },
  {
    ago: 24 * day,
    needsStock: false,
    screenshot: null,
    message: reasons.edition,
    steps: [
      {
        after: 9 * hour,
        do: 'say',
        author: 'seller',
        body: 'You are right, this code came from the wrong batch. You get your money back.',
      },
      { after: 9 * hour + 5 * minute, do: 'refund' },
    ],
  },
]

/**
 * Assigns to each story an order of the demo seller that was delivered within the claim window; in
 * a small catalogue, some stories get no order.
 */
export const planDisputes = (
  sales: readonly OrderPlan[],
  stockLeft: (productId: string) => number,
  now: number,
): Map<OrderPlan, DisputePlan> => {
  const plans = new Map<OrderPlan, DisputePlan>()
  for (const { ago, needsStock, ...story } of disputeStories) {
    const at = now - ago
    const order = sales.find((plan) => {
      const age = at - plan.at
      return (
        age > hour &&
        age < 6 * day &&
        !plans.has(plan) &&
        (!needsStock || stockLeft(plan.items[0]?.productId ?? '') > 1)
      )
    })
    if (order !== undefined) plans.set(order, { at, ...story })
  }
  return plans
}

/** A claim on a competitor's unit. */
interface Complaint {
  deliveryTypes: readonly DeliveryType[]
  ago: number
  message: string
}

/**
 * Reasons for a claim that no open dispute of the demo seller has, so that an open dispute shows
 * each one (Decision 47).
 */
const complaints: readonly Complaint[] = [
  {
    deliveryTypes: ['key'],
    ago: 24 * minute,
    message: reasons.invalid,
  },
  {
    deliveryTypes: ['key'],
    ago: 41 * minute,
    message: reasons.edition,
  },
  {
    deliveryTypes: ['account'],
    ago: 58 * minute,
    message: reasons.login,
  },
  {
    deliveryTypes: ['gift', 'link'],
    ago: 75 * minute,
    message: reasons.expired,
  },
]

/**
 * Orders of other buyers from the competitors, each with an open dispute. They are the latest of all
 * orders, so that ids of earlier ones don't depend on them. A small catalogue may have no product
 * for some of them.
 */
export const competitorsInDispute = (
  random: SeededRandom,
  products: readonly ProductFacts[],
  buyers: number,
  now: number,
): Map<OrderPlan, DisputePlan> => {
  const left = new Set(products.filter(({ units, preLaunch }) => units > 3 && !preLaunch))
  const plans = new Map<OrderPlan, DisputePlan>()
  for (const { deliveryTypes, ago, message } of complaints) {
    const product = [...left].find(({ deliveryType }) => deliveryTypes.includes(deliveryType))
    if (product === undefined) continue
    left.delete(product)
    const order: OrderPlan = {
      buyer: random.between(0, buyers - 1),
      mode: 'live',
      at: now - ago - random.between(5, 15) * minute,
      items: [{ productId: product.id, qty: 1 }],
      deliveredAfterMs: random.between(180, 2400),
      failUnits: 0,
      firstDownloadedAt: null,
    }
    plans.set(order, { at: now - ago, message, screenshot: null, steps: [] })
  }
  return plans
}

/** An event at a time in the demo history. */
export interface Happening {
  at: number
  act: () => void
}

/** The claim on a placed order and the following steps, in time order. */
export const happeningsOf = (
  world: SeedBuilder,
  orderNo: number,
  { at, message, screenshot, steps }: DisputePlan,
): Happening[] => {
  let id = ''
  const claim = () => {
    id = world.claim({
      orderNo,
      message,
      at,
      ...(screenshot === null ? {} : { screenshot: errorWindow(...screenshot) }),
    })
  }
  const follow = (step: Step, then: number) => () => {
    if (step.do === 'say') world.addMessage(id, step.author, step.body, then)
    else if (step.do === 'replace') world.replaceFromStock(id, then)
    else world.refund(id, then)
  }
  return [
    { at, act: claim },
    ...steps.map((step) => ({ at: at + step.after, act: follow(step, at + step.after) })),
  ]
}
