import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Database } from 'better-sqlite3'
import type { Batch, BatchClaim, KeyOrigin } from '../../contract/keys/batches.ts'
import type { Contract } from '../../contract/index.ts'
import { failure } from '../failure.ts'
import { createAccountScopes, defineFeature } from '../lifecycle/lifecycle.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import {
  hintOf,
  importedBatch,
  importedBatches,
  importFileNames,
  importNumberOf,
  keyRecords,
} from '../key-import/key-import.ts'
import type { ImportedBatch, KeyHint, KeyRecord } from '../key-import/key-import.ts'
import { countSoldKeys } from '../sales/sales.ts'
import type { SoldKey } from '../sales/sales.ts'
import type { BatchesContext } from './context.ts'
import {
  batchesWithDisputes,
  countsOf,
  countUnreadSales,
  keysOf,
  linesOf,
  originOf,
} from './counting.ts'
import type { BatchCounts, Counted } from './counting.ts'
import { createCountCache } from './count-cache.ts'
import type { CountCache } from './count-cache.ts'
import { batchesSchema } from './schema.ts'
import { stockReader } from './offer-stock.ts'
import type { OfferStock } from './offer-stock.ts'
import { squaresOf } from './squares.ts'
import { costParts, readCostTable } from './cost-table.ts'
import { costTargetOf, writeCosts } from './key-costs.ts'
import { batchStore } from './store.ts'

export { originOf } from './counting.ts'

type Inputs = InferContractRouterInputs<Contract['batches']>
type Outputs = InferContractRouterOutputs<Contract['batches']>
type CostInputs = InferContractRouterInputs<Contract['costs']>
type CostOutputs = InferContractRouterOutputs<Contract['costs']>

/** The disputes about one batch, if the service reports which keys were sold. */
export type BatchClaims = Pick<
  Batch,
  'keys' | 'gone' | 'sold' | 'claimed' | 'replaced' | 'refunded' | 'rejected'
> & { claims: BatchClaim[] }

/** A sold key, identified by its fingerprint. */
export type Sold = Pick<SoldKey, 'fingerprint' | 'productId' | 'soldAt'>

type BatchAccount = { db: Database; counts: CountCache }

function findBatch(db: Database, batchId: string): ImportedBatch | null {
  const [, importId = '', offer = ''] = /^(.+)\.(\d+)$/.exec(batchId) ?? []
  const number = importNumberOf(db, importId)
  return number === null ? null : importedBatch(db, number, Number(offer))
}

const batchIdOf = (importId: string, offer: number): string => `${importId}.${offer}`

/**
 * Batches: one import's keys on one offer, with their cost and the numbers of sold and disputed
 * keys.
 */
