import { expect, test } from 'vitest'
import benchAccounts from './accounts.ts'
import benchIngest from './ingest.ts'
import benchReady from './ready.ts'
import benchSearch from './search.ts'
import benchSync from './sync.ts'

const log = (): void => {}

test('the benchmark of the accounts syncs all of them and switches between them', async () => {
  const { figures } = await benchAccounts({ log, accounts: 2, switches: 2 })
  expect(figures.accounts).toBe(2)
  expect(figures.switchMs.p95).toBeGreaterThan(0)
}, 60_000)

test('the benchmark of the ingest fills both mirrors', async () => {
  const { figures } = await benchIngest({ log, sizes: [250] })
  expect(Object.keys(figures)).toEqual(['mirror 250', 'bare 250'])
  for (const { products, perCpuSecond } of Object.values(figures))
    expect([products, perCpuSecond > 0]).toEqual([250, true])
}, 60_000)

test('the benchmark of the search finds results with each of its searchers', async () => {
  const { figures } = await benchSearch({
    log,
    products: 2000,
    peerProducts: 2000,
    inBrowser: false,
  })
  expect(Object.keys(figures)).toEqual(['keydesk', 'minisearch', 'flexsearch'])
  for (const { found, queries } of Object.values(figures)) expect(found).toBeGreaterThan(queries)
}, 60_000)

test('the benchmark of the sync mirrors the products that it fetches', async () => {
  const { figures } = await benchSync({ log, products: 150 })
  expect(figures['mirrored']?.products).toBe(figures['fetched and parsed']?.products)
  expect(figures['mirrored']?.products).toBeGreaterThanOrEqual(150)
}, 60_000)

test('the benchmark of the start finds all products of its mirror', async () => {
  const { figures } = await benchReady({ log, products: 120, rounds: 1 })
  expect(Object.values(figures).map(({ all }) => all)).toEqual([0, 120])
}, 180_000)
