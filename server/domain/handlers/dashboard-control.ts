import { validationError } from '../../api/errors.ts'
import type { Handlers } from '../../api/handlers.ts'
import { priceFactor } from '../../api/money.ts'
import { instantMs, instantText } from '../context.ts'
import type { DemoKeys } from '../demo.ts'
import type { WorldOptions } from '../ports/world.ts'
import type { Scheduler } from '../scheduler.ts'
import type { ServiceClock } from '../service-clock.ts'
import type { Parts } from './parts.ts'

export interface Control {
  readonly clock: ServiceClock
  readonly scheduler: Scheduler
  /** The database as at a first start; what isn't given is as at this process's start. */
  reset(options: Partial<WorldOptions>): Promise<DemoKeys | null>
}

/** Longest jump of one clock/advance. */
const MAX_ADVANCE_MS = 10 * 366 * 86_400_000

/** Products, clock and reset on the dashboard interface. */
export function dashboardControlHandlers({ catalogue, editing }: Parts, { clock, scheduler, reset }: Control) {
  const one = priceFactor(1)
  return {
    createProduct: ({ origin }, { body }) => catalogue.productAt(201, editing.create(body), one, origin),
    changeProduct({ origin }, { params, body }) {
      editing.change(params.id, body)
      return catalogue.productAt(200, params.id, one, origin)
    },
    getClock: () => ({ status: 200, body: { now: instantText(clock.now()), offsetMs: clock.offset() } }),
    async advanceClock(_call, { body }) {
      const field = body.to === undefined ? 'ms' : 'to'
      const goal = (): number => {
        const now = clock.now()
        const until = body.to === undefined ? now + (body.ms ?? 0) : instantMs(body.to)
        if (until <= now) throw validationError({ field, message: 'must be later than now' })
        if (until - now > MAX_ADVANCE_MS) throw validationError({ field, message: 'must be at most ten years ahead' })
        return until
      }
      await scheduler.runThrough(goal, (at) => clock.moveTo(at))
      return { status: 200, body: { now: instantText(clock.now()), offsetMs: clock.offset() } }
    },
    async reset(_call, { body }) {
      const { seed, products } = body
      const options = { ...(seed === undefined ? {} : { seed }), ...(products === undefined ? {} : { products }) }
      return { status: 200, body: { demo: await reset(options) } }
    },
  } satisfies Handlers
}
