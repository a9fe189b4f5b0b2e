import { ApiError, type FieldProblem, validationError } from '../../api/errors.ts'
import type { BytesResponse, InputParts } from '../../api/handlers.ts'
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
  /** The problems of a query's cursor, also of a query that has other invalid fields (null). */
  cursorProblems(query: InputParts<'listProducts'>['query']): FieldProblem[]
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
    const after = placeOf(query, history)
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
    cursorProblems(query) {
      const place = findPlace(query, catalogueHistory(store.settings))
      return place?.ok === false ? place.problems : []
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

type Place = { ok: true; key: CatalogueKey } | { ok: false; problems: FieldProblem[] }

/**
 * The position where a query's cursor continues; null without a cursor. The cursor must fit the
 * other parameters (Decision 11) and the present history (Decision 41). While a filter is invalid
 * (null), it isn't known whether the cursor was issued with the same filters.
 */
function findPlace(query: InputParts<'listProducts'>['query'], history: string): Place | null {
  const {
    page,
    limit: _limit,
    cursor,
    updatedSince,
    includeRemoved: _includeRemoved,
    ...filters
  } = query
  if (cursor === undefined || cursor === null) return null
  const problems = Object.entries({ page, updatedSince })
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({ field, message: "can't be combined with cursor" }))
  const isComplete = !Object.values(filters).includes(null)
  const decoded = decodeCursor(cursor, isComplete ? (filters as CursorFilters) : null, history)
  if (!decoded.ok) problems.push({ field: 'cursor', message: decoded.problem })
  return decoded.ok && problems.length === 0
    ? { ok: true, key: decoded.key }
    : { ok: false, problems }
}

function placeOf(query: ProductQuery, history: string): CatalogueKey | null {
  const place = findPlace(query, history)
  if (place === null) return null
  if (!place.ok) throw validationError(...place.problems)
  return place.key
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Defined<T>
}
