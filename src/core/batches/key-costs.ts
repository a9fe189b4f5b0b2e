import type { Database } from 'better-sqlite3'
import type { KeyCost } from '../../contract/keys/cost-table.ts'
import type { ImportedBatch } from '../key-import/key-import.ts'
import { readOfferCost, writeTerms } from '../offers/offers.ts'
import type { CostTarget } from './cost-table.ts'
import { batchStore } from './store.ts'

type FindBatch = (db: Database, batchId: string) => ImportedBatch | null

/** The offer or batch with an id, and its cost; null if there is none on this computer. */
export function costTargetOf(db: Database, id: string, findBatch: FindBatch): CostTarget | null {
  const offer = readOfferCost(db, id)
  if (offer !== null) {
    const { costCents: beforeCents, ...product } = offer
    return { of: 'offer', id, ...product, beforeCents }
  }
  const batch = findBatch(db, id)
  if (batch === null) return null
  const { name, costCents } = batchStore(db).read(batch.importNumber, batch.offer)
  const label = name === '' ? `Import ${batch.importNumber}` : name
  const { offerName, platform, region, deliveryType } = batch
  return {
    of: 'batch',
    id,
    name: `${label}, ${offerName}`,
    platform,
    region,
    deliveryType,
    beforeCents: costCents,
  }
}

/**
 * Writes costs in one transaction. Unknown ids are skipped.
 *
 * @returns The costs that were replaced, in the same form.
 */
export function writeCosts(
  db: Database,
  costs: readonly KeyCost[],
  { at, findBatch }: { at: number; findBatch: FindBatch },
): KeyCost[] {
  const store = batchStore(db)
  return db.transaction(() => {
    const batches = costs.flatMap(({ of, id, costCents }): KeyCost[] => {
      const batch = of === 'batch' ? findBatch(db, id) : null
      if (batch === null) return []
      const note = store.read(batch.importNumber, batch.offer)
      if (note.costCents === costCents) return []
      store.write(batch.importNumber, batch.offer, { ...note, costCents })
      return [{ of, id, costCents: note.costCents }]
    })
    const offers = writeTerms(
      db,
      costs.flatMap(({ of, id, costCents }) =>
        of === 'offer' ? [{ offerId: id, change: { costCents } }] : [],
      ),
      at,
    )
    return [
      ...batches,
      ...offers.map(({ offerId, costCents }): KeyCost => ({ of: 'offer', id: offerId, costCents })),
    ]
  })()
}
