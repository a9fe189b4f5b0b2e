import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { rpc } from '../../../lib/core/rpc.ts'

type ReadMarket = (
  input: Parameters<typeof rpc.priceWatch.market>[0],
) => Promise<{ rows: MarketRow[] }>
type MarketInput = Omit<Parameters<typeof rpc.priceWatch.market>[0], 'window'>

/** As many rows as one request can ask for. */
const ROWS_PER_READ = 500

/** Every row of a list, however long it is. */
export async function everyRow(
  list: MarketInput,
  read: ReadMarket = rpc.priceWatch.market,
): Promise<MarketRow[]> {
  const found: MarketRow[] = []
  for (;;) {
    const window = { offset: found.length, limit: ROWS_PER_READ }
    const { rows } = await read({ ...list, window })
    found.push(...rows)
    if (rows.length < ROWS_PER_READ) return found
  }
}

/** The offers with a proposal. */
export const everyProposal = async (accountId: string): Promise<MarketRow[]> =>
  (await everyRow({ accountId, tab: 'proposals' })).filter(({ proposal }) => proposal !== null)

/**
 * The rows of these offers in the order of the list. A row that left its tab after it was checked,
 * for example because it leads again, is one of them.
 */
export const rowsOf = async (
  { accountId, sort }: Pick<MarketInput, 'accountId' | 'sort'>,
  offerIds: ReadonlySet<string>,
  read?: ReadMarket,
): Promise<MarketRow[]> =>
  (await everyRow({ accountId, tab: 'all', sort }, read)).filter(({ offerId }) =>
    offerIds.has(offerId),
  )
