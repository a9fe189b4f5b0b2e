/** Finds the fewest steps of a schedule that still make the handler break a promise. */
import type { Violation } from './judge.ts'
import { isGenuine, type Schedule, type Step, variantsOf, withoutUnused } from './schedule.ts'

export type Failure = { readonly schedule: Schedule; readonly violations: readonly Violation[] }
/** Runs a schedule; the promises it breaks. */
export type Reproduce = (schedule: Schedule) => Promise<readonly Violation[]>

/** Smaller schedules to try, the smallest first. */
function* smaller({ orders, steps }: Schedule, about: number | null): Generator<Schedule> {
  const relevant = steps.filter((step) => step.order === about)
  if (relevant.length > 0 && relevant.length < steps.length) yield { orders, steps: relevant }
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : size >> 1)
    for (let at = 0; at < steps.length; at += size) {
      const kept = steps.toSpliced(at, size)
      if (kept.length > 0) yield { orders, steps: kept }
    }
}

/** Simpler schedules of the same length: ordinary deliveries and complete orders. */
function* simpler({ orders, steps }: Schedule): Generator<Schedule> {
  for (const [at, step] of steps.entries()) {
    if (!isGenuine(step) || step.verb === 'deliver') continue
    const plain: Step = { verb: 'deliver', order: step.order, variant: null }
    yield { orders, steps: steps.with(at, plain) }
  }
  for (const [at, kind] of orders.entries())
    if (kind !== 'completed') yield { orders: orders.with(at, 'completed'), steps }
}

async function firstFailing(
  candidates: Iterable<Schedule>,
  reproduce: Reproduce,
): Promise<Failure | null> {
  for (const candidate of candidates) {
    const schedule = withoutUnused(candidate)
    const violations = await reproduce(schedule)
    if (violations.length > 0) return { schedule, violations }
  }
  return null
}

/**
 * The smallest failure found; the given one if nothing smaller fails. The smaller one can break
 * another promise, which is then the simpler explanation.
 */
export async function shrink(failure: Failure, reproduce: Reproduce): Promise<Failure> {
  let best = failure
  for (;;) {
    const about = best.violations[0]?.order ?? null
    const found =
      (await firstFailing(smaller(best.schedule, about), reproduce)) ??
      (await firstFailing(simpler(best.schedule), reproduce))
    if (found === null) return best
    best = found
  }
}

/** The schedule with another moment of each kill, so that repeated tries reach all moments. */
export const withOtherKills = (schedule: Schedule, attempt: number): Schedule => ({
  ...schedule,
  steps: schedule.steps.map((step, at) => {
    const moments = variantsOf.kill
    if (step.verb !== 'kill' || attempt === 0) return step
    return { ...step, variant: moments[(attempt + at) % moments.length] ?? step.variant }
  }),
})
