import { HOUR_MS } from '../../../../server/api/time.ts'
import type { WatchState } from '../rules/facts.ts'
import type { BestPriceLookup, WatchStore } from '../store.ts'

/**
 * If this many offers had their prices set elsewhere within an hour, someone else is managing this
 * shop's prices.
 */
const SUSPEND_FROM_OFFERS = 3

const isForeign = (state: WatchState | null | undefined): boolean => state?.hold?.why === 'foreign'

/** The state and the last lookup of each offer, in memory and in the journal. */
export function createOfferMemory(store: WatchStore) {
  const memory = store.memory()
  /** Offers on hold because their price was set elsewhere. */
  const heldForeign = new Set(
    [...memory].flatMap(([offerId, { state }]) => (isForeign(state) ? [offerId] : [])),
  )
  const stateOf = (offerId: string): WatchState | null => memory.get(offerId)?.state ?? null
  /** Null: to be computed. */
  let isSuspended: boolean | null = null

  /** Whether so many prices were set elsewhere within an hour, of offers that are still on hold. */
  function computeSuspended(): boolean {
    const times = [...heldForeign]
      .map((offerId) => stateOf(offerId)?.hold?.since ?? 0)
      .sort((a, b) => a - b)
    return times.some((at, index) => {
      const first = times[index - SUSPEND_FROM_OFFERS + 1]
      return first !== undefined && at - first < HOUR_MS
    })
  }

  return {
    stateOf,
    lookOf: (offerId: string): BestPriceLookup | undefined => memory.get(offerId),
    /** Records the state of an offer. Call inside a transaction. */
    remember(offerId: string, state: WatchState): void {
      const before = memory.get(offerId)
      store.putState(offerId, state)
      if (before?.state?.lead !== state.lead || before.state.leadSince !== state.leadSince)
        store.putLead(offerId, state.leadSince, state.lead)
      memory.set(offerId, {
        bestCents: before?.bestCents ?? null,
        bestAt: before?.bestAt ?? null,
        state,
      })
      if (isForeign(before?.state) || isForeign(state)) isSuspended = null
      if (isForeign(state)) heldForeign.add(offerId)
      else heldForeign.delete(offerId)
    },
    /** Records lookups in one transaction: one wait for the disk. */
    saveLookups(looks: ReadonlyMap<string, BestPriceLookup>): void {
      if (looks.size > 0)
        store.transaction(() => {
          for (const [offerId, look] of looks) store.putLook(offerId, look)
        })
      for (const [offerId, look] of looks) memory.set(offerId, { state: stateOf(offerId), ...look })
    },
    /** Offers on hold because their rule-set prices were changed elsewhere. */
    changedElsewhere: (): string[] => [...heldForeign],
    /**
     * Whether auto-apply is suspended because prices are also changed elsewhere. It stays suspended
     * until a person has released so many offers that too few are left.
     */
    suspended: (): boolean => (isSuspended ??= computeSuspended()),
  }
}