function createBatches(context: BatchesContext, _needs: unknown, scope: Scope) {
  const accounts = createAccountScopes<BatchAccount>(context, scope, {
    role: 'seller',
    otherRole: ['Partner accounts have no key batches.', 'Choose a seller account.'],
    open(files) {
      const db = context.mirrors.database(files.accountId)
      return { db, counts: createCountCache(context, { db, files }) }
    },
  })
  const dbOf = (accountId: string): Database => accounts.of(accountId).db
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(resolve)
    })
  const counts = (accountId: string): Promise<Counted> => accounts.of(accountId).counts.read()

  function find(db: Database, batchId: string): ImportedBatch {
    const batch = findBatch(db, batchId)
    if (batch === null)
      throw failure('NOT_FOUND', 'Batch not found on this computer.', 'Check the import history.')
    return batch
  }
  /** Reads the stock of offers with the batches it came from. */
  const stockOf = (accountId: string, counted: Counted): ((offerId: string) => OfferStock) =>
    stockReader(dbOf(accountId), counted)

  function show(
    db: Database,
    batch: ImportedBatch,
    counted: BatchCounts,
    stock: (offerId: string) => OfferStock,
  ): Batch {
    const { sold, claims } = counted
    const { name, supplier, note, costCents } = batchStore(db).read(batch.importNumber, batch.offer)
    const ended = (type: string): number =>
      claims.filter(({ claim }) => claim.resolution === type).length
    return {
      batchId: batchIdOf(batch.importId, batch.offer),
      importId: batch.importId,
      importNumber: batch.importNumber,
      name: name === '' ? `Import ${batch.importNumber}` : name,
      named: name !== '',
      supplier,
      note,
      costCents,
      files: [...importFileNames(db, batch.importNumber).values()],
      offerId: batch.offerId,
      offerName: batch.offerName,
      platform: batch.platform,
      region: batch.region,
      deliveryType: batch.deliveryType,
      uploadedAt: batch.startedAt,
      keys: keysOf(db, batch, counted),
      gone: batch.gone,
      sold: sold + countUnreadSales(counted),
      ...stock(batch.offerId).shareOf(batch),
      claimed: new Set(claims.map(({ claim }) => claim.saleId)).size,
      replaced: ended('replaced'),
      refunded: ended('refunded'),
      rejected: ended('rejected'),
    }
  }
  function claimRows(db: Database, batch: ImportedBatch, { claims }: BatchCounts): BatchClaim[] {
    const names = importFileNames(db, batch.importNumber)
    return claims
      .map(({ claim, record }) => ({
        disputeId: claim.disputeId,
        saleId: claim.saleId,
        status: claim.status,
        resolution: claim.resolution,
        openedAt: claim.openedAt,
        fileName: names.get(record.file) ?? '',
        line: record.line,
      }))
      .toReversed()
  }
  function origin(db: Database, record: KeyRecord | null): KeyOrigin | null {
    const batch = record === null ? null : importedBatch(db, record.importNumber, record.offer ?? 0)
    if (record === null || batch === null) return null
    const { name, supplier, costCents } = batchStore(db).read(batch.importNumber, batch.offer)
    return {
      batchId: batchIdOf(batch.importId, batch.offer),
      importId: batch.importId,
      importNumber: batch.importNumber,
      batchName: name === '' ? `Import ${batch.importNumber}` : name,
      supplier,
      costCents,
      fileName: importFileNames(db, batch.importNumber).get(record.file) ?? '',
      line: record.line,
      fate: record.fate,
      uploadedAt: record.at ?? batch.startedAt,
      goneAt: record.goneAt,
      offerId: batch.offerId,
      offerName: batch.offerName,
    }
  }
  async function summary(accountId: string, batch: ImportedBatch): Promise<Batch> {
    const all = await counts(accountId)
    const found = countsOf(all, batch.importNumber, batch.offer)
    return show(dbOf(accountId), batch, found, stockOf(accountId, all))
  }
  return {
    async list({ accountId, offerId = null }: Inputs['list']): Promise<Outputs['list']> {
      const db = dbOf(accountId)
      const all = await counts(accountId)
      const stock = stockOf(accountId, all)
      return {
        batches: importedBatches(db, offerId).map((batch) =>
          show(db, batch, countsOf(all, batch.importNumber, batch.offer), stock),
        ),
        toldBy: countSoldKeys(db),
      }
    },
    async batch({ accountId, batchId }: Inputs['batch']): Promise<Outputs['batch']> {
      const db = dbOf(accountId)
      const batch = find(db, batchId)
      const all = await counts(accountId)
      const found = countsOf(all, batch.importNumber, batch.offer)
      const shown = show(db, batch, found, stockOf(accountId, all))
      return {
        ...shown,
        claims: claimRows(db, batch, found),
        ...(await squaresOf(db, { ...batch, keys: shown.keys }, linesOf(found), rest)),
      }
    },
    async change({
      accountId,
      batchId,
      whole = false,
      costCents,
      ...texts
    }: Inputs['change']): Promise<Batch> {
      const db = dbOf(accountId)
      const batch = find(db, batchId)
      const store = batchStore(db)
      const given = Object.fromEntries(
        Object.entries(texts).filter(([, text]) => text !== undefined),
      )
      store.transaction(() => {
        for (const each of whole
          ? importedBatches(db, null).filter(
              ({ importNumber }) => importNumber === batch.importNumber,
            )
          : [batch]) {
          const cost = costCents === undefined || each.offer !== batch.offer ? {} : { costCents }
          store.write(each.importNumber, each.offer, {
            ...store.read(each.importNumber, each.offer),
            ...given,
            ...cost,
          })
        }
      })
      context.changes.notify('imports', accountId, batch.importId)
      return summary(accountId, batch)
    },

    async readCosts({
      accountId,
      text,
    }: CostInputs['read']): Promise<ReturnType<typeof costParts>> {
      const db = dbOf(accountId)
      return costParts(await readCostTable(text, (id) => costTargetOf(db, id, findBatch)))
    },
    saveCosts({ accountId, costs }: CostInputs['save']): CostOutputs['save'] {
      const before = writeCosts(dbOf(accountId), costs, {
        at: context.clock.now(),
        findBatch,
      })
      context.changes.notify('imports', accountId)
      context.changes.notify('offers', accountId)
      return { before }
    },
    /** One batch without its individual keys. */
    async summary(accountId: string, batchId: string): Promise<Batch> {
      return summary(accountId, find(dbOf(accountId), batchId))
    },
    /**
     * Batches with at least `least` disputed keys, and a lookup of offers' stock, counted at the
     * same moment.
     */
    async claimed(
      accountId: string,
      least: number,
    ): Promise<{ batches: Batch[]; stockOf: (offerId: string) => number | null }> {
      const db = dbOf(accountId)
      const counted = await counts(accountId)
      const stock = stockOf(accountId, counted)
      const batches = batchesWithDisputes(counted, least).flatMap(({ importNumber, offer }) => {
        const batch = importedBatch(db, importNumber, offer)
        return batch === null
          ? []
          : [show(db, batch, countsOf(counted, importNumber, offer), stock)]
      })
      return { batches, stockOf: (offerId) => stock(offerId).stock }
    },
    /** The batch, file and line of a record. */
    describe: (accountId: string, record: KeyRecord): KeyOrigin | null =>
      origin(dbOf(accountId), record),
    /**
     * Where a sold key came from: its last upload before the sale if it was uploaded more than
     * once; null if this console didn't upload it.
     */
    ofSold(accountId: string, sold: Sold): KeyOrigin | null {
      const db = dbOf(accountId)
      return origin(db, originOf(keyRecords(db), sold))
    },
    /**
     * Returns a lookup of the batch a sold key came from. It reads each batch once, for walks
     * through many sales.
     */
    batchesOfSold(
      accountId: string,
    ): (sold: Sold) => Pick<KeyOrigin, 'batchId' | 'batchName' | 'supplier'> | null {
      const db = dbOf(accountId)
      const known = new Map<string, Pick<KeyOrigin, 'batchId' | 'batchName' | 'supplier'> | null>()
      return (sold) => {
        const record = originOf(keyRecords(db), sold)
        if (record === null) return null
        const key = `${record.importNumber}.${record.offer ?? 0}`
        const found = known.get(key)
        if (found !== undefined) return found
        const batch = origin(db, record)
        known.set(key, batch)
        return batch
      }
    },
    /**
     * A masked hint of a sold key that is no longer stored; null if this console didn't upload it.
     * Throws Failure `VAULT_LOCKED`.
     */
    hintOf(accountId: string, sold: Sold): KeyHint | null {
      const db = dbOf(accountId)
      const record = originOf(keyRecords(db), sold)
      return record === null ? null : hintOf(context.vault, db, accountId, record)
    },
    /** The numbers of sold and disputed keys of a batch, and its disputes, newest first. */
    async claimsOf(accountId: string, batchId: string): Promise<BatchClaims> {
      const db = dbOf(accountId)
      const batch = find(db, batchId)
      const found = countsOf(await counts(accountId), batch.importNumber, batch.offer)
      const { keys, gone, sold, claimed, replaced, refunded, rejected } = await summary(
        accountId,
        batch,
      )
      return {
        keys,
        gone,
        sold,
        claimed,
        replaced,
        refunded,
        rejected,
        claims: claimRows(db, batch, found),
      }
    },
  }
}
export type Batches = ReturnType<typeof createBatches>

export const batchesFeature = defineFeature({
  name: 'batches',
  schemas: [batchesSchema],
  start: createBatches,
})
