import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../context.ts'
import { account } from '../ledger/ledger.ts'
import type { SeedBuilder } from '../ports/seeding.ts'
import type { TestService } from '../testing/fixture.ts'
import { openSeededService, order, type SeededService, seedShop, start } from './testing/seeds.ts'

let test: TestService
let build: SeededService['build']
beforeEach(() => {
  ;({ test, build } = openSeededService())
})
afterEach(() => test.close())

const pending = (): number => test.store.ledger.balance('live', account.sellerPending('sel_1'))

describe('time in the seeded data', () => {
  it('releases the sellers’ money seven days after delivery, and not earlier', () => {
    build((world) => {
      seedShop(world)
      world.order(order({ deliveredAfterMs: 0 }))
      world.passTime(start + 8 * DAY - 1)
      expect(pending()).toBe(2000)
      world.passTime(start + 8 * DAY)
      expect(pending()).toBe(0)
      const sales = test.store.sales.page('sel_1', 0, 9)
      expect(sales.map(({ releasedAt }) => releasedAt)).toEqual([start + 8 * DAY, start + 8 * DAY])
    })
  })

  it('passes up to the next order, which sees what became due before', () => {
    build((world) => {
      seedShop(world)
      world.order(order({ deliveredAfterMs: 0 }))
      world.order(order({ externalId: 'later', at: start + 9 * DAY }))
      expect(pending()).toBe(2000)
      expect(test.store.sales.count('sel_1')).toBe(4)
    })
  })
})

describe('a seeded claim', () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

  /** Claims the first unit of an order two days after the start. */
  function claim(world: SeedBuilder, screenshot?: Uint8Array) {
    const { no } = world.order(order({ deliveredAfterMs: 0 }))
    const at = start + 2 * DAY
    const picture = screenshot === undefined ? {} : { screenshot }
    const id = world.claim({ orderNo: no, message: 'It says used.', at, ...picture })
    const dispute = () => test.store.disputes.find(id)
    const messages = () => test.store.disputes.messages(dispute()?.no ?? 0)
    return { id, no, dispute, messages }
  }

  it('opens a dispute about the first unit, with its screenshot', () => {
    build((world) => {
      seedShop(world)
      const { dispute, messages, no } = claim(world, png)
      expect(dispute()).toMatchObject({
        status: 'open',
        reason: 'It says used.',
        openedAt: start + 2 * DAY,
        keyId: test.store.orders.delivered(no)[0]?.id,
      })
      expect(messages()).toMatchObject([
        { author: 'customer', attachments: [{ contentType: 'image/png' }] },
      ])
    })
  })

  it('needs no screenshot, but a delivered unit', () => {
    build((world) => {
      seedShop(world)
      expect(claim(world).messages()).toMatchObject([{ attachments: [] }])
      const { no } = world.order(order({ externalId: 'failed', failUnits: 2 }))
      for (const orderNo of [no, 99])
        expect(() => world.claim({ orderNo, message: 'None.', at: start + DAY })).toThrow(
          `a seeded claim has no unit in order ${orderNo}`,
        )
    })
  })

  it('escalates three days later, before a later message', () => {
    build((world) => {
      seedShop(world)
      const { id, dispute, messages } = claim(world)
      world.addMessage(id, 'support', 'We are checking.', start + 5 * DAY - 1)
      expect(dispute()?.status).toBe('open')
      world.addMessage(id, 'seller', 'Sorry!', start + 5 * DAY + 1)
      expect(dispute()).toMatchObject({ status: 'escalated', updatedAt: start + 5 * DAY + 1 })
      expect(messages().map(({ author, createdAt }) => [author, createdAt - start])).toEqual([
        ['customer', 2 * DAY],
        ['support', 5 * DAY - 1],
        ['seller', 5 * DAY + 1],
      ])
    })
  })

  it.each(['replaceFromStock', 'refund'] as const)(
    'ends by %s at the given time, after everything that was due before',
    (how) => {
      build((world) => {
        seedShop(world)
        const { id, dispute } = claim(world)
        const at = start + 8 * DAY + 1
        world[how](id, at)
        expect(dispute()).toMatchObject({
          status: 'resolved',
          resolution: how === 'refund' ? 'refunded' : 'replaced',
          resolvedAt: at,
        })
        // The other unit of the order was released in the meantime.
        expect(
          test.store.sales.page('sel_1', 0, 9).filter(({ releasedAt }) => releasedAt),
        ).toHaveLength(how === 'refund' ? 1 : 2)
      })
    },
  )
})
