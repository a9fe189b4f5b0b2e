import type { Database } from 'better-sqlite3'
import type { Claim } from '../disputes/disputes.ts'
import { findSoldDispute, soldDisputesAfter } from '../disputes/disputes.ts'
import { importedRequest, keyRecords } from '../key-import/key-import.ts'
import type { ImportedBatch, KeyRecord, KeyRecords } from '../key-import/key-import.ts'
import { keyOfSale, soldKeysAfter } from '../sales/sales.ts'
import type { SoldKey } from '../sales/sales.ts'

/** `isSaleCounted`: whether the disputed sale is among the `sold` keys. */
export type BatchClaimCount = { claim: Claim; record: KeyRecord; isSaleCounted: boolean }
/** The line of a key and the request that sent it. */
type SentLine = Pick<KeyRecord, 'request' | 'file' | 'line'>
/** `unsure`: lines of sold keys without a certain response of the service, or excluded. */
export type BatchCounts = { sold: number; claims: BatchClaimCount[]; unsure: SentLine[] }

/** Keys that may be on their offer: a sale or dispute shows that they arrived. */
const mayBeThere = (fate: KeyRecord['fate']): boolean => fate === 'unsure' || fate === 'excluded'

const keyOf = (importNumber: number, offer: number): string => `${importNumber}.${offer}`

/** Sales or disputes processed before other work gets its turn; takes a few milliseconds. */
const SLICE = 200

/**
 * The line a sold key came from: of the sale's product if the service reports it, otherwise of any
 * product. Also finds a key that was withdrawn after its upload and uploaded again. A key that the
 * user excluded while an undo returned it still came from its first import.
 */
export function originOf(
  records: KeyRecords,
  sold: Pick<SoldKey, 'fingerprint' | 'productId' | 'soldAt'>,
): KeyRecord | null {
  const known = records
    .of(sold.fingerprint)
    .filter(
      ({ fate, importNumber, product }) =>
        (fate === 'added' || mayBeThere(fate)) &&
        !(fate === 'excluded' && records.isReturn(importNumber)) &&
        (sold.productId === null || product === sold.productId || product.startsWith('offer ')),
    )
  // A key that was uploaded twice came from its last upload before the sale.
  return (
    known.findLast(({ at }) => sold.soldAt === null || at === null || at <= sold.soldAt) ??
    known.at(-1) ??
    null
  )
}

/**
 * The result of a count. `at`: the batch of each dispute that has one. `rows`: how many sales and
 * disputes were read.
 */
export type Counted = { batches: Map<string, BatchCounts>; at: Map<string, string>; rows: number }

const batchAt = ({ batches }: Counted, key: string): BatchCounts => {
  const found = batches.get(key) ?? { sold: 0, claims: [], unsure: [] }
  batches.set(key, found)
  return found
}
const byTime = (a: { claim: Claim }, b: { claim: Claim }): number =>
  (a.claim.openedAt ?? 0) - (b.claim.openedAt ?? 0) ||
  (a.claim.disputeId < b.claim.disputeId ? -1 : 1)

function addSale(counted: Counted, { importNumber, offer, fate, request, file, line }: KeyRecord) {
  const batch = batchAt(counted, keyOf(importNumber, offer ?? 0))
  batch.sold += 1
  if (mayBeThere(fate)) batch.unsure.push({ request, file, line })
}

function addClaim(db: Database, counted: Counted, claim: Claim): void {
  const sale = keyOfSale(db, claim.saleId)
  // A dispute about a replacement concerns that key, not the key that was sold first.
  const key =
    claim.fingerprint === null
      ? sale
      : {
          fingerprint: claim.fingerprint,
          productId: sale?.productId ?? null,
          soldAt: claim.openedAt,
        }
  const record = key === null ? null : originOf(keyRecords(db), key)
  if (record === null) return
  const batch = keyOf(record.importNumber, record.offer ?? 0)
  counted.at.set(claim.disputeId, batch)
  batchAt(counted, batch).claims.push({ claim, record, isSaleCounted: sale !== null })
}

/**
 * Counts sold and disputed keys by batch. Reads sales and disputes in slices to keep the core's
 * thread responsive.
 */
