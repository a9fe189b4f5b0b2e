import { type DemoKeys, issueDemoKeys } from './access/demo-keys.ts'
import { beginHistory } from './catalogue/history.ts'
import { reachCrashPoint } from './crash-points.ts'
import type { PreparedState, SnapshotFacts } from './ports/snapshots.ts'
import type { SeedOptions } from './ports/seeding.ts'
import { createInitialStates, type SeedWorldOptions } from './seeding/initial-states.ts'
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
  seeding: SeedWorldOptions,
): ServiceState {
  const { context, keys, ledger } = parts
  // Stryker disable next-line all: every service starts before its first reset
  let world: SeedOptions = { seed: 'empty', products: 0 }
  let turn: Promise<unknown> = Promise.resolve()
  const initial = createInitialStates(context, states, seeding)

  function reload(): void {
    clock.reload()
    supply.reload()
    ledger.reload()
    keys.reload()
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
    const state = await initial.prepare(options)
    try {
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
      if (initial.isKept(options)) {
        const state = initial.prepareNow(options)
        try {
          state.adopt()
        } finally {
          state.discard()
        }
      } else store.transaction(() => initial.seed(store, options))
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
