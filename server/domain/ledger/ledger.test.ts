import Database from 'better-sqlite3'
import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { openStore } from '../../store/store.ts'
import { account, createLedger, transfer } from './ledger.ts'
import type { Store } from '../ports/store.ts'
import {
  createTestService,
  dashboard,
  partnerCaller,
  type TestService,
} from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'

let folder: string
let store: Store
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-'))
  store = openStore(folder)
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

/** Changes the file directly, with the triggers that protect it removed. */
function tamper(sql: string): void {
  store.close()
  const database = new Database(join(folder, 'keydesk.sqlite'))
  for (const table of ['ledger_entries', 'ledger_postings']) {
    for (const guard of ['stay', 'kept']) database.exec(`DROP TRIGGER ${table}_${guard}`)
  }
  database.exec(sql)
  database.close()
  store = openStore(folder)
}

const book = (amount = 100, partner = 'ptr_1') =>
  createLedger(store).post({
    mode: 'live',
    type: 'top_up',
    at: 1,
    reference: 'R',
    partnerId: partner,
    postings: transfer(account.bank, account.partner(partner), cents(amount)),
  })

describe('the ledger', () => {
  it("rejects an entry that doesn't sum to zero", () => {
    const postings = [
      { account: account.bank, amount: cents(-5) },
      { account: account.margin, amount: cents(4) },
    ]
    expect(() =>
      store.transaction(() =>
        createLedger(store).post({ mode: 'live', type: 'top_up', at: 1, postings }),
      ),
    ).toThrow('sum to zero')
  })

  it('is append-only', () => {
    book()
    store.close()
    const database = new Database(join(folder, 'keydesk.sqlite'))
    for (const sql of [
      'UPDATE ledger_entries SET amount = 1',
      'DELETE FROM ledger_entries',
      'UPDATE ledger_postings SET amount = 1',
      'DELETE FROM ledger_postings',
    ]) {
      expect(() => database.exec(sql)).toThrow('append-only')
    }
    database.close()
    store = openStore(folder)
  })

  it.each([
    ['an amount', 'UPDATE ledger_postings SET amount = amount * 2 WHERE entry_no = 2'],
    ['a time', 'UPDATE ledger_entries SET at = 7 WHERE no = 2'],
    ['a balance', `UPDATE ledger_accounts SET balance = balance + 1 WHERE name LIKE 'partner%'`],
    [
      'two balances that cancel out',
      `UPDATE ledger_accounts SET balance = balance + CASE name WHEN 'platform:bank' THEN -1 ELSE 1 END`,
    ],
    [
      'a missing entry',
      'DELETE FROM ledger_postings WHERE entry_no = 3; DELETE FROM ledger_entries WHERE no = 3',
    ],
    [
      'an entry missing within',
      'DELETE FROM ledger_postings WHERE entry_no = 2; DELETE FROM ledger_entries WHERE no = 2',
    ],
  ])('reports a change of %s', async (_what, sql) => {
    for (let i = 0; i < 3; i += 1) book()
    expect(createLedger(store).proveAll()).toMatchObject({ ok: true, entries: 3, problem: null })
    tamper(sql)
    expect(createLedger(store).proveAll().ok).toBe(false)
    expect(createLedger(store).proveRecent().ok).toBe(false)
    expect((await createLedger(store).proveInPieces()).ok).toBe(false)
  })

  describe('proved in pieces', () => {
    const many = 600
    const bookMany = () =>
      store.transaction(() => {
        for (let i = 0; i < many; i += 1) book()
      })
    /** Resolves between two pieces: after one turn of the event loop. */
    const between = () => new Promise<void>((resolve) => setImmediate(resolve))

    it('yields between pieces and proves the entries that existed at the start', async () => {
      bookMany()
      const ledger = createLedger(store)
      let proved = false
      const proof = ledger.proveInPieces().finally(() => (proved = true))
      await between()
      expect(proved).toBe(false)
      book()
      expect(await proof).toMatchObject({ ok: true, entries: many })
      expect(await ledger.proveInPieces()).toMatchObject({ ok: true, entries: many + 1 })
    })

    it('starts again when another state replaces the one it proves', async () => {
      bookMany()
      const state = store.snapshots.openEmpty()
      await state.complete()
      const ledger = createLedger(store)
      const proof = ledger.proveInPieces()
      await between()
      state.adopt()
      state.discard()
      book()
      ledger.reload()
      expect(await proof).toMatchObject({ ok: true, entries: 1 })
    })
  })

  it('is proved from its last checkpoint at a start', () => {
    book()
    createLedger(store).checkpoint()
    book()
    expect(createLedger(store).proveRecent()).toMatchObject({ ok: true, entries: 2 })
    tamper('UPDATE ledger_entries SET at = 7 WHERE no = 1')
    expect(createLedger(store).proveRecent().ok).toBe(true)
    expect(createLedger(store).proveAll().ok).toBe(false)
  })

  it("doesn't start from a checkpoint whose entry is missing", () => {
    book()
    book()
    createLedger(store).checkpoint()
    tamper(
      'DELETE FROM ledger_postings WHERE entry_no = 2; DELETE FROM ledger_entries WHERE no = 2',
    )
    expect(createLedger(store).proveRecent().ok).toBe(false)
  })
})