export async function countBatches(db: Database, rest: () => Promise<void>): Promise<Counted> {
  const records = keyRecords(db)
  const counted: Counted = { batches: new Map(), at: new Map(), rows: 0 }
  await walk((after) => {
    const sales = soldKeysAfter(db, after, SLICE)
    for (const sale of sales) {
      const record =
        sale.status === 'cancelled' && sale.disputeId === null ? null : originOf(records, sale)
      if (record !== null) addSale(counted, record)
    }
    return sales.map(({ saleId }) => saleId)
  })
  await walk((after) => {
    const claims = soldDisputesAfter(db, after, SLICE)
    for (const claim of claims) addClaim(db, counted, claim)
    return claims.map(({ disputeId }) => disputeId)
  })
  for (const { claims } of counted.batches.values()) claims.sort(byTime)
  return counted

  async function walk(slice: (after: string) => readonly string[]): Promise<void> {
    for (let after = ''; ;) {
      const ids = slice(after)
      counted.rows += ids.length
      const last = ids.at(-1)
      if (last === undefined || ids.length < SLICE) return
      after = last
      await rest()
    }
  }
}

/** Recounts one dispute after it changed. */
export function recountDispute(db: Database, counted: Counted, disputeId: string): void {
  const before = counted.at.get(disputeId)
  const batch = before === undefined ? undefined : counted.batches.get(before)
  if (batch !== undefined)
    batch.claims = batch.claims.filter(({ claim }) => claim.disputeId !== disputeId)
  counted.at.delete(disputeId)
  const claim = findSoldDispute(db, disputeId)
  if (claim === undefined) return
  addClaim(db, counted, claim)
  const now = counted.at.get(disputeId)
  if (now !== undefined) counted.batches.get(now)?.claims.sort(byTime)
}

export const countsOf = ({ batches }: Counted, importNumber: number, offer: number): BatchCounts =>
  batches.get(keyOf(importNumber, offer)) ?? { sold: 0, claims: [], unsure: [] }

/** Disputed sales that aren't mirrored yet: a dispute can be read before its sale. */
export const countUnreadSales = ({ claims }: BatchCounts): number =>
  new Set(claims.filter((each) => !each.isSaleCounted).map(({ claim }) => claim.saleId)).size

const lineOf = ({ file, line }: SentLine): string => `${file}:${line}`

/** Undetermined and excluded lines whose key arrived, because it was sold or disputed, with their requests. */
const arrivedLines = ({ unsure, claims }: BatchCounts): Map<string, number | null> =>
  new Map(
    [...unsure, ...claims.map(({ record }) => record).filter(({ fate }) => mayBeThere(fate))].map(
      (each) => [lineOf(each), each.request],
    ),
  )

/** The lines of a batch by file and line: `claimed` were disputed, `arrived` see {@link keysOf}. */
export const linesOf = (
  counts: BatchCounts,
): { claimed: ReadonlySet<string>; arrived: ReadonlySet<string> } => ({
  claimed: new Set(counts.claims.map(({ record }) => lineOf(record))),
  arrived: new Set(arrivedLines(counts).keys()),
})

/**
 * The keys of a batch: those that the service counted, and keys without a certain response that a
 * sale or dispute shows to have arrived. A response counts keys without naming them, so the arrived
 * keys of a request can be among the counted ones: only those that exceed its count are added. If
 * the import was canceled before the response, or the user excluded the keys, nothing was counted,
 * and all of them are added.
 */
export function keysOf(
  db: Database,
  { importNumber, keys }: Pick<ImportedBatch, 'importNumber' | 'keys'>,
  counts: BatchCounts,
): number {
  const arrived = new Map<number, number>()
  for (const request of arrivedLines(counts).values())
    if (request !== null) arrived.set(request, (arrived.get(request) ?? 0) + 1)
  return [...arrived].reduce(
    (sum, [request, count]) =>
      sum + Math.max(0, count - (importedRequest(db, importNumber, request)?.added ?? 0)),
    keys,
  )
}

/** Whether two counts are equal for every batch. */
export const areEqual = (a: Counted, b: Counted): boolean =>
  a.batches.size === b.batches.size &&
  [...a.batches].every(([key, { sold, claims, unsure }]) => {
    const other = b.batches.get(key)
    return (
      other?.sold === sold &&
      other.unsure.length === unsure.length &&
      other.claims.length === claims.length &&
      claims.every(
        ({ claim }, at) =>
          other.claims[at]?.claim.disputeId === claim.disputeId &&
          other.claims[at]?.claim.resolution === claim.resolution,
      )
    )
  })

/** Batches with at least `least` disputed sales, by import and offer. */
export const batchesWithDisputes = (
  { batches }: Counted,
  least: number,
): { importNumber: number; offer: number }[] =>
  [...batches].flatMap(([key, { claims }]) => {
    const [importNumber = 0, offer = 0] = key.split('.').map(Number)
    return new Set(claims.map(({ claim }) => claim.saleId)).size < least
      ? []
      : [{ importNumber, offer }]
  })
