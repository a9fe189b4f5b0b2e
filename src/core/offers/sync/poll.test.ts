import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { catalogueSchema } from '../../catalogue/catalogue.ts'
import type { ServiceConnection } from '../../context.ts'
import { createMirrors } from '../../mirror/files/mirrors.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { offersSchemas } from '../schema.ts'
import { offerStore } from '../store.ts'
import { createFreshness, pollOffers } from './poll.ts'

const offer = (at: number) => ({
  id: `off_${at}`,
  productId: `prd_${at}`,
  name: `Game ${at}`,
  price: cents(500),
  customerPrice: cents(550),
  status: 'active',
  stock: 3,
})

test('the list grows page by page during the first sync and is complete only at its end', async () => {
  const folder = temporaryFolder()
  const mirrors = createMirrors(folder.path, [catalogueSchema, ...offersSchemas])
  const store = offerStore(mirrors.database('a'))
  const seen: { offers: number; syncedAt: number | null }[] = []
  let failsAt = 3
  const call = (async (_operation: string, { query }: { query: { page: number } }) => {
    if (query.page === failsAt) throw new Error('cut')
    return {
      results: Array.from({ length: 100 }, (_, at) => offer(query.page * 100 + at)),
      hasMore: query.page < 4,
    }
  }) as unknown as ServiceConnection['call']
  const poll = () =>
    pollOffers({
      store,
      connection: { call },
      now: () => 7000,
      signal: new AbortController().signal,
      fresh: createFreshness({ now: () => 7000, serviceAhead: () => 0 }),
      onPage: () => seen.push({ offers: store.count(), syncedAt: store.sync().lastAt }),
    })
  await expect(poll()).rejects.toThrow('cut')
  expect(seen).toEqual([
    { offers: 100, syncedAt: null },
    { offers: 200, syncedAt: null },
  ])
  failsAt = 0
  await poll()
  expect(seen.map(({ offers }) => offers)).toEqual([100, 200, 200, 200, 300, 400])
  expect(seen.every(({ syncedAt }) => syncedAt === null)).toBe(true)
  expect(store.sync().lastAt).toBe(7000)
  await poll()
  expect(seen, 'later syncs don’t redraw the list page by page').toHaveLength(6)
  mirrors.close()
  folder.remove()
})
