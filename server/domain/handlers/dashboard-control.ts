import { type FieldProblem, validationError } from '../../api/errors.ts'
import { type BodyOf, type Handlers, withFieldCheck } from '../../api/handlers.ts'
import { priceFactor } from '../../api/money.ts'
import { instantMs, instantText } from '../context.ts'
import type { DemoKeys } from '../access/demo-keys.ts'
import type { SeedOptions } from '../ports/seeding.ts'
import type { Scheduler } from '../clock/scheduler.ts'
import type { ServiceClock } from '../clock/service-clock.ts'
import type { Parts } from './parts.ts'
import { DAY_MS } from '../../api/time.ts'

export interface Control {
  readonly clock: ServiceClock
  readonly scheduler: Scheduler
  /**
   * Resets the database to its initial state. Options that are missing default to those of this
   * process's start.
   */
  reset(options: Partial<SeedOptions>): Promise<DemoKeys | null>
}

/** Longest jump of one clock/advance. */
const MAX_ADVANCE_MS = 10 * 366 * DAY_MS

/** Products, clock and reset on the dashboard interface. */
export function dashboardControlHandlers(
  { catalogue, editing }: Parts,
  { clock, scheduler, reset }: Control,
) {
  const one = priceFactor(1)
  return {
    createProduct: ({ origin }, { body }) =>
      catalogue.productAt(201, editing.create(body), one, origin),
    changeProduct({ origin }, { params, body }) {
      editing.change(params.id, body)
      return catalogue.productAt(200, params.id, one, origin)
    },
    getClock: () => ({
      status: 200,
      body: { now: instantText(clock.now()), offsetMs: clock.offset() },
    }),
    advanceClock: withFieldCheck<'advanceClock'>(
      ({ body }) => advanceProblems({ ms: body?.ms, to: body?.to }, clock.now()),
      async (_call, { body }) => {
        let goal = { end: 0, offset: 0 }
        const until = () => {
          goal = goalOf(body, clock.now(), clock.offset())
          return goal.end
        }
        const reached = await scheduler.runThrough(
          until,
          (at) => (at < goal.end ? clock.moveTo(at) : clock.moveTo(at, goal.offset)),
          clock.reload,
        )
        return { status: 200, body: { now: instantText(reached), offsetMs: clock.offset() } }
      },
    ),
    async reset(_call, { body }) {
      const { seed, products } = body
      const options = {
        ...(seed === undefined ? {} : { seed }),
        ...(products === undefined ? {} : { products }),
      }
      return { status: 200, body: { demo: await reset(options) } }
    },
  } satisfies Handlers
}

type Advance = { ms?: number | null | undefined; to?: string | null | undefined }

const endOf = ({ ms, to }: Advance, now: number): number =>
  to == null ? now + (ms ?? 0) : instantMs(to)

/** Judges an advance by one of the two only. */
function advanceProblems(advance: Advance, now: number): FieldProblem[] {
  if ((advance.ms == null) === (advance.to == null)) return []
  const field = advance.to == null ? 'ms' : 'to'
  const end = endOf(advance, now)
  if (end <= now) return [{ field, message: 'must be later than now' }]
  if (end - now > MAX_ADVANCE_MS) return [{ field, message: 'must be at most ten years ahead' }]
  return []
}

/**
 * Where an advance ends: the minimum time and the minimum offset. `ms` raises the offset by exactly
 * that amount. Throws VALIDATION_ERROR.
 */
function goalOf(
  advance: BodyOf<'advanceClock'>,
  now: number,
  offset: number,
): { end: number; offset: number } {
  const problems = advanceProblems(advance, now)
  if (problems.length > 0) throw validationError(...problems)
  return { end: endOf(advance, now), offset: offset + (advance.ms ?? 0) }
}
