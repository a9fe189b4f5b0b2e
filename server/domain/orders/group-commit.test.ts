import { afterEach, beforeEach, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import { openStore } from '../../store/store.ts'
import { createGroupCommit } from './group-commit.ts'
import type { Store } from '../ports/store.ts'
import { createTestService, partnerCaller } from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'

let store: Store
beforeEach(() => {
  store = openStore(':memory:')
})
afterEach(() => store.close())

it("commits the work of one turn together; failed work leaves no trace and doesn't affect the rest", async () => {
  const commits = createGroupCommit(store)
  const committed: string[] = []
  const write = (name: string, fail = false) =>
    commits.run(() => {
      store.settings.set(name, 'written')
      store.afterCommit(() => committed.push(name))
      if (fail) throw new Error(`${name} fails`)
      expect(committed).toEqual([])
      return name
    })
  const outcomes = await Promise.allSettled([write('a'), write('b', true), write('c')])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(['a', 'b', 'c'].map((name) => store.settings.get(name))).toEqual([
    'written',
    undefined,
    'written',
  ])
  expect(committed).toEqual(['a', 'c'])
  committed.length = 0
  expect(await write('d')).toBe('d')
})

it('runs more work than fits into one transaction, in the order it arrived', async () => {
  const commits = createGroupCommit(store)
  const done: number[] = []
  await Promise.all(Array.from({ length: 200 }, (_, i) => commits.run(() => done.push(i))))
  expect(done).toEqual(Array.from({ length: 200 }, (_, i) => i))
})

it("rejects every caller when the transaction can't be committed", async () => {
  const commits = createGroupCommit({
    ...store,
    transaction: (work) =>
      store.transaction(() => {
        work()
        throw new Error('disk full')
      }),
  })
  const outcomes = await Promise.allSettled([
    commits.run(() => store.settings.set('a', '1')),
    commits.run(() => 2),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(store.settings.get('a')).toBeUndefined()
})

it('never oversells stock or overspends a balance when orders arrive together', async () => {
  const test = createTestService()
  const shop = createShop(test)
  const product = await shop.product()
  await shop.offer(await shop.seller(), product, 1000, 20)
  const [rich, poor] = [await shop.partner(), await shop.partner({}, 3 * 1100)]
  const place = (partner: string, key: string) =>
    test.run(
      'createOrder',
      partnerCaller(partner),
      {
        body: {
          externalId: key,
          items: [{ productId: product, qty: 1, maxUnitPrice: cents(1100) }],
        },
        query: {},
      },
      { key },
    )
  const attempts = Array.from({ length: 15 }, (_, i) => [
    place(poor, `poor-order-${i}`),
    place(rich, `rich-order-${i}`),
    place(rich, `rich-order-${i}`),
  ]).flat()
  const outcomes = await Promise.allSettled(attempts)
  const placed = new Set(
    outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.body.id] : [])),
  )
  expect(placed.size).toBe(18)
  await test.settled()
  expect(await shop.balance(poor)).toBe(0)
  expect(await shop.balance(rich)).toBe(1_000_000 - 15 * 1100)
  expect(test.store.offers.supplySummary(product).units).toBe(2)
  expect(await shop.ledger()).toMatchObject({ ok: true })
  await test.close()
})
