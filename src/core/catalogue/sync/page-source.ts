import type { ResponseBody } from '../../../../server/api/handlers.ts'
import type { ServiceConnection } from '../../context.ts'
import { partnerFacts, sellerFacts } from '../records/product-facts.ts'
import type { ProductFacts } from '../records/product-facts.ts'

/** The API's maximum page size. */
export const PAGE_LIMIT = 100

/**
 * Products of a fetched page: the products themselves, or the ticket under which the writer thread
 * received them.
 */
export type PageProducts = readonly ProductFacts[] | number

export type PartnerPage = {
  products: PageProducts
  count: number
  /** Size of its texts in characters or bytes. */ size: number
  nextCursor: string | null
  hasMore: boolean
  total: number | null
}
export type SellerPage = {
  products: PageProducts
  count: number
  hasMore: boolean | null
  total: number | null
}

/** Source of the pages of one account's catalogue. Rejects with the connection's Failure. */
export interface PageSource {
  /**
   * Calls `ahead` with the cursor behind the page as soon as the start of the response contains it.
   * Neither the cursor nor the page is certain then.
   */
  partner(
    cursor: string | null,
    signal: AbortSignal,
    ahead?: (nextCursor: string) => void,
  ): Promise<PartnerPage>
  seller(page: number, signal: AbortSignal): Promise<SellerPage>
}

export const partnerInput = (cursor: string | null) => ({
  query: { limit: PAGE_LIMIT, includeRemoved: true, ...(cursor === null ? {} : { cursor }) },
})
export const sellerInput = (page: number) => ({ query: { page, limit: PAGE_LIMIT } })

/**
 * A page of GET /products (Partner API) in the mirror's format. `texts`: those of its products, if
 * they were cut out of the response.
 */
export function partnerPage(
  { results, nextCursor, hasMore, total }: ResponseBody<'listProducts'>,
  texts: readonly Uint8Array[] = [],
) {
  const products = results.map((product, i) => partnerFacts(product, texts[i]))
  return {
    products,
    count: products.length,
    size: products.reduce((sum, { texts }) => sum + (texts?.length ?? 0), 0),
    nextCursor,
    hasMore,
    total,
  } satisfies PartnerPage
}
/** A page of GET /seller/products, whose envelope isn't certain (Decision 33). */
export const sellerPage = ({ results, hasMore, total }: ResponseBody<'listSellerProducts'>) =>
  ({
    products: results.map(sellerFacts),
    count: results.length,
    hasMore: hasMore ?? null,
    total: total ?? null,
  }) satisfies SellerPage

/**
 * The cursor behind a page with more pages after it, if it precedes the products. Null if it
 * doesn't, or hasn't fully arrived.
 */
export function earlyCursor(start: string): string | null {
  const results = start.indexOf(RESULTS)
  if (results < 0) return null
  try {
    const { nextCursor, hasMore } = JSON.parse(`${start.slice(0, results)}${RESULTS}]}`) as Record<
      string,
      unknown
    >
    return typeof nextCursor === 'string' && hasMore === true ? nextCursor : null
  } catch {
    return null
  }
}
const RESULTS = '"results":['

/** Pages that the calling thread fetches itself. */
export const localPageSource = (line: Pick<ServiceConnection, 'call'>): PageSource => ({
  partner: async (cursor, signal) =>
    partnerPage(
      await line.call('listProducts', partnerInput(cursor), { priority: 'background', signal }),
    ),
  seller: async (page, signal) =>
    sellerPage(
      await line.call('listSellerProducts', sellerInput(page), { priority: 'background', signal }),
    ),
})
