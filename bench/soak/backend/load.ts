/**
 * The mixed load: concurrent HTTP clients, each of which takes its next step after the previous one
 * was acknowledged and recorded.
 */
import { seeded } from '../../../e2e/support/seeded.ts'
import { askAgain, downloadKeys, issueKey, placeOrder, placeTooDear } from './buyer.ts'
import { advance, claim, escalate, reject, renameProduct, topUp } from './dashboard.ts'
import { answered, type Below, type MakeOperation, type Operation } from './operation.ts'
import { answerCustomer, changeTerms, refund, replace, upload, withdraw } from './seller.ts'
import { SELLERS, type World } from './world.ts'

/** The steps of a client, each with its share of all steps. */
type Habits = readonly (readonly [number, MakeOperation])[]

const buyer: Habits = [
  [12, placeOrder],
  [1, placeTooDear],
  [2, askAgain],
  [5, downloadKeys],
]
const seller = (index: number): Habits => [
  [5, upload(index)],
  [2, withdraw(index)],
  [4, changeTerms(index)],
  [2, answerCustomer(index)],
  [2, replace(index)],
  [2, refund(index)],
]
const dashboard: Habits = [
  [5, topUp],
  [7, claim],
  [2, escalate],
  [2, reject],
  [2, renameProduct],
  [1, issueKey],
  [1, advance(20_000)],
]

/** Buyers, sellers and the dashboard. */
const clients: readonly Habits[] = [
  buyer,
  buyer,
  buyer,
  ...Array.from({ length: SELLERS }, (_, index) => seller(index)),
  dashboard,
]

function next(habits: Habits, world: World, below: Below): Operation | null {
  let roll = below(habits.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, make] of habits) {
    if (roll < weight) return make(world, below)
    roll -= weight
  }
  return null
}

export type Load = {
  /** Number of acknowledged steps. */
  readonly acknowledged: number
  /** Steps without a response, at most one per client. */
  readonly open: readonly Operation[]
}

/**
 * Runs the clients until `over()` is true for each or its response is lost. The same seed makes the
 * same steps of each client.
 */
export async function runLoad(world: World, seed: number, over: () => boolean): Promise<Load> {
  let acknowledged = 0
  const open: Operation[] = []
  await Promise.all(
    clients.map(async (habits, index) => {
      const below = seeded(seed * 31 + index)
      while (!over()) {
        const operation = next(habits, world, below)
        if (operation === null) {
          await new Promise((resolve) => setImmediate(resolve))
          continue
        }
        if (!(await answered(world, operation))) {
          open.push(operation)
          return
        }
        acknowledged += 1
      }
    }),
  )
  return { acknowledged, open }
}