describe('a checkpoint', () => {
  it('is written every 5,000 entries, so that a start after a kill has little to prove', () => {
    const ledger = createLedger(store)
    const postings = transfer(account.bank, account.margin, cents(1))
    const post = (count: number) =>
      store.transaction(() => {
        for (let i = 0; i < count; i += 1)
          ledger.post({ mode: 'test', type: 'reset', at: 1, postings })
      })
    post(4999)
    expect(store.ledger.lastCheckpoint()).toBeUndefined()
    post(1)
    expect(store.ledger.lastCheckpoint()).toMatchObject({
      entryNo: 5000,
      hash: store.ledger.head()?.hash,
      balances: [
        { mode: 'test', account: 'platform:bank', balance: -5000 },
        { mode: 'test', account: 'platform:margin', balance: 5000 },
      ],
    })
    post(1)
    expect(store.ledger.lastCheckpoint()?.entryNo).toBe(5000)
    expect(ledger.proveRecent()).toMatchObject({ ok: true, entries: 5001 })
  })

  it('is written on request, and only when there are new entries', () => {
    const ledger = createLedger(store)
    ledger.checkpoint()
    expect(store.ledger.lastCheckpoint()).toBeUndefined()
    book()
    ledger.checkpoint()
    ledger.checkpoint()
    expect(store.ledger.lastCheckpoint()?.entryNo).toBe(1)
    book()
    ledger.checkpoint()
    expect(store.ledger.lastCheckpoint()?.entryNo).toBe(2)
  })

  it('is not trusted when the entry it names has changed', () => {
    book()
    book()
    createLedger(store).checkpoint()
    tamper('UPDATE ledger_entries SET hash = zeroblob(32) WHERE no = 2')
    expect(createLedger(store).proveRecent()).toMatchObject({
      ok: false,
      problem: "entry 2 isn't the one that was proved",
    })
  })
})

describe('an entry', () => {
  it('returns its public id and the balance of the partner it concerns', () => {
    expect(book(100)).toEqual({ no: 1, id: 'led_000000001', balanceAfter: 100 })
    expect(book(50)).toEqual({ no: 2, id: 'led_000000002', balanceAfter: 150 })
    expect(book(7, 'ptr_2')).toMatchObject({ balanceAfter: 7 })
    expect(createLedger(store).partnerBalance('ptr_1', 'live')).toBe(150)
    expect(createLedger(store).partnerBalance('ptr_1', 'test')).toBe(0)
    const [first] = Array.from(store.ledger.entriesAfter(0))
    expect(first).toMatchObject({
      mode: 'live',
      type: 'top_up',
      at: 1,
      orderId: null,
      reference: 'R',
      partnerId: 'ptr_1',
      amount: 100,
      balanceAfter: 100,
      postings: expect.arrayContaining([
        { account: 'platform:bank', amount: -100 },
        { account: 'partner:ptr_1', amount: 100 },
      ]),
    })
  })

  it('concerns no partner unless one is named', () => {
    const postings = transfer(account.partner('ptr_1'), account.orders, cents(5))
    const entry = { mode: 'live', type: 'order_settlement', at: 1, postings } as const
    expect(createLedger(store).post(entry)).toMatchObject({ balanceAfter: 0 })
    expect(Array.from(store.ledger.entriesAfter(0))).toMatchObject([
      { partnerId: null, amount: null, balanceAfter: null, orderId: null, reference: null },
    ])
  })
})

