import Database from 'better-sqlite3'
import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cents } from '../api/money.ts'
import type { Store } from '../domain/ports/store.ts'
import { migrate } from './database/migrate.ts'
import { openStore } from './store.ts'

const folders: string[] = []
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-memory-'))
  folders.push(folder)
  const database = new Database(join(folder, 'keydesk.sqlite'))
  migrate(database)
  for (const id of sellers)
    database.exec(
      `INSERT INTO sellers (id, name, status, commission, created_at) VALUES ('${id}', '${id}', 'active', '{}', 1)`,
    )
  for (const id of products) {
    database.exec(`INSERT INTO products (id, name, name_folded, platform, region, product_type, delivery_type,
      details, low_price, qty, supply_unknown, removed, created_at, updated_at)
      VALUES ('${id}', 'a', 'a', 'Steam', 'Global', 'game', 'key', '{}', 0, 0, 0, 0, 1, 1)`)
  }
  database.close()
})
afterEach(() => {
  for (const each of folders.splice(0)) rmSync(each, { recursive: true })
})

const sellers = ['sel_a', 'sel_b', 'sel_c'] as const
const products = ['prd_1', 'prd_2'] as const

/** Compares the store's responses with the database read directly, without a cache. */
function differences(store: Store, database: Database.Database): unknown[] {
  const supply = database.prepare(
    `SELECT id, stock FROM offers WHERE product_id = ? AND sellable = 1 AND stock > 0
      ORDER BY customer_price, priced_at, id`,
  )
  const challenged = database
    .prepare(
      `SELECT product_id FROM offers WHERE seller_id NOT IN (SELECT account_id FROM market_actors)
        AND deleted_at IS NULL GROUP BY product_id ORDER BY min(no)`,
    )
    .pluck()
  const own = database
    .prepare(
      `SELECT id FROM offers WHERE seller_id = ? AND deleted_at IS NULL AND product_id IN (
    SELECT product_id FROM offers WHERE seller_id NOT IN (SELECT account_id FROM market_actors)
      AND deleted_at IS NULL) ORDER BY no`,
    )
    .pluck()
  const labels = database.prepare('SELECT name, region FROM products WHERE id = ?')
  const status = database.prepare('SELECT status FROM sellers WHERE id = ?').pluck()
  const pairs: [unknown, unknown][] = [
    ...products.map((id): [unknown, unknown] => {
      const { name, region } = store.catalogue.labels(id) ?? {}
      return [{ name, region }, labels.get(id)]
    }),
    ...sellers.map((id): [unknown, unknown] => [store.accounts.seller(id)?.status, status.get(id)]),
    ...products.flatMap((id): [unknown, unknown][] => {
      const rows = supply.all(id) as { id: string; stock: number }[]
      return [
        [store.offers.supply(id).map((offer) => ({ id: offer.id, stock: offer.stock })), rows],
        [
          store.offers.supplySummary(id),
          {
            lowPrice: store.offers.supply(id)[0]?.customerPrice ?? null,
            units: rows.reduce((sum, { stock }) => sum + stock, 0),
            firstOfferId: rows[0]?.id ?? null,
          },
        ],
      ]
    }),
    [store.market.contestedProducts(400), challenged.all()],
    ...sellers.map((id): [unknown, unknown] => [
      store.market.contestedOffers(id, 400).map((offer) => offer.id),
      own.all(id),
    ]),
    [
      store.market.actors('seller').map(({ accountId }) => accountId),
      database
        .prepare(`SELECT account_id FROM market_actors WHERE kind = 'seller' ORDER BY no`)
        .pluck()
        .all(),
    ],
  ]
  return pairs.filter(([said, stands]) => JSON.stringify(said) !== JSON.stringify(stands))
}

