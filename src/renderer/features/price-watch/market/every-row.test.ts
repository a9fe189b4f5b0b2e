import { expect, test } from 'vitest'
import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { rowsOf } from './every-row.ts'

const row = (offerId: string, lead: MarketRow['lead']) => ({ offerId, lead }) as MarketRow
const rows = Array.from({ length: 1200 }, (_, at) =>
  row(`off_${at}`, at === 0 ? 'leading' : 'behind'),
)

/** The rows of a tab, as the core returns them. */
const readMarket = async ({
  tab = 'losing',
  window: { offset = 0, limit = 100 } = {},
}: {
  tab?: string | undefined
  window?: { offset?: number | undefined; limit?: number | undefined } | undefined
}) => ({
  rows: rows.filter(({ lead }) => tab === 'all' || lead === 'behind').slice(offset, offset + limit),
})

test('returns every checked row, also one that left the tab it was checked in', async () => {
  const checked = new Set(['off_0', 'off_3', 'off_1100'])
  const found = await rowsOf({ accountId: 'seller' }, checked, readMarket)
  expect(found.map(({ offerId }) => offerId)).toEqual(['off_0', 'off_3', 'off_1100'])
})
