import { HOUR_MS } from '../../../../server/api/time.ts'
import type { WatchState } from '../rules/facts.ts'
import type { BestPriceLookup, WatchStore } from '../store.ts'

/**
 * If this many offers had their prices set elsewhere within an hour, someone else is managing this
 * shop's prices.
 */
const SUSPEND_FROM_OFFERS = 3

/** Since when an offer is on hold because its price was set elsewhere; null if it isn't. */
const heldForeignSince = (state: WatchState | null): number | null =>
  state?.hold?.why === 'foreign' ? state.hold.since : null

/** The state and the last lookup of each offer, in memory and in the journal. */
export function createOfferMemory(store: WatchStore) {
  const memory = store.memory()
  /** Offers on hold because their price was set elsewhere, and since when. */
  const heldForeign = new Map<string, number>()
  for (const [offerId, { state }] of memory) {
    const since = heldForeignSince(state)
    if (since !== null) heldForeign.set(offerId, since)
  }
  const stateOf = (offerId: string): WatchState | null => memory.get(offerId)?.state ?? null
  /** Null: to be computed. */
  let isSuspended: boolean | null = null

  /** Whether so many prices were set elsewhere within an hour, of offers that are still on hold. */
  function computeSuspended(): boolean {
    const times = [...heldForeign.values()].sort((a, b) => a - b)
    return times.some((at, index) => {
      const first = times[index - SUSPEND_FROM_OFFERS + 1]
      return first !== undefined && at - first < HOUR_MS
    })
  }

  /** Another hold can't end a suspension, and the end of one can't begin it. */
  function noteForeign(offerId: string, since: number | null): void {
    const before = heldForeign.get(offerId) ?? null
    if (before === since) return
    if (since === null) heldForeign.delete(offerId)
    else heldForeign.set(offerId, since)
    if (isSuspended === true ? before !== null : since !== null) isSuspended = null
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
      noteForeign(offerId, heldForeignSince(state))
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
    changedElsewhere: (): string[] => [...heldForeign.keys()],
    /** Only offers that the shop has can suspend auto-apply. */
    setPresent(present: ReadonlySet<string>): void {
      for (const [offerId, { state }] of memory)
        noteForeign(offerId, present.has(offerId) ? heldForeignSince(state) : null)
    },
    /**
     * Whether auto-apply is suspended because prices are also changed elsewhere. It stays suspended
     * until a person has released so many offers that too few are left.
     */
    suspended: (): boolean => (isSuspended ??= computeSuspended()),
  }
}