const step = fc.record({
  what: fc.constantFrom('insert', 'reprice', 'move', 'remove', 'act', 'sell', 'rename', 'suspend'),
  seller: fc.nat({ max: 2 }),
  product: fc.nat({ max: 1 }),
  price: fc.integer({ min: 1, max: 9 }),
  look: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

function carryOut(store: Store, { what, seller, product, price, look }: Step): void {
  const [sellerId, productId] = [sellers[seller] ?? 'sel_a', products[product] ?? 'prd_1']
  const present = store.offers.findBySeller(sellerId, productId)
  if (
    what === 'act' &&
    store.market.actors('seller').every(({ accountId }) => accountId !== sellerId)
  )
    store.market.addActor({ kind: 'seller', accountId: sellerId, newcomer: true })
  if (what === 'insert' && !present) {
    store.offers.insert({
      id: `off_${sellerId}${productId}${store.market.lastOfferNo()}`,
      sellerId,
      productId,
      price: cents(price),
      customerPrice: cents(price),
      status: 'active',
      sellable: true,
      stock: price,
      reserved: 0,
      sold: 0,
      pricedAt: 1,
      createdAt: 1,
      updatedAt: 1,
    })
  }
  if (present && what === 'reprice')
    store.offers.update({
      ...present,
      price: cents(price),
      customerPrice: cents(price),
      sellable: price > 2,
    })
  if (present && what === 'move') store.offers.move(present.no, { stock: price - present.stock })
  if (present && what === 'remove') store.offers.remove(present.no, 1)
  const known = store.catalogue.find(productId)
  if (known && what === 'rename')
    store.catalogue.update({ ...known, name: `name ${price}`, region: `region ${price}` })
  const owner = store.accounts.seller(sellerId)
  if (owner && what === 'suspend')
    store.accounts.updateSeller({ ...owner, status: price > 4 ? 'suspended' : 'active' })
  // Selling from a supply reduces its stock.
  if (what === 'sell') for (const offer of store.offers.supply(productId)) offer.stock = 0
  if (look) {
    store.catalogue.labels(productId)
    store.accounts.seller(sellerId)
    store.offers.supplySummary(productId)
    store.market.contestedProducts(400)
  }
}

test('matches the database, whatever is written and rolled back', () => {
  const store = openStore(folder, { durable: false })
  const beside = new Database(join(folder, 'keydesk.sqlite'), { readonly: true })
  const turn = fc.record({
    steps: fc.array(step, { maxLength: 6 }),
    inner: fc.array(step, { maxLength: 4 }),
    innerFails: fc.boolean(),
    fails: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 12 }), (turns) => {
      for (const { steps, inner, innerFails, fails } of turns) {
        try {
          store.transaction(() => {
            for (const each of steps) carryOut(store, each)
            try {
              store.savepoint(() => {
                for (const each of inner) carryOut(store, each)
                if (innerFails) throw new Error('part')
              })
            } catch {
              /* The rest of the transaction stays. */
            }
            if (fails) throw new Error('all')
          })
        } catch {
          /* Rolled back. */
        }
        expect(differences(store, beside)).toEqual([])
      }
    }),
    { numRuns: 40 },
  )
  beside.close()
  store.close()
})

test('matches the state that replaced the present one', async () => {
  const store = openStore(folder, { durable: false })
  const units = () => [
    store.offers.supplySummary('prd_1').units,
    store.market.contestedProducts(400).length,
  ]
  const insert = (product: number, price: number) =>
    store.transaction(() =>
      carryOut(store, { what: 'insert', seller: 0, product, price, look: true }),
    )
  insert(0, 5)
  await store.snapshots.save('state', 0)
  store.transaction(() =>
    carryOut(store, { what: 'move', seller: 0, product: 0, price: 9, look: true }),
  )
  insert(1, 1)
  const opened = await store.snapshots.open('state')
  if (typeof opened === 'string') throw new Error(opened)
  const empty = store.snapshots.openEmpty()
  for (const [state, expected] of [
    [opened.state, [5, 1]],
    [empty, [0, 0]],
  ] as const) {
    await state.complete()
    expect(units().every((count) => count > 0)).toBe(true)
    state.adopt()
    state.discard()
    expect(units()).toEqual(expected)
  }
  store.close()
})
