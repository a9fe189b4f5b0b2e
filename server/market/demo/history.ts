import type { Cents } from '../../api/money.ts'
import { addCents, cents, subtractCents, ZERO } from '../../api/money.ts'
import type { Mode } from '../../api/schemas/enums.ts'
import { modes } from '../../api/schemas/enums.ts'
import type { SeedBuilder } from '../../domain/ports/seeding.ts'
import { type DisputePlan, type Happening, happeningsOf } from './disputes.ts'
import type { OrderPlan } from './orders.ts'
import type { DemoAccounts } from './people.ts'
import { DAY_MS } from '../../api/time.ts'

const minute = 60_000

/** The demo partner's final balance in each mode: EUR 1,000. */
const closingBalance = cents(100_000)
/** The demo partner tops up by this amount before an order that the balance might not cover. */
const usualTopUp = cents(50_000)
/** Every order of the demo partner is well below this amount. */
const enoughForAnOrder = cents(45_000)

/**
 * Places all orders by time, with the top-ups that pay for them and the claims that follow. The
 * demo partner's final balance is EUR 1,000 in each mode.
 */
export const writeHistory = function* (
  world: SeedBuilder,
  people: DemoAccounts,
  plans: readonly OrderPlan[],
  disputes: ReadonlyMap<OrderPlan, DisputePlan>,
): Generator<void> {
  const { now } = world
  const balances: Record<Mode, Cents> = { live: ZERO, test: ZERO }
  const topUp = (mode: Mode, amount: Cents, at: number): void => {
    world.topUp(people.partner, mode, amount, at)
    balances[mode] = addCents(balances[mode], amount)
  }

  for (const buyer of people.buyers) world.topUp(buyer, 'live', cents(5_000_000), now - 60 * DAY_MS)
  for (const mode of modes) topUp(mode, closingBalance, now - 45 * DAY_MS)
  let happenings: Happening[] = []
  const happenUntil = (until: number): void => {
    for (const { act } of happenings
      .filter(({ at }) => at <= until)
      .toSorted((a, b) => a.at - b.at))
      act()
    happenings = happenings.filter(({ at }) => at > until)
  }

  let number = 10_400
  let last = now - 44 * DAY_MS
  for (const plan of plans.toSorted((a, b) => a.at - b.at)) {
    const { buyer, mode, at, items, deliveredAfterMs, failUnits, firstDownloadedAt } = plan
    happenUntil(at)
    const partnerId = buyer === 'demo' ? people.partner : (people.buyers[buyer] ?? '')
    if (buyer === 'demo' && balances[mode] < enoughForAnOrder)
      topUp(mode, usualTopUp, Math.min(at - 1, Math.max(last, at - 20 * minute)))
    last = at + deliveredAfterMs
    const order = world.order({
      partnerId,
      mode,
      items,
      at,
      deliveredAfterMs,
      failUnits,
      externalId: `${buyer === 'demo' ? 'NG' : 'WEB'}-${++number}`,
      ...(firstDownloadedAt === null ? {} : { firstDownloadedAt }),
    })
    const dispute = disputes.get(plan)
    if (dispute !== undefined) happenings.push(...happeningsOf(world, order.no, dispute))
    if (buyer === 'demo')
      balances[mode] = addCents(subtractCents(balances[mode], order.total), order.refunded)
    yield
  }
  happenUntil(now)
  world.passTime(now)
  for (const mode of modes) {
    const missing = subtractCents(closingBalance, balances[mode])
    if (missing > 0) topUp(mode, missing, now - 45 * minute)
  }
}
