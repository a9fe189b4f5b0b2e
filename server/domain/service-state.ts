import { type DemoKeys, issueDemoKeys } from './access/demo-keys.ts'
import { beginHistory } from './catalogue/history.ts'
import { createSupply } from './catalogue/supply.ts'
import { createServiceClock } from './clock/service-clock.ts'
import { yieldToRequests } from './clock/yield-to-requests.ts'
import { reachCrashPoint } from './crash-points.ts'
import { createLedger } from './ledger/ledger.ts'
import { createOfferTerms } from './offers/offer-terms.ts'
import type { PreparedState, SnapshotFacts } from './ports/snapshots.ts'
import type { Repositories } from './ports/repositories.ts'
import type { Seed, SeedOptions } from './ports/seeding.ts'
import { createSeedBuilder } from './seeding/seed-builder.ts'
import type { ServiceParts } from './service-parts.ts'

/** Seeds, resets and restores the state of a service. */
export interface ServiceState {
  /** Seeds an empty database. The options are also the defaults of a later reset. */
  seedIfEmpty(options: SeedOptions): void
  /** Restores the initial database; returns the new demo keys. */
  reset(options: Partial<SeedOptions>): Promise<DemoKeys | null>
  /** Refreshes everything that is cached outside the store. */
  reload(): void
  /** Replaces the state by a snapshot. */
  restore(name: string): Promise<SnapshotFacts>
}

export function createServiceState(
  { parts, clock, faults, supply, completions, webhookSending, scheduler, ...states }: ServiceParts,
  seedWorld: Seed,
): ServiceState {
  const { context, keys, ledger } = parts
  let world: SeedOptions = { seed: 'empty', products: 0 }
  let turn: Promise<unknown> = Promise.resolve()

  function* seed(store: Repositories, options: SeedOptions): Generator<void> {
    const { settings } = store
    const own = { ...context, store, clock: createServiceClock(context.machine, settings) }
    const builder = createSeedBuilder(
      own,
      createLedger(store),
      createSupply(own),
      createOfferTerms(own),
    )
    store.bulk.deferIndexes()
    yield* seedWorld(builder, options)
    yield* store.bulk.createIndexes()
    reachCrashPoint('seed.written')
    settings.set('seeded', options.seed)
  }

  function reload(): void {
    clock.reload()
    supply.reload()
    ledger.reload()
    keys.forget()
    webhookSending.reload()
    completions.closeAll()
  }

  /** Replaces the present state while no due work runs. */
  async function adopt(state: PreparedState): Promise<void> {
    await scheduler.stop()
    await webhookSending.abort()
    try {
      state.adopt()
    } finally {
      reload()
      scheduler.start()
    }
  }

  /** Prepares a new state and adopts it, one after another. */
  function replaceState<T extends { state: PreparedState }>(open: () => Promise<T>): Promise<T> {
    const replaced = turn.then(async () => {
      const opened = await open()
      try {
        await adopt(opened.state)
      } finally {
        opened.state.discard()
      }
      return opened
    })
    turn = replaced.catch(() => undefined)
    return replaced
  }

  async function prepareInitial(options: SeedOptions): Promise<PreparedState> {
    const state = states.openEmptyState()
    try {
      const pieces = seed(state, options)
      while (state.transaction(() => pieces.next()).done !== true) await yieldToRequests()
      beginHistory(state.settings, context.random)
      await state.complete()
      reachCrashPoint('reset.seeded')
      return state
    } catch (error) {
      state.discard()
      throw error
    }
  }

  return {
    seedIfEmpty(options) {
      world = options
      const { store } = context
      if (!store.bulk.isEmpty()) return
      store.transaction(() => Array.from(seed(store, options)))
      reload()
    },
    reload,
    async reset(options) {
      faults.set([])
      await replaceState(async () => ({ state: await prepareInitial({ ...world, ...options }) }))
      return issueDemoKeys(context, keys)
    },
    async restore(name) {
      const { facts } = await replaceState(() => states.snapshots.open(name))
      reachCrashPoint('restore.committed')
      return facts
    },
  }
}
