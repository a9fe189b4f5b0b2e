import Database from 'better-sqlite3'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import {
  createTestService,
  dashboard,
  partnerCaller,
  sellerCaller,
  type TestService,
} from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'

let test: TestService
let shop: ReturnType<typeof createShop>
beforeEach(() => {
  test = createTestService()
  shop = createShop(test)
})
afterEach(() => test.close())

const save = (name = 'one') => test.run('createSnapshot', dashboard, { body: { name } })
const restore = (name = 'one') => test.run('restoreSnapshot', dashboard, { params: { name } })
const file = (name: string) => join(test.folder, 'snapshots', `${name}.sqlite`)

describe('a snapshot', () => {
  it('restores everything: balances, orders, keys, stock, the clock, and a ledger that proves', async () => {
    const partner = await shop.partner()
    const seller = await shop.seller()
    const product = await shop.product()
    const { id: offer } = await shop.offer(seller, product, 1000, 3)
    const first = await shop.order(partner, shop.request(product))
    await test.settled()
    const { offsetMs } = (await test.run('getClock', dashboard)).body
    const head = (await shop.ledger()).headHash
    await save()

    const later = await shop.order(partner, shop.request(product, 2))
    await test.settled()
    await test.run('advanceClock', dashboard, { body: { ms: 8 * 86_400_000 } })
    await shop.product()
    await restore()

    expect(await shop.balance(partner)).toBe(1_000_000 - 1100)
    expect(await shop.keysOf(partner, first.id)).toHaveLength(1)
    await expect(
      test.run('getOrder', partnerCaller(partner), { params: { id: later.id } }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(
      (await test.run('getOffer', sellerCaller(seller), { params: { id: offer } })).body,
    ).toMatchObject({ stock: 2, sold: 1 })
    expect(
      (await test.run('getProduct', partnerCaller(partner), { params: { id: product } })).body.qty,
    ).toBe(2)
    expect((await test.run('getClock', dashboard)).body.offsetMs).toBe(offsetMs)
    expect(await shop.ledger()).toMatchObject({
      ok: true,
      headHash: head,
      sums: { live: 0, test: 0 },
    })

    const again = await shop.order(partner, shop.request(product, 2))
    await test.settled()
    expect((await shop.getOrder(partner, again.id)).status).toBe('completed')
  })

  it('keeps work in progress: accepted orders are delivered and pending events sent after a restore', async () => {
    await test.close()
    let receives = false
    const sent: string[] = []
    test = createTestService({
      send: async ({ headers }) => {
        sent.push(headers['X-SVC-Delivery'] ?? '')
        return { status: receives ? 200 : 500, error: null, durationMs: 0 }
      },
    })
    shop = createShop(test)
    const id = await shop.partner()
    const params = { id }
    await test.run('putWebhook', dashboard, { params, body: { url: 'https://shop.example/' } })
    const { deliveryId } = (
      await test.run('testPartnerWebhook', dashboard, { params, body: { mode: 'test' } })
    ).body
    await new Promise((resolve) => setTimeout(resolve, 20))
    await save()
    await test.run('deleteWebhook', dashboard, { params })
    receives = true
    await restore()
    await test.run('advanceClock', dashboard, { body: { ms: 60_000 } })
    expect((await test.run('listDeliveries', dashboard, { params })).body.results).toMatchObject([
      { id: deliveryId, status: 'delivered', attempts: [{ status: 500 }, { status: 200 }] },
    ])
    expect(sent).toEqual([deliveryId, deliveryId])
  })

  it('is a private file, listed by name, replaced by a later one of its name; leaves no others', async () => {
    expect((await test.run('listSnapshots', dashboard)).body.results).toEqual([])
    await save('two')
    await save('one')
    await shop.partner()
    const saved = (await save('two')).body
    expect(saved.createdAt).toBe(new Date(test.clock.now()).toISOString())
    const { results } = (await test.run('listSnapshots', dashboard)).body
    expect(results.map(({ name }) => name)).toEqual(['one', 'two'])
    expect(results[1]).toEqual(saved)
    expect(statSync(file('two')).mode & 0o777).toBe(0o600)
    expect(statSync(join(test.folder, 'snapshots')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(test.folder, 'snapshots'))).toEqual(['one.sqlite', 'two.sqlite'])
    await restore('two')
    expect((await test.run('listPartners', dashboard)).body.total).toBe(1)
  })

  it('is restored beside the present state, which answers meanwhile; several take turns', async () => {
    await save()
    const partner = await shop.partner()
    const done: string[] = []
    const restored = restore().then(() => done.push('restored'))
    const reset = test.run('reset', dashboard, { body: {} }).then(() => done.push('reset'))
    expect(await shop.balance(partner)).toBe(1_000_000)
    expect(done).toEqual([])
    await Promise.all([restored, reset])
    expect(done).toEqual(['restored', 'reset'])
    expect((await test.run('listPartners', dashboard)).body.total).toBe(0)
    expect(readdirSync(join(test.folder, 'snapshots'))).toEqual(['one.sqlite'])
  })

  it("returns NOT_FOUND when it doesn't exist, and no path leads out of the folder", async () => {
    await expect(restore()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    for (const name of ['../keydesk', '.hidden', 'a/b', '', 'x'.repeat(65)])
      await expect(restore(name)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('is rejected when newer, unreadable or with a changed ledger; the present state stays', async () => {
    const partner = await shop.partner()
    for (const name of ['newer', 'forged']) await save(name)
    const newer = new Database(file('newer'))
    newer.pragma('user_version = 9999')
    newer.close()
    const forged = new Database(file('forged'))
    const guard = forged
      .prepare(`SELECT sql FROM sqlite_schema WHERE name = 'ledger_postings_stay'`)
      .pluck()
      .get()
    forged.exec(`DROP TRIGGER ledger_postings_stay; UPDATE ledger_postings SET amount = amount * 2;
      ${String(guard)}`)
    forged.close()
    writeFileSync(file('none'), 'not a database')
    writeFileSync(file('empty'), '')
    await shop.topUp(partner, 'live', 5)
    for (const [name, message] of [
      ['newer', /newer version/],
      ['none', /read/],
      ['empty', /read/],
      ['forged', /ledger/],
    ] as const) {
      await expect(restore(name), name).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field: 'name', message: expect.stringMatching(message) }],
      })
    }
    expect(await shop.balance(partner)).toBe(1_000_005)
    expect((await shop.ledger()).ok).toBe(true)
  })
})

describe('the differences between two states', () => {
  const compare = async (to?: string) =>
    (
      await test.run('compareSnapshot', dashboard, {
        params: { name: 'one' },
        query: to === undefined ? {} : { to },
      })
    ).body

  it('are sentences about orders, stock, prices, offers, ledger, disputes and the clock', async () => {
    const partner = await shop.partner()
    const seller = await shop.seller()
    const product = await shop.product()
    const { id: offer } = await shop.offer(seller, product, 1000, 3)
    await save()
    const saved = test.clock.now()
    const at = (ms: number): string => new Date(ms).toISOString()
    expect(await compare()).toEqual({ from: 'one', to: null, total: 0, results: [] })

    const { id } = await shop.order(partner, shop.request(product))
    await test.settled()
    const keyId = (await shop.keysOf(partner, id))[0]?.id ?? ''
    await test.run('createClaim', dashboard, {
      body: { orderId: id, keyId, message: "It doesn't work." },
    })
    await test.run('changeOffer', sellerCaller(seller), {
      params: { id: offer },
      body: { price: cents(1250) },
    })
    await test.run('advanceClock', dashboard, { body: { ms: 3_600_000 } })
    await save('two')
    await shop.product()
    const { results, total } = await compare('two')
    expect(total).toBe(results.length)
    const texts = results.map(({ area, text }) => `${area}: ${text}`)
    expect(texts).toEqual(
      expect.arrayContaining([
        `clock: The clock: time ${at(saved + 3_600_000)} instead of ${at(saved)}.`,
        expect.stringMatching(
          /^orders: Order \S+ \(live\) is new: status completed, total EUR 11.00.$/,
        ),
        expect.stringMatching(
          /^stock: .*: units in stock 2 instead of 3, units sold 1 instead of 0.$/,
        ),
        expect.stringMatching(/^prices: .*: price EUR 13.75 instead of EUR 11.00.$/),
        expect.stringMatching(
          /^offers: Offer of .* for .*: price EUR 12.50 instead of EUR 10.00.$/,
        ),
        `ledger: Account partner:${partner} (live): balance EUR 9,989.00 instead of EUR 10,000.00.`,
        'ledger: Ledger entries order_debit (live) is new: entries 1.',
        expect.stringMatching(/^disputes: Dispute \S+ is new: status open, messages 1.$/),
      ]),
    )
    // The product that was added later belongs to the present state only.
    expect((await compare()).results.filter(({ area }) => area === 'prices')).toHaveLength(2)
    await restore()
    expect((await compare()).total).toBe(0)
    expect((await save('three')).body.name).toBe('three')
  })

  it('name what is gone', async () => {
    await shop.product()
    await save()
    await test.run('reset', dashboard, { body: {} })
    const { results } = await compare()
    expect(results.find(({ area }) => area === 'prices')?.text).toMatch(/ is gone\.$/)
  })

  it('need two snapshots of this version that exist', async () => {
    await expect(compare()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await save()
    await expect(compare('two')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(compare('../one')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    const older = new Database(file('one'))
    older.pragma('user_version = 1')
    older.close()
    await expect(compare()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    writeFileSync(file('one'), 'not a database')
    await expect(compare()).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})
