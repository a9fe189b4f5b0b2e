import type { Database } from 'better-sqlite3'
import type { Claim } from '../disputes/disputes.ts'
import { allClaims } from '../disputes/disputes.ts'
import { keyRecords } from '../key-import/key-import.ts'
import type { KeyRecord, KeyRecords } from '../key-import/key-import.ts'
import { keyOfSale, soldKeysAfter } from '../sales/sales.ts'
import type { SoldKey } from '../sales/sales.ts'

export type BatchCounts = { sold: number; claims: { claim: Claim; record: KeyRecord }[] }

const keyOf = (importNumber: number, offer: number): string => `${importNumber}.${offer}`

/** Sales looked at before other work has its turn: about two milliseconds. */
const SLICE = 500

/**
 * The line that a sold key came from: of the sale's product where the service tells it, else of any. A key that left its offer after it was uploaded and
 * came back is found too.
 */
export function originOf(records: KeyRecords, sold: Pick<SoldKey, 'fingerprint' | 'productId' | 'soldAt'>): KeyRecord | null {
  const known = records.of(sold.fingerprint).filter(({ fate, product }) => (fate === 'added' || fate === 'unsure') && (sold.productId === null || product === sold.productId || product.startsWith('offer ')))
  // Uploaded twice, a key that is sold came from the last upload before its sale.
  return known.findLast(({ at }) => sold.soldAt === null || at === null || at <= sold.soldAt) ?? known.at(-1) ?? null
}

/** Sold and claimed keys by batch. Walks through the sales in slices, so that the core's thread stays free. */
export async function countBatches(db: Database, rest: () => Promise<void>): Promise<Map<string, BatchCounts>> {
  const records = keyRecords(db)
  const counts = new Map<string, BatchCounts>()
  const of = (record: KeyRecord): BatchCounts => {
    const key = keyOf(record.importNumber, record.offer ?? 0)
    const found = counts.get(key) ?? { sold: 0, claims: [] }
    counts.set(key, found)
    return found
  }
  for (let after = '';;) {
    const sales = soldKeysAfter(db, after, SLICE)
    for (const sale of sales) {
      const record = sale.status === 'cancelled' && sale.disputeId === null ? null : originOf(records, sale)
      if (record !== null) of(record).sold += 1
    }
    const last = sales.at(-1)
    if (last === undefined || sales.length < SLICE) break
    after = last.saleId
    await rest()
  }
  for (const claim of allClaims(db)) {
    const sale = keyOfSale(db, claim.saleId)
    // A claim on a replacement is about that key, not about the one that was sold first.
    const key = claim.fingerprint === null ? sale : { fingerprint: claim.fingerprint, productId: sale?.productId ?? null, soldAt: claim.openedAt }
    const record = key === null ? null : originOf(records, key)
    if (record !== null) of(record).claims.push({ claim, record })
  }
  return counts
}

export const countsOf = (counts: ReadonlyMap<string, BatchCounts>, importNumber: number, offer: number): BatchCounts => counts.get(keyOf(importNumber, offer)) ?? { sold: 0, claims: [] }
