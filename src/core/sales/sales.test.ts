import { afterAll, beforeAll, expect, it } from 'vitest'
import { saleSortColumns, saleViews } from '../../contract/sales.ts'
import type { SaleRow } from '../../contract/sales.ts'
import { startTestBackend } from '../testing/backend.ts'
import type { TestBackend } from '../testing/backend.ts'
import { temporaryFolder } from '../testing/context.ts'
import { problemOf, startTestCore, until } from '../testing/core.ts'
import type { TestCore } from '../testing/core.ts'
import { startFaultyProxy } from '../testing/faulty-proxy.ts'
import type { FaultyProxy } from '../testing/faulty-proxy.ts'
import { memoryKeychain } from '../testing/keychains.ts'
import { joined } from '../testing/text-parts.ts'
import { DAY_MS } from '../../../server/api/time.ts'

type Served = {
  id: string
  offerId: string
  productId: string
  name: string
  orderId: string
  keyId: string
  price: number
  customerPrice: number
  status: string
  soldAt: string
  releaseAt: string | null
  releasedAt: string | null
}

let backend: TestBackend
let proxy: FaultyProxy
let folder: ReturnType<typeof temporaryFolder>
let harness: TestCore
let accountId: string
let served: Served[]
const pagesAsked: number[] = []

const list = (more: object = {}) =>
  harness.ask.sales.list({ accountId, window: { limit: 500 }, ...more })
const inMs = (text: string | null): number | null => (text === null ? null : Date.parse(text))

/** The listing is cut off after its first page, the console stops, and another one resumes. */
beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  proxy = await startFaultyProxy(backend.ready.baseUrl)
  folder = temporaryFolder()
  const keychain = memoryKeychain()
  harness = await startTestCore(folder.path, keychain)
  const note = (path: string): number | null => {
    const page = path.includes('/seller/sales')
      ? Number(new URL(path, 'http://loopback').searchParams.get('page') ?? 1)
      : null
    if (page !== null) pagesAsked.push(page)
    return page
  }
  proxy.decide = (_method, path) => ((note(path) ?? 1) > 1 ? 'cut' : 'pass')
  accountId = (
    await harness.ask.accounts.connect({
      key: backend.ready.demo?.sellerKey ?? '',
      baseUrl: proxy.baseUrl,
      name: 'Shop',
    })
  ).id
  await until(
    () => list(),
    ({ total }) => total === 100,
  )
  await harness.close()
  pagesAsked.length = 0
  proxy.decide = (_method, path) => {
    note(path)
    return 'pass'
  }
  harness = await startTestCore(folder.path, keychain)
  await until(
    () => list(),
    ({ complete }) => complete,
  )
  served = []
  for (let page = 1; served.length === (page - 1) * 100; page += 1) {
    const answer = await fetch(`${backend.ready.sellerUrl}/sales?limit=100&page=${page}`, {
      headers: { authorization: `Bearer ${backend.ready.demo?.sellerKey}` },
    })
    served.push(...((await answer.json()) as { results: Served[] }).results)
  }
}, 120_000)
afterAll(async () => {
  await harness.close()
  await proxy.close()
  await backend.stop()
  folder.remove()
})

it("resumes a killed listing at the page it had reached, and mirrors the service's sales", async () => {
  expect(pagesAsked[0]).toBe(2)
  const { rows, total } = await list()
  expect(total).toBe(served.length)
  expect(
    rows.map(
      ({
        platform: _p,
        region: _r,
        deliveryType: _t,
        held: _h,
        disputeId: _d,
        seenAt: _s,
        ...row
      }) => row,
    ),
  ).toEqual(
    served.map((sale) => ({
      costCents: null,
      costSource: null,
      profitCents: null,
      saleId: sale.id,
      offerId: sale.offerId,
      productId: sale.productId,
      name: sale.name,
      orderId: sale.orderId,
      keyId: sale.keyId,
      priceCents: Math.round(sale.price * 100),
      customerCents: Math.round(sale.customerPrice * 100),
      status: sale.status,
      soldAt: inMs(sale.soldAt),
      releaseAt: inMs(sale.releaseAt),
      releasedAt: inMs(sale.releasedAt),
    })),
  )
  expect((await harness.ask.accounts.connection({ accountId })).counts.sales).toBe(served.length)
})

