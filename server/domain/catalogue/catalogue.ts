import { ApiError, validationError } from '../../api/errors.ts'
import type { BytesResponse } from '../../api/handlers.ts'
import type { PriceFactor } from '../../api/money.ts'
import { DEFAULT_LIMIT } from '../../api/schemas/paging.ts'
import type { Meta, ProductQuery } from '../../api/schemas/product.ts'
import { type Context, instantMs } from '../context.ts'
import { type CursorFilters, decodeCursor, encodeCursor } from './cursor.ts'
import { catalogueHistory } from './history.ts'
import type { CatalogueKey, ProductFilter, ProductRow } from '../ports/catalogue.ts'
import { priceTiers } from '../offers/pricing.ts'
import { createProductWriter } from './product-json.ts'
import type { Supply } from './supply.ts'
import { createVersionedCache } from './versioned-cache.ts'

export interface Catalogue {
  /** GET /products: one page, by number or by cursor. */
  page(query: ProductQuery, factor: PriceFactor, origin: string): BytesResponse
  /** GET /products/{id}. NOT_FOUND for a removed product. */
  product(id: string, factor: PriceFactor, origin: string): BytesResponse
  /** One product for the dashboard, including removed ones. */
  productAt(status: number, id: string, factor: PriceFactor, origin: string): BytesResponse
  meta(): Meta
}

/**
 * Reads the catalogue (Partner API, GET /products; Decisions 9 to 13). Responses that are requested
 * repeatedly are cached until the catalogue changes.
 */
export function createCatalogue({ store }: Context, supply: Supply): Catalogue {
  const write = createProductWriter()
  const pages = createVersionedCache<BytesResponse>(supply.version, 256, { fromSecond: true })
  const counts = createVersionedCache<number>(supply.version, 256)
  const metas = createVersionedCache<Meta>(supply.version, 1)

  function read(query: ProductQuery, factor: PriceFactor, origin: string): BytesResponse {
    const {
      page,
      limit = DEFAULT_LIMIT,
      cursor,
      updatedSince,
      includeRemoved = false,
      ...filters
    } = query
    const history = catalogueHistory(store.settings)
    const after = cursor === undefined ? null : placeOf(cursor, query, filters, history)
    const filter: ProductFilter = { ...defined(filters), includeRemoved }
    if (updatedSince !== undefined) filter.updatedSince = instantMs(updatedSince)
    const number = page ?? 1
    const found = store.catalogue.page(
      filter,
      after ? { after } : { offset: (number - 1) * limit },
      limit,
    )
    const last = found.rows.at(-1)
    const next = last ? encodeCursor(last, filters, history) : (cursor ?? null)
    const total = after ? null : counts(JSON.stringify(filter), () => store.catalogue.count(filter))
    const figures = {
      page: after ? null : number,
      limit,
      total,
      totalPages: total === null ? null : Math.ceil(total / limit),
    }
    return {
      status: 200,
      bytes: write.page(
        { ...figures, nextCursor: next, hasMore: found.hasMore },
        found,
        factor,
        origin,
      ),
    }
  }

  const one = (
    status: number,
    row: ProductRow,
    factor: PriceFactor,
    origin: string,
  ): BytesResponse => ({ status, bytes: write.one(row, Buffer.from(row.details), factor, origin) })

  return {
    page(query, factor, origin) {
      const key = `${factor.numerator}/${factor.denominator} ${origin} ${JSON.stringify(query)}`
      return pages(key, () => read(query, factor, origin))
    },
    product(id, factor, origin) {
      const row = store.catalogue.row(id)
      if (!row || row.removed === 1) throw new ApiError('NOT_FOUND', 'Product not found.')
      const tiers = priceTiers(store.offers.supply(id), factor)
      return {
        status: 200,
        bytes: write.one(row, Buffer.from(row.details), factor, origin, tiers),
      }
    },
    productAt(status, id, factor, origin) {
      const row = store.catalogue.row(id)
      if (!row) throw new ApiError('NOT_FOUND', 'Product not found.')
      return one(status, row, factor, origin)
    },
    meta: () => metas('', () => store.catalogue.meta()),
  }
}

/**
 * The position where a cursor continues. Checks first that the cursor fits the rest of the query
 * (Decision 11) and the present history (Decision 41).
 */
function placeOf(
  cursor: string,
  query: ProductQuery,
  filters: CursorFilters,
  history: string,
): CatalogueKey {
  const problems = (['page', 'updatedSince'] as const)
    .filter((field) => query[field] !== undefined)
    .map((field) => ({ field, message: "can't be combined with cursor" }))
  if (problems.length > 0) throw validationError(...problems)
  const decoded = decodeCursor(cursor, filters, history)
  if (!decoded.ok) throw validationError({ field: 'cursor', message: decoded.problem })
  return decoded.key
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Defined<T>
}
