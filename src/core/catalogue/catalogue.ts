import path from 'node:path'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import type { Account } from '../../contract/app/accounts.ts'
import type { ProductDetail } from '../../contract/catalogue.ts'
import { catalogueFilterSchema } from '../../contract/catalogue.ts'
import type { Contract } from '../../contract/index.ts'
import { msSince } from '../clock.ts'
import type { ConnectionFacts, Duty } from '../context.ts'
import { failure } from '../failure.ts'
import { defineFeature } from '../lifecycle/lifecycle.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import type { CatalogueContext } from './context.ts'
import { startCatalogueSync } from './sync/catalogue-sync.ts'
import { createCovers } from './covers.ts'
import { coverOf, detailOf, rowOf } from './records/product-detail.ts'
import type { TextSource } from './records/product-detail.ts'
import { unpackCountries } from './records/product-facts.ts'
import { createCatalogueReader } from './search/reader.ts'
import { countProducts } from './records/facets.ts'
import { findProduct, findProducts, readTexts } from './store.ts'
import { withNotes } from './sync/own-offers.ts'
import type { ProductRecord } from './store.ts'
import { catalogueSchema } from './schema.ts'
import { readSyncState } from './sync/sync-state.ts'
import { createWorkerPool } from './workers/worker-pool.ts'

export { productsByName } from './records/products-by-name.ts'
export { catalogueSchema } from './schema.ts'
export { noteOwnOffers, ownOffersSchema } from './sync/own-offers.ts'

type Inputs = InferContractRouterInputs<Contract['catalogue']>
type Outputs = InferContractRouterOutputs<Contract['catalogue']>

/**
 * Catalogue data of a product for features that have only its id. Null where the account's service
 * doesn't report a value.
 */
export type KnownProduct = {
  productId: string
  name: string
  platform: string
  region: string
  productType: string
  deliveryType: string
  priceCents: Cents | null
  commissionPercent: number | null
  removed: boolean
}

/** The mirror's data of some products of an account. Unknown products are left out. */
export const knownProducts = (
  db: Database,
  productIds: readonly string[],
): Map<string, KnownProduct> =>
  new Map(
    findProducts(db, productIds).map((record) => [
      record.product_id,
      {
        productId: record.product_id,
        name: record.name,
        platform: record.platform,
        region: record.region,
        productType: record.product_type,
        deliveryType: record.delivery_type,
        priceCents: record.price_cents,
        commissionPercent: record.commission_percent,
        removed: record.removed === 1,
      },
    ]),
  )