it('locates each sale at its index in the list, and none that the list lacks', async () => {
  for (const column of saleSortColumns)
    for (const direction of ['asc', 'desc'] as const) {
      const asked = { view: 'released', sort: { column, direction } } as const
      const { rows } = await list(asked)
      expect(rows.length).toBeGreaterThan(10)
      for (const index of [0, 7, rows.length - 1])
        expect(
          await harness.ask.sales.position({
            accountId,
            ...asked,
            saleId: rows[index]?.saleId ?? '',
          }),
        ).toEqual({ index })
    }
  const [pending] = (await list({ view: 'pending' })).rows
  expect(
    await harness.ask.sales.position({
      accountId,
      view: 'released',
      saleId: pending?.saleId ?? '',
    }),
  ).toEqual({ index: null })
})

it('views, words and periods filter as described, and their counts agree', async () => {
  const { rows } = await list()
  const fits: Record<(typeof saleViews)[number], (sale: SaleRow) => boolean> = {
    all: () => true,
    pending: (sale) => sale.status === 'pending' && !sale.held,
    held: (sale) => sale.held,
    released: (sale) => sale.status === 'released',
    cancelled: (sale) => sale.status === 'cancelled',
  }
  const middle = rows[60]?.soldAt ?? 0
  const word = (rows[0]?.name ?? '').split(' ')[0]?.toUpperCase() ?? ''
  for (const more of [
    {},
    { from: middle },
    { to: middle },
    { query: word },
    { query: rows[3]?.orderId ?? '' },
    { offerId: rows[5]?.offerId ?? '' },
  ]) {
    const asked: { from?: number; to?: number; query?: string; offerId?: string } = more
    const chosen = rows.filter(
      (sale) =>
        (asked.from === undefined || (sale.soldAt ?? 0) >= asked.from) &&
        (asked.to === undefined || (sale.soldAt ?? 0) < asked.to) &&
        (asked.offerId === undefined || sale.offerId === asked.offerId) &&
        (asked.query === undefined ||
          [sale.name, sale.orderId, sale.saleId, sale.offerId, sale.productId].some((text) =>
            text?.toLowerCase().includes(asked.query?.toLowerCase() ?? ''),
          )),
    )
    expect(chosen.length).toBeGreaterThan(0)
    for (const view of saleViews) {
      const found = await list({ ...more, view })
      expect(found.rows.map(({ saleId }) => saleId)).toEqual(
        chosen.filter(fits[view]).map(({ saleId }) => saleId),
      )
      expect(found.views[view]).toBe(found.total)
    }
  }
})

it.each(saleSortColumns)(
  'sorts by %s in both directions in windows without gaps or overlaps',
  async (column) => {
    for (const direction of ['asc', 'desc'] as const) {
      const windows = await Promise.all(
        [0, 50, 100].map((offset) =>
          list({ sort: { column, direction }, window: { offset, limit: 50 } }),
        ),
      )
      const rows = windows.flatMap((found) => found.rows)
      expect(new Set(rows.map(({ saleId }) => saleId)).size).toBe(served.length)
      const values = rows
        .map(
          (sale) =>
            ({
              sold: sale.soldAt,
              name: sale.name.toLowerCase(),
              price: sale.priceCents,
              customer: sale.customerCents,
              status: sale.status,
              release: sale.releasedAt ?? sale.releaseAt,
            })[column],
        )
        .filter((value) => value !== null)
      const sorted = values.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
      expect(values).toEqual(direction === 'asc' ? sorted : sorted.toReversed())
    }
  },
)