describe('whatever partners and sellers do', () => {
  it('sums to zero in both modes, total is delivered plus refunded, and no key is sold twice', async () => {
    const action = fc.oneof(
      fc.record({
        do: fc.constant('order' as const),
        product: fc.nat(2),
        qty: fc.integer({ min: 1, max: 4 }),
        mode: fc.constantFrom('live' as const, 'test' as const),
      }),
      fc.record({ do: fc.constant('fail' as const), units: fc.integer({ min: 1, max: 3 }) }),
      fc.record({
        do: fc.constant('stock' as const),
        product: fc.nat(2),
        seller: fc.nat(1),
        keys: fc.array(fc.nat(60), { minLength: 1, maxLength: 8 }),
      }),
      fc.record({
        do: fc.constant('price' as const),
        product: fc.nat(2),
        seller: fc.nat(1),
        price: fc.integer({ min: 1, max: 3000 }),
      }),
      fc.record({ do: fc.constant('topUp' as const), amount: fc.integer({ min: 1, max: 5000 }) }),
      fc.record({ do: fc.constant('withdraw' as const), product: fc.nat(2), seller: fc.nat(1) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (actions) => {
        let failing = 0
        const failsUnit = () => (failing > 0 ? (failing -= 1) >= 0 : false)
        const test: TestService = createTestService({ supplier: { down: () => false, failsUnit } })
        const shop = createShop(test)
        const partner = await shop.partner({}, 20_000)
        const sellers = [await shop.seller(), await shop.seller()]
        const products = [await shop.product(), await shop.product(), await shop.product()]
        const offers = new Map<string, string>()
        for (const seller of sellers)
          for (const product of products)
            offers.set(seller + product, (await shop.offer(seller, product, 500)).id)
        const placed: { id: string; mode: 'live' | 'test' }[] = []
        for (const step of actions) {
          const seller = 'seller' in step ? (sellers[step.seller] ?? '') : ''
          const product = 'product' in step ? (products[step.product] ?? '') : ''
          const offer = offers.get(seller + product) ?? ''
          if (step.do === 'fail') failing = step.units
          if (step.do === 'stock')
            await shop.upload(
              seller,
              offer,
              step.keys.map((key) => `K${key}`),
            )
          if (step.do === 'price') await shop.offer(seller, product, step.price)
          if (step.do === 'topUp') await shop.topUp(partner, 'live', step.amount)
          if (step.do === 'withdraw')
            await test.run(
              'withdrawKeys',
              { kind: 'seller', sellerId: seller, keyId: 'k' },
              { params: { id: offer }, body: {} },
            )
          if (step.do === 'order') {
            const order = await shop
              .order(partner, shop.request(product, step.qty), step.mode)
              .catch(() => null)
            if (order) placed.push({ id: order.id, mode: step.mode })
          }
          const { ok, sums } = await shop.ledger()
          expect([ok, sums.live, sums.test]).toEqual([true, 0, 0])
        }
        await test.settled()
        const sold = new Set<string>()
        for (const { id, mode } of placed) {
          const order = await shop.getOrder(partner, id, mode)
          const keys = await shop.keysOf(partner, id, mode)
          const delivered = order.items.reduce(
            (sum, { unitPrice, deliveredQty }) => sum + unitPrice * deliveredQty,
            0,
          )
          expect(order.total).toBe(delivered + order.refunded)
          expect(keys).toHaveLength(
            order.items.reduce((sum, { deliveredQty }) => sum + deliveredQty, 0),
          )
          for (const { productId, value } of keys) {
            if (mode === 'live') expect(sold.has(`${productId} ${value}`)).toBe(false)
            sold.add(`${productId} ${value}`)
          }
        }
        expect(test.store.ledger.balance('live', account.orders)).toBe(0)
        expect(test.store.ledger.balance('test', account.orders)).toBe(0)
        await test.close()
      }),
      { numRuns: 12 },
    )
  })
})

describe("a partner's ledger", () => {
  it('lists every movement with the balance after it, newest first', async () => {
    const test = createTestService()
    const shop = createShop(test)
    const partner = await shop.partner({}, 0)
    await shop.topUp(partner, 'live', 5000)
    await shop.topUp(partner, 'test', 100)
    await test.run('resetTestBalance', dashboard, {
      params: { id: partner },
      body: { amount: cents(30) },
    })
    const product = await shop.product()
    await shop.offer(await shop.seller(), product, 1000, 1)
    const order = await shop.order(partner, shop.request(product))
    const list = async (query: { mode?: 'live' | 'test' }) =>
      (await test.run('listPartnerLedger', dashboard, { params: { id: partner }, query })).body
    expect((await list({ mode: 'live' })).results).toMatchObject([
      { type: 'order_debit', amount: -1100, balanceAfter: 3900, orderId: order.id },
      { type: 'top_up', amount: 5000, balanceAfter: 5000, orderId: null },
    ])
    expect((await list({ mode: 'test' })).results).toMatchObject([
      { type: 'reset', amount: -70, balanceAfter: 30 },
      { type: 'top_up' },
    ])
    expect((await list({})).total).toBe(4)
    expect((await test.run('getBalance', partnerCaller(partner, 'test'))).body.balance).toBe(30)
    await test.close()
  })
})
