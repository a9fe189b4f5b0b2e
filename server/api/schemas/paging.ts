/**
 * Paging by number: parameters, their defaults, and the envelope's totals (Decision 23; Partner
 * API, GET /products and GET /orders).
 */
import { z } from 'zod'
import { integerText } from './values.ts'

export const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

export const pageText = integerText({ min: 1 }).meta({ default: 1 })
export const limitText = integerText({ min: 1, max: MAX_LIMIT }).meta({ default: DEFAULT_LIMIT })

/** Query of every numbered list; absent values mean page 1 and {@link DEFAULT_LIMIT}. */
export const pageQuery = z.object({ page: pageText.optional(), limit: limitText.optional() })
export type PageQuery = { page?: number | undefined; limit?: number | undefined }

/** The requested page with its defaults, and how many rows to skip. */
export function pageOf(query: PageQuery): { page: number; limit: number; offset: number } {
  const { page = 1, limit = DEFAULT_LIMIT } = query
  return { page, limit, offset: (page - 1) * limit }
}

/** The list envelope around one page of results. */
export function envelopeOf<Row>(query: PageQuery, total: number, results: Row[]) {
  const { page, limit } = pageOf(query)
  const totalPages = Math.ceil(total / limit)
  return { page, limit, total, totalPages, hasMore: page < totalPages, results }
}