it('earnings add up to the service’s sales; pending amounts and releases, to its balance', async () => {
  const { rows } = await list()
  const first = Math.min(...rows.map(({ soldAt }) => soldAt ?? 0))
  const last = Math.max(...rows.map(({ soldAt }) => soldAt ?? 0))
  const edges = Array.from(
    { length: Math.ceil((last + 1 - first) / DAY_MS) + 1 },
    (_, day) => first + day * DAY_MS,
  )
  const found = await harness.ask.sales.earned({ accountId, edges, products: 100 })
  const sum = (of: readonly SaleRow[]): number =>
    of.reduce((cents, { priceCents }) => cents + (priceCents ?? 0), 0)
  const kept = rows.filter(({ status }) => status !== 'cancelled')
  expect(found.earned).toEqual({ cents: sum(kept), sales: kept.length })
  expect(found.refunded).toEqual({ cents: sum(rows) - sum(kept), sales: rows.length - kept.length })
  expect(
    found.bars.reduce(
      (cents, bar) => cents + bar.releasedCents + bar.pendingCents + bar.heldCents,
      0,
    ),
  ).toBe(sum(kept))
  for (const bar of found.bars)
    expect(bar.sales).toBe(
      rows.filter(({ soldAt }) => (soldAt ?? 0) >= bar.from && (soldAt ?? 0) < bar.from + DAY_MS)
        .length,
    )
  expect(found.products.reduce((cents, product) => cents + product.cents, 0)).toBe(sum(kept))

  const { reading, upcoming } = await until(
    () => harness.ask.balance.now({ accountId }),
    (balance) => balance.reading !== null,
  )
  const { waiting, held } = await until(
    () => harness.ask.sales.pending({ accountId }),
    (sums) => sums.waiting.cents + sums.held.cents === reading?.pendingCents && sums.held.sales > 0,
  )
  expect(upcoming.reduce((cents, day) => cents + day.cents, 0)).toBe(waiting.cents)
  expect(held.cents).toBe((reading?.pendingCents ?? 0) - waiting.cents)
  for (const { date, cents, sales } of upcoming) {
    const from = Date.parse(`${date}T00:00:00Z`)
    const day = await harness.ask.sales.releases({
      accountId,
      from,
      to: from + DAY_MS,
      products: 100,
    })
    expect([day.cents, day.sales]).toEqual([cents, sales])
    expect(day.products.reduce((all, product) => all + product.cents, 0)).toBe(cents)
  }
  expect(await problemOf(harness.ask.sales.earned({ accountId, edges: [2, 1] }))).toMatchObject({
    code: 'INVALID_INPUT',
  })
})

it('keeps quarter-hour totals equal to the sums of the sales after every change', async () => {
  const { rows } = await list()
  const hour = 3_600_000
  const last = Math.ceil(Math.max(...rows.map(({ soldAt }) => soldAt ?? 0)) / hour) * hour + hour
  const aligned = Array.from({ length: 13 }, (_, at) => last - (12 - at) * 8 * DAY_MS)
  const shifted = aligned.map((edge) => edge + 1)
  const [kept, scanned] = await Promise.all(
    [aligned, shifted].map((edges) =>
      harness.ask.sales.earned({ accountId, edges, products: 100 }),
    ),
  )
  expect(kept?.earned.sales).toBeGreaterThan(0)
  expect(kept?.bars.map(({ from: _from, ...bar }) => bar)).toEqual(
    scanned?.bars.map(({ from: _from, ...bar }) => bar),
  )
  expect({ ...kept, bars: [] }).toEqual({ ...scanned, bars: [] })
  for (const [at, from] of aligned.slice(0, -1).entries())
    expect((await list({ from, to: aligned[at + 1] ?? 0 })).total).toBe(kept?.bars[at]?.sales)
})

const exported = async (
  choice: Omit<Parameters<typeof harness.ask.sales.export>[0], 'accountId'>,
) => joined(await harness.ask.sales.export({ accountId, ...choice }))
it('exports the sales of the list, one line each, without formulas', async () => {
  const { rows } = await list()
  const productId = rows[5]?.productId ?? ''
  const chosen = rows.filter((sale) => sale.productId === productId)
  expect((await list({ productId })).total).toBe(chosen.length)
  const { fileName, sales, text } = await exported({ productId })
  expect(fileName).toMatch(/^sales-\d{4}-\d\d-\d\d\.csv$/)
  expect(sales).toBe(chosen.length)
  const lines = text.trim().split('\r\n')
  expect(lines[0]).toBe(
    'Sold (UTC),Product,Platform,Region,Delivery,Sale,Order,Offer id,Product id,You receive EUR,' +
      'Customer paid EUR,Cost EUR,Profit EUR,State,Held by a dispute,Dispute,Release (UTC),Released (UTC)',
  )
  expect(lines).toHaveLength(chosen.length + 1)
  for (const [at, sale] of chosen.entries()) {
    expect(lines[at + 1]).toContain(`,${sale.saleId},`)
    expect(lines[at + 1]).toContain(`,${((sale.priceCents ?? 0) / 100).toFixed(2)},`)
    expect(lines[at + 1]?.startsWith(new Date(sale.soldAt ?? 0).toISOString())).toBe(true)
  }
  const copied = await exported({ productId, form: 'text' })
  expect(copied.text.split('\r\n')[1]?.split('\t')).toContain(chosen[0]?.saleId)
  const all = await exported({ sort: { column: 'sold', direction: 'asc' } })
  expect(all.sales).toBe(rows.length)
  expect(all.text).not.toMatch(/(^|,|\n)"?[=+@-]/)
})
