import type { SeedBuilder } from '../../domain/ports/seeding.ts'
import { drawErrorWindow } from '../art/error-window.ts'
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
  screenshot: Buffer | null
  steps: readonly Step[]
}

interface Story extends Omit<DisputePlan, 'at'> {
  /** Milliseconds since the claim. */
  ago: number
  /** Whether the offer must have a unit left. */
  needsStock: boolean
}

/** Two disputes that wait for the seller, one that waited too long, and two that are resolved. */
const disputeStories = (): readonly Story[] => [
  {
    ago: 5 * hour,
    needsStock: false,
    screenshot: drawErrorWindow('Already redeemed', 'This code belongs to another account'),
    steps: [],
    message:
      'The code is refused as already redeemed. I tried it twice and copied it straight from the order.',
  },
  {
    ago: 26 * hour,
    needsStock: false,
    screenshot: null,
    message:
      'My customer cannot activate this: the platform says the product is not available in their region.',
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
    screenshot: drawErrorWindow('Invalid code', 'Check what you typed and try again'),
    message:
      'Invalid code. I checked every character and tried it in the client and on the website.',
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
    screenshot: drawErrorWindow('Already redeemed', 'This code was used before'),
    message: 'Already used according to the platform. Please send another one.',
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
    message:
      'This is the wrong edition: the product page says Deluxe, the code activates the base game.',
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
  for (const { ago, needsStock, ...story } of disputeStories()) {
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
    id = world.claim({ orderNo, message, at, ...(screenshot === null ? {} : { screenshot }) })
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