/** The mirrored catalogue of every account: sync, search, counts and product details. */
function createCatalogue(context: CatalogueContext, _needs: unknown, scope: Scope) {
  const covers = createCovers(path.join(context.host.dataDir, 'covers'), context.clock)
  const workshop = createWorkerPool({
    host: context.host,
    database: (accountId) => context.mirrors.database(accountId),
    path: (accountId) => context.mirrors.cataloguePath(accountId),
    line: (accountId) => context.connection(accountId),
    report: (where, error) => void context.report(where, error),
  })
  const sync = startCatalogueSync(context, workshop, scope)
  const mirrorOf = (accountId: string): Database => {
    context.accounts.get(accountId)
    return context.mirrors.database(accountId)
  }

  const reader = createCatalogueReader({
    worker: () => context.host.workerPath('catalogue-reader'),
    database: mirrorOf,
    path: (accountId) => context.mirrors.cataloguePath(accountId),
    report: (where, error) => void context.report(where, error),
  })
  context.accounts.onRelease((accountId) => reader.release(accountId))

  context.accounts.onSyncNow((accountId) => void sync.now(accountId))
  scope.onEnd(async () => {
    await reader.close()
    await workshop.close()
  })

  function find(accountId: string, productId: string): { db: Database; record: ProductRecord } {
    const db = mirrorOf(accountId)
    const [record] = withNotes(db, findProducts(db, [productId]))
    if (record === undefined)
      throw failure(
        'NOT_FOUND',
        'Product not found in the catalogue on this computer.',
        'Sync the catalogue, then search again.',
      )
    return { db, record }
  }

  function sourceOf(accountId: string, db: Database, record: ProductRecord): TextSource | null {
    if (context.accounts.get(accountId).role === 'partner') return { db, record, lender: null }
    const lender = sync.detailSource(accountId)
    const lent = lender === null ? undefined : findProduct(lender.db, record.product_id)
    return lender === null || lent === undefined
      ? null
      : { db: lender.db, record: lent, lender: { accountId: lender.accountId, name: lender.name } }
  }

  return {
    async search(
      { accountId, filter, sort = null, window }: Inputs['search'],
      signal?: AbortSignal,
    ): Promise<Outputs['search']> {
      const startedAt = context.clock.monotonic()
      context.attention.markTyping()
      const chosen = catalogueFilterSchema.parse(filter ?? {})
      const { total, more, all, rows, guessed } = await reader.read<'search'>(
        accountId,
        {
          what: 'search',
          filter: chosen,
          sort,
          window: { offset: window?.offset ?? 0, limit: window?.limit ?? 100 },
        },
        signal,
      )
      return {
        total,
        more,
        all,
        rows: withNotes(mirrorOf(accountId), rows).map((row) => rowOf(row, chosen.country)),
        guessed,
        elapsedMs: Math.round(msSince(context.clock, startedAt)),
      }
    },
    position: (
      { accountId, filter, sort = null, productId }: Inputs['position'],
      signal?: AbortSignal,
    ): Promise<Outputs['position']> =>
      reader.read<'position'>(
        accountId,
        { what: 'position', filter: catalogueFilterSchema.parse(filter ?? {}), sort, productId },
        signal,
      ),
    counts: (
      { accountId, filter }: Inputs['counts'],
      signal?: AbortSignal,
    ): Promise<Outputs['counts']> =>
      reader.read<'counts'>(
        accountId,
        { what: 'counts', filter: catalogueFilterSchema.parse(filter ?? {}) },
        signal,
      ),
    product({ accountId, productId }: Inputs['product']): ProductDetail {
      const { db, record } = find(accountId, productId)
      return detailOf(db, record, sourceOf(accountId, db, record))
    },
    async cover({ accountId, productId }: Inputs['cover']): Promise<Outputs['cover']> {
      const { db, record } = find(accountId, productId)
      const source = sourceOf(accountId, db, record)
      const url = source === null ? null : coverOf(readTexts(source.db, source.record.rid))
      if (source === null || url === null) return null
      const teller = source.lender?.accountId ?? accountId
      const picture = await covers.get(
        presentAddress(url, context.accounts.get(teller).baseUrl),
        (address) => context.connection(teller).picture(address),
      )
      return picture === null
        ? null
        : { contentType: picture.contentType, base64: picture.bytes.toString('base64') }
    },
    sync: ({ accountId }: Inputs['sync']): Outputs['sync'] => {
      context.accounts.get(accountId)
      return sync.progress(accountId)
    },
    /**
     * Syncs as soon as the connection allows. Resolves when that pass has finished, successfully or
     * not.
     */
    syncNow: (accountId: string): Promise<void> => sync.now(accountId),
    /**
     * The product data an order needs, in the order of the ids. Null for products that aren't in
     * the mirror.
     */
    orderable(accountId: string, productIds: readonly string[]) {
      const db = mirrorOf(accountId)
      const records = new Map(
        findProducts(db, productIds).map((record) => [record.product_id, record]),
      )
      return productIds.map((productId) => {
        const record = records.get(productId)
        if (record === undefined) return null
        const { releaseDate, activationDetails } = readTexts(db, record.rid) ?? {}
        const { name, platform, region, deliveryType, qty, inStock, priceCents } = rowOf(
          record,
          null,
        )
        return {
          productId,
          name,
          platform,
          region,
          deliveryType,
          qty,
          inStock,
          priceCents,
          releaseDate: wordsOf(releaseDate),
          removed: record.removed === 1,
          excludedCountries: record.excluded === null ? null : unpackCountries(record.excluded),
          activationDetails: wordsOf(activationDetails),
        }
      })
    },
    duty: (account: Account): Duty => (sync.isDetailSource(account) ? 'stay' : null),
    facts(accountId: string): ConnectionFacts {
      const db = context.mirrors.database(accountId)
      const { complete, lastAt } = readSyncState(db)
      return {
        synced: { products: complete ? lastAt : null },
        counts: { products: countProducts(db) },
      }
    },
  }
}
export type Catalogue = ReturnType<typeof createCatalogue>

export const catalogueFeature = defineFeature({
  name: 'catalogue',
  schemas: [catalogueSchema],
  start: createCatalogue,
  facts: (catalogue, { id }) => catalogue.facts(id),
  duty: (catalogue, account) => (account.role === 'partner' ? catalogue.duty(account) : null),
})

const wordsOf = (text: unknown): string | null =>
  typeof text === 'string' && text !== '' ? text : null

/**
 * The bundled backend serves its own covers on a port that changes between starts, so replace the
 * port of an address stored earlier.
 */
function presentAddress(url: string, baseUrl: string): string {
  const isLoopback = (address: string): boolean =>
    ['127.0.0.1', '[::1]', 'localhost'].includes(URL.parse(address)?.hostname ?? '')
  const { pathname = '', search = '' } = URL.parse(url) ?? {}
  return isLoopback(url) && isLoopback(baseUrl) ? new URL(pathname + search, baseUrl).href : url
}
