import { type DemoKeys, issueDemoKeys } from './access/demo-keys.ts'
import { beginHistory } from './catalogue/history.ts'
import { reachCrashPoint } from './crash-points.ts'
import type { SnapshotFacts } from './ports/snapshots.ts'
import type { Seed, SeedOptions } from './ports/seeding.ts'
import { createSeedBuilder } from './seeding/seed-builder.ts'
import type { ServiceParts } from './service-parts.ts'

/** Seeds, resets and restores the state of a service. */
export interface ServiceState {
  /** Seeds an empty database. The options are also the defaults of a later reset. */
  seedIfEmpty(options: SeedOptions): void
  /** Restores the initial database; returns the new demo keys. */
  reset(options: Partial<SeedOptions>): Promise<DemoKeys | null>
  /** Replaces the state by a snapshot. */
  restore(name: string): Promise<SnapshotFacts>
}

export function createServiceState(
  { parts, clock, faults, supply, completions, webhookSending, scheduler, snapshots }: ServiceParts,
  seedWorld: Seed,
): ServiceState {
  const { context, keys, ledger, terms } = parts
  const { store } = context
  let world: SeedOptions = { seed: 'empty', products: 0 }

  function seed(options: SeedOptions): void {
    seedWorld(createSeedBuilder(context, ledger, supply, terms), options)
    reachCrashPoint('seed.written')
    store.settings.set('seeded', options.seed)
  }

  /** Refreshes everything that is cached outside the store. */
  function reload(): void {
    clock.reload()
    supply.reload()
    ledger.reload()
    keys.forget()
    webhookSending.reload()
    completions.closeAll()
  }

  /** Replaces the state while no due work runs. */
  async function replaceState<T>(work: () => T): Promise<T> {
    await scheduler.stop()
    await webhookSending.abort()
    try {
      return work()
    } finally {
      reload()
      scheduler.start()
    }
  }

  async function reset(options: Partial<SeedOptions>): Promise<DemoKeys | null> {
    faults.set([])
    await replaceState(() =>
      store.transaction(() => {
        store.clear()
        reachCrashPoint('reset.emptied')
        clock.reload()
        supply.reload()
        seed({ ...world, ...options })
        beginHistory(store.settings, context.random)
        reachCrashPoint('reset.seeded')
      }),
    )
    return issueDemoKeys(context, keys)
  }

  return {
    seedIfEmpty(options) {
      world = options
      if (!store.bulk.isEmpty()) return
      store.transaction(() => seed(options))
      reload()
    },
    reset,
    restore: (name) => replaceState(() => snapshots.restore(name)),
  }
}
