import type { InferContractRouterInputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import { simulationSchema } from '../../../contract/price-watch/price-simulation.ts'
import type { Simulation } from '../../../contract/price-watch/price-simulation.ts'
import { longAgo, msSince } from '../../clock.ts'
import { Failure, failure } from '../../failure.ts'
import type { Scope } from '../../lifecycle/lifecycle.ts'
import type { PriceWatchContext } from '../context.ts'
import type { Watched } from '../engine/price-engine.ts'
import { isSelling } from '../rules/state.ts'
import type { WatchSession } from '../session.ts'
import type { WatchStore } from '../store.ts'
import { recordOf } from './record.ts'
import type { HistoryPoint } from './record.ts'
import { simulateRules } from './run.ts'
import type { CopiedOffer } from './world.ts'

type Inputs = InferContractRouterInputs<Contract['priceWatch']['simulation']>

/** Minimum time between two progress updates on the screen. */
const UPDATE_EVERY_MS = 250

type Parts = {
  context: PriceWatchContext
  sessionOf: (accountId: string) => Pick<WatchSession, 'files' | 'keeper'>
  offersOf: (accountId: string) => Promise<Watched[]>
  historyOf: (accountId: string, offerId: string) => readonly HistoryPoint[]
}

/** The simulations of an account: one runs at a time, and the latest results are saved. */
export function createSimulations({ context, sessionOf, offersOf, historyOf }: Parts) {
  const present = new Map<string, { simulation: Simulation; scope: Scope }>()
  const storeOf = (accountId: string): WatchStore => sessionOf(accountId).keeper.store
  // Secret, and kept while Keydesk runs: until then, the same simulation has the same result.
  const worlds = context.random.bytes(16).toString('hex')

  /**
   * Copies offers that sell, those with the most stock first. They keep their ids, so that rules
   * for single offers match.
   */
  function copiesOf(
    accountId: string,
    watched: readonly Watched[],
    most: number,
    from: number | null,
  ): CopiedOffer[] {
    return watched
      .filter(({ facts }) => isSelling(facts))
      .sort((a, b) => b.facts.stock - a.facts.stock || (a.facts.offerId < b.facts.offerId ? -1 : 1))
      .slice(0, most)
      .map(({ row }) => {
        const record = from === null ? null : recordOf(historyOf(accountId, row.offerId), from)
        return record === null
          ? row
          : { ...row, ...record, stock: record.stock > 0 ? record.stock : row.stock }
      })
  }

  function update(accountId: string, id: string, some: Partial<Simulation>): void {
    const run = present.get(id)
    if (run === undefined) return
    run.simulation = { ...run.simulation, ...some }
    context.changes.notify('price-watch', accountId, id)
  }

  async function run(
    accountId: string,
    id: string,
    copies: readonly CopiedOffer[],
    { a, b, days = 30, seed = '', intensity = 1, sellers = 8, customers = 200 }: Inputs['start'],
    scope: Scope,
  ): Promise<void> {
    const began = context.clock.monotonic()
    const parts = { a: 0, b: 0 }
    let toldAt = longAgo
    const progress =
      (set: 'a' | 'b') =>
      (part: number): void => {
        parts[set] = part
        if (msSince(context.clock, toldAt) < UPDATE_EVERY_MS) return
        toldAt = context.clock.monotonic()
        update(accountId, id, { progress: (parts.a + parts.b) / 2 })
      }
    const common = {
      backends: context.host.backends,
      copies,
      days,
      market: { seed, intensity, sellers, customers },
      world: `${worlds} ${seed}`,
      signal: scope.signal,
    }
    try {
      const [first, second] = await Promise.all([
        simulateRules({ ...common, rules: a.rules, progress: progress('a') }),
        simulateRules({ ...common, rules: b.rules, progress: progress('b') }),
      ])
      update(accountId, id, {
        state: 'done',
        progress: 1,
        tookMs: Math.round(msSince(context.clock, began)),
        a: first,
        b: second,
      })
    } catch (error) {
      if (scope.signal.aborted)
        return update(accountId, id, {
          state: 'cancelled',
          tookMs: Math.round(msSince(context.clock, began)),
        })
      void scope.end()
      const problem = error instanceof Failure ? error.problem : context.report('simulation', error)
      update(accountId, id, {
        state: 'failed',
        problem,
        tookMs: Math.round(msSince(context.clock, began)),
      })
    } finally {
      const done = present.get(id)?.simulation
      if (done?.state === 'done')
        storeOf(accountId).saveSimulation(id, done.at, JSON.stringify(done))
      void scope.end()
    }
  }

  const earlier = (accountId: string): Simulation[] =>
    storeOf(accountId)
      .simulations()
      .flatMap(({ simulationId, result }) => {
        // Earlier versions stored the id under another name, so it comes from its column.
        const stored: unknown = JSON.parse(result)
        const parsed = simulationSchema.safeParse({ ...Object(stored), simulationId })
        return parsed.success ? [parsed.data] : []
      })
  function find(accountId: string, id: string): Simulation {
    const found =
      present.get(id)?.simulation ??
      earlier(accountId).find(({ simulationId }) => simulationId === id)
    if (found === undefined)
      throw failure('NOT_FOUND', 'This simulation is no longer saved.', 'Run it again.')
    return found
  }

  return {
    async start(asked: Inputs['start']): Promise<Simulation> {
      const {
        accountId,
        a,
        b,
        days = 30,
        seed = '4711',
        intensity = 1,
        sellers = 8,
        customers = 200,
        mostOffers = 20,
        from = null,
      } = asked
      if ([...present.values()].some(({ simulation }) => simulation.state === 'running'))
        throw failure(
          'CONFLICT',
          'A simulation is already running.',
          'Wait until it finishes, or cancel it.',
        )
      const copies = copiesOf(accountId, await offersOf(accountId), mostOffers, from)
      if (copies.length === 0)
        throw failure(
          'NOT_FOUND',
          'No offer has stock to simulate with.',
          'Add stock to an offer, then try again.',
        )
      const id = context.random.id()
      const scope = sessionOf(accountId).files.child()
      const simulation: Simulation = {
        simulationId: id,
        state: 'running',
        progress: 0,
        at: context.clock.now(),
        tookMs: null,
        problem: null,
        a: null,
        b: null,
        setup: {
          days,
          seed,
          intensity,
          sellers,
          customers,
          offers: copies.length,
          from,
          titleA: a.title,
          titleB: b.title,
        },
      }
      present.set(id, { simulation, scope })
      void scope.spawn(
        run(accountId, id, copies, { ...asked, days, seed, intensity, sellers, customers }, scope),
      )
      return simulation
    },
    get: ({ accountId, simulationId }: Inputs['get']): Simulation => find(accountId, simulationId),
    cancel({ accountId, simulationId }: Inputs['cancel']): Simulation {
      void present.get(simulationId)?.scope.end()
      return find(accountId, simulationId)
    },
    list({ accountId }: Inputs['list']): Simulation[] {
      const running = [...present.values()]
        .map(({ simulation }) => simulation)
        .filter(({ state }) => state === 'running')
      return [...running, ...earlier(accountId)]
    },
  }
}
