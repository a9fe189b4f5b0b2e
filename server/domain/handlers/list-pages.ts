import { encodeResponse } from '../../api/encode.ts'
import type { BytesResponse, ResultOf } from '../../api/handlers.ts'
import { envelopeOf, type PageQuery, pageOf } from '../../api/schemas/paging.ts'
import { createVersionedCache } from '../catalogue/versioned-cache.ts'
import type { Repositories } from '../ports/repositories.ts'

/** Most pages that are cached. */
const MAX_PAGES = 256

type List = 'listOffers' | 'listOrders' | 'listSales'
type RowOf<Op extends List> =
  ResultOf<Op> extends { body: { results: (infer Row)[] } } ? Row : never

/**
 * Returns a page of an account's list. A page that is requested repeatedly, as by a client that
 * polls, is cached until anything in the database changes: it must depend on nothing else.
 *
 * @param query everything that selects the page
 * @param read reads the rows of the page and counts those of all pages
 */
export type ListPages = <Op extends List>(
  operation: Op,
  account: string,
  query: PageQuery,
  read: (offset: number, limit: number) => { total: number; results: RowOf<Op>[] },
) => BytesResponse

export function createListPages({ version }: Pick<Repositories, 'version'>): ListPages {
  const pages = createVersionedCache<BytesResponse>(version, MAX_PAGES, { fromSecond: true })
  return (operation, account, query, read) =>
    pages(`${operation} ${account} ${JSON.stringify(query)}`, () => {
      const { offset, limit } = pageOf(query)
      const { total, results } = read(offset, limit)
      const answer = { status: 200, body: envelopeOf(query, total, results) }
      const { json } = encodeResponse(operation, answer as ResultOf<typeof operation>)
      return { status: 200, bytes: Buffer.from(json ?? '') }
    })
}
