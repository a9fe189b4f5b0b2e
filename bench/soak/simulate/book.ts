import type { Cents } from '../../../server/api/money.ts'

export type PlannedImport = {
  fileName: string
  text: string
  /** The keys that each offer must have in the end, by the offer's id. */
  keys: ReadonlyMap<string, readonly string[]>
  repeated: number
  broken: number
}
export type DisputeDeed = { disputeId: string; what: string; text: string; done: boolean }
export type OrderedUnits = { externalId: string; productId: string; maxUnitCents: Cents }
export type PlannedBulk = {
  addedCents: number
  /** The service's prices before the change, by the offer's id. */
  before: ReadonlyMap<string, number>
  /** Null until the console confirmed the start. */
  bulkId: string | null
  undone: 'no' | 'asked'
}

/**
 * What people asked the console to do in a day: the basis of the final comparison.
 *
 * @param floors the floors that were set before the day
 */
export const createBook = (floors: ReadonlyMap<string, number> = new Map()) => ({
  orders: new Map<string, OrderedUnits>(),
  /** The last price of an offer that the console accepted; null: its outcome wasn't reported. */
  prices: new Map<string, number | null>(),
  /**
   * Offers whose latest price came from the network's copy of an earlier request of the same run. A
   * console that received that request's response can't know of the copy. After a kill it must.
   */
  overwritten: new Set<string>(),
  imports: [] as PlannedImport[],
  disputes: [] as DisputeDeed[],
  bulks: [] as PlannedBulk[],
  /** Units for which a claim was filed, and whether the console reported it as filed. */
  claims: new Map<string, boolean>(),
  /** Floors of offers, in cents, from the time at which the console confirmed them. */
  floors: new Map(floors),
  /** The last price, in cents, that a person typed: no two are the same. */
  lastPrice: 100_000,
  deeds: {} as Record<string, number>,
})
export type Book = ReturnType<typeof createBook>
