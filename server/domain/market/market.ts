import type { BodyOf } from '../../api/handlers.ts'
import { marketDefaults } from '../../api/dashboard/market.ts'
import type { Context } from '../context.ts'
import type { CurrentEvent } from './market-world.ts'
import type { DisputedUnit, MarketCounts, MarketRun, Simulation } from '../ports/market.ts'
import type { DueWork } from '../clock/due-work.ts'

const HOUR = 3_600_000

export interface Market extends DueWork {
  /**
   * Starts a run. With the same seed, continues the present run in the new size (POST
   * /dashboard/market).
   */
  start(body: BodyOf<'startMarket'>): void
  /** Stops the run and discards its planned events. */
  stop(): void
  /**
   * Creates a test dispute about a unit (POST /dashboard/market/complaints). Starts an idle run
   * when none is running. Returns the dispute's id.
   */
  createTestDispute(unit: DisputedUnit): string | null
}

/** The counts of a new run. */
export const zeroCounts = (): MarketCounts => ({
  priceChanges: 0,
  newOffers: 0,
  restocks: 0,
  visits: 0,
  orders: 0,
  sales: 0,
  claims: 0,
  messages: 0,
  escalations: 0,
  settlements: 0,
})

const hourAfter = (at: number): number => (Math.floor(at / HOUR) + 1) * HOUR

/** A run with the size that the dashboard asked for: the present run continued, or a new one. */
function runFor(
  { seed, intensity, sellers, customers = marketDefaults.customers }: BodyOf<'startMarket'>,
  last: MarketRun | undefined,
  continues: boolean,
  own: number,
  at: number,
): MarketRun {
  if (last && continues) return { ...last, intensity, customers, sellers: sellers ?? last.sellers }
  return {
    running: true,
    seed,
    intensity,
    customers,
    sellers: sellers ?? Math.max(own, marketDefaults.sellers),
    since: at,
    plannedUntil: at,
    idsMade: last?.idsMade ?? 0,
    counts: zeroCounts(),
  }
}

/** Runs parts of the simulation at a time of the run. */
function createEventRunner(
  { store, log }: Context,
  simulation: Simulation,
  enter: (currentEvent: CurrentEvent | null) => void,
) {
  /**
   * Runs `work` at a time of the run, and saves the run with its effects. A defect loses the event
   * but doesn't stop the service.
   */
  function during(run: MarketRun, at: number, work: () => void): void {
    const currentEvent = { at, run }
    enter(currentEvent)
    try {
      store.savepoint(work)
    } catch (error) {
      log.error('a market event failed and was skipped', { error: String(error) })
    } finally {
      enter(null)
    }
    store.market.save(run)
  }

  /** Plans the events until the end of the hour. */
  function planHour(run: MarketRun, at: number): void {
    run.plannedUntil = hourAfter(at)
    during(run, at, () => simulation.plan(run.plannedUntil))
  }

  return { during, planHour }
}

/**
 * The market simulation as due work: each event at its own time and in its own transaction,
 * together with the run's state. `enter` sets the event that the simulation sees.
 */
export function createMarket(
  context: Context,
  simulation: Simulation,
  enter: (currentEvent: CurrentEvent | null) => void,
): Market {
  const { store, clock } = context
  const { during, planHour } = createEventRunner(context, simulation, enter)

  function nextAt(): number | null {
    const run = store.market.run()
    if (run?.running !== true) return null
    return Math.min(run.plannedUntil, store.market.nextEventAt() ?? run.plannedUntil)
  }

  function start(body: BodyOf<'startMarket'>): void {
    store.transaction(() => {
      const last = store.market.run()
      const at = clock.now()
      const continues = last?.running === true && last.seed === body.seed
      const own = store.market.actors('seller').length
      const run = runFor(body, last, continues, own, at)
      if (!continues) store.market.clearEvents()
      if (!continues || run.sellers > last.sellers) during(run, at, () => simulation.start())
      else store.market.save(run)
      if (!continues) planHour(run, at)
    })
  }

  return {
    punctual: true,
    nextAt,
    run: (until) =>
      store.transaction(() => {
        const run = store.market.run()
        if (run?.running !== true) return
        const next = store.market.nextEvent()
        if (next && next.at < run.plannedUntil) {
          if (next.at > until) return
          store.market.removeEvent(next.no)
          during(run, next.at, () => simulation.execute(next.event))
        } else if (run.plannedUntil <= until) planHour(run, run.plannedUntil)
      }),
    start,
    stop: () =>
      store.transaction(() => {
        const run = store.market.run()
        if (run?.running !== true) return
        store.market.clearEvents()
        store.market.save({ ...run, running: false })
      }),
    createTestDispute: (unit) =>
      store.transaction(() => {
        if (store.market.run()?.running !== true)
          start({ seed: 'complaints', intensity: 0, sellers: 0, customers: 0 })
        const run = store.market.run()
        let id: string | null = null
        if (run?.running === true)
          during(run, clock.now(), () => {
            id = simulation.createTestDispute(unit)
          })
        return id
      }),
  }
}
