import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { rpc } from '../../../lib/core/rpc.ts'

type MarketInput = Omit<Parameters<typeof rpc.priceWatch.market>[0], 'window'>

/** As many rows as one request can ask for. */
const ROWS_PER_READ = 500

/** Every row of a list, however long it is. */
export async function everyRow(list: MarketInput): Promise<MarketRow[]> {
  const found: MarketRow[] = []
  for (;;) {
    const window = { offset: found.length, limit: ROWS_PER_READ }
    const { rows } = await rpc.priceWatch.market({ ...list, window })
    found.push(...rows)
    if (rows.length < ROWS_PER_READ) return found
  }
}

/** The offers with a proposal. */
export const everyProposal = async (accountId: string): Promise<MarketRow[]> =>
  (await everyRow({ accountId, tab: 'proposals' })).filter(({ proposal }) => proposal !== null)
