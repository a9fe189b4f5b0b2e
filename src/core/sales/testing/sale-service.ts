import DatabaseConstructor from 'better-sqlite3'
import { cents } from '../../../../server/api/money.ts'
import { DAY_MS } from '../../../../server/api/time.ts'
import type { ServiceConnection } from '../../context.ts'
import { salesSchema } from '../sales.ts'
import { saleStore } from '../store.ts'
import type { ServiceSale } from '../sync/facts.ts'
import { pollSales } from '../sync/poll.ts'

export const START = Date.UTC(2026, 0, 1)

/**
 * A service with sales, newest first. Before each page, `before` can sell more, change some, or
 * take the service down.
 */
export function saleService(count: number) {
  let now = START
  const sales: ServiceSale[] = []
  const calls: number[] = []
  let before: (page: number) => void = () => {}
  const sell = (more = 1): void => {
    for (let at = 0; at < more; at += 1) {
      now += 1000
      sales.unshift({
        id: `sal_${String(sales.length).padStart(6, '0')}`,
        name: `Product ${sales.length % 7}`,
        price: cents(100),
        customerPrice: cents(110),
        status: 'pending',
        soldAt: new Date(now).toISOString(),
        releaseAt: new Date(now + 7 * DAY_MS).toISOString(),
        releasedAt: null,
      })
    }
  }
  sell(count)
  const call = (async (
    _operation: string,
    { query: { page = 1, limit = 50 } }: { query: { page?: number; limit?: number } },
  ) => {
    before(page)
    calls.push(page)
    const results = sales.slice((page - 1) * limit, page * limit)
    return {
      page,
      limit,
      total: sales.length,
      totalPages: Math.ceil(sales.length / limit),
      hasMore: page * limit < sales.length,
      results,
    }
  }) as unknown as ServiceConnection['call']
  const set = (at: number, change: Partial<ServiceSale>): void => {
    sales[at] = { ...sales[at], ...change }
  }
  return {
    sales,
    calls,
    sell,
    set,
    call,
    now: () => now,
    pass: (ms: number) => {
      now += ms
    },
    onPage: (task: (page: number) => void) => {
      before = task
    },
  }
}

export function saleMirror() {
  const db = new DatabaseConstructor(':memory:')
  for (const step of salesSchema.steps) db.exec(step)
  return saleStore(db)
}
export const pollOf = (
  shop: ReturnType<typeof saleService>,
  store: ReturnType<typeof saleMirror>,
) =>
  pollSales({
    store,
    connection: { call: shop.call },
    now: shop.now,
    serviceNow: shop.now,
    signal: new AbortController().signal,
    fingerprint: () => null,
  })
/** The sales that Keydesk has. */
export const stored = (store: ReturnType<typeof saleMirror>) =>
  store.db.prepare('SELECT sale_id AS id, status FROM sales ORDER BY sold_at DESC, sale_id').all()
/** The sales that it should have. */
export const expected = (shop: ReturnType<typeof saleService>) =>
  shop.sales.map(({ id, status }) => ({ id, status }))

/**
 * Lists all sales while more are sold before every third page, with a kill before each `killEvery`
 * pages. Returns the number of kills and the pages that were read again.
 */
export async function listWithKills(
  shop: ReturnType<typeof saleService>,
  store: ReturnType<typeof saleMirror>,
  killEvery: number,
): Promise<{ kills: number; again: number[] }> {
  let [pages, kills] = [0, 0]
  shop.onPage(() => {
    pages += 1
    if (pages % 3 === 0) shop.sell(2)
    if (pages % killEvery !== 0) return
    kills += 1
    throw new Error('killed')
  })
  for (let tries = 0; tries < 12 && !store.listing().complete; tries += 1)
    await pollOf(shop, store).catch(() => {})
  shop.onPage(() => {})
  return { kills, again: shop.calls.filter((page, at) => shop.calls.indexOf(page) !== at) }
}

/** Reads the newest sales after `more` were sold; the poll is killed after `killAt` pages. */
export async function pollWithKill(
  shop: ReturnType<typeof saleService>,
  store: ReturnType<typeof saleMirror>,
  { more, killAt }: { more: number; killAt: number },
): Promise<void> {
  shop.sell(more)
  let pages = 0
  shop.onPage(() => {
    pages += 1
    if (pages > killAt) throw new Error('killed')
  })
  await pollOf(shop, store).catch(() => {})
  shop.onPage(() => {})
}
