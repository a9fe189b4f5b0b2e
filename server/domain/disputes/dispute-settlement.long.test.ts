import fc from 'fast-check'
import { expect, it } from 'vitest'
import { account } from '../ledger/ledger.ts'
import { createTestService, dashboard, sellerCaller } from '../testing/fixture.ts'
import { createShop } from '../testing/shop.ts'

const HOUR = 3_600_000

const action = fc.oneof(
  fc.record({ do: fc.constant('order' as const), qty: fc.integer({ min: 1, max: 3 }) }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('claim' as const), unit: fc.nat() }) },
  fc.record({
    do: fc.constantFrom(
      'answer' as const,
      'complain' as const,
      'escalate' as const,
      'reject' as const,
    ),
    dispute: fc.nat(),
  }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refund' as const), dispute: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('replace' as const),
      dispute: fc.nat(),
      key: fc.option(fc.nat(40)),
    }),
  },
  fc.record({
    do: fc.constant('stock' as const),
    keys: fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
  }),
  // 168 hours after delivery a sale is released and may still be claimed.
  fc.record({
    do: fc.constant('advance' as const),
    hours: fc.oneof(fc.constant(168), fc.integer({ min: 1, max: 120 })),
  }),
)

/** The expected errors for customers and sellers; any other error is a defect. */
const expectedErrors = new Set([
  'OUT_OF_STOCK',
  'CLAIM_EXISTS',
  'CLAIM_WINDOW_CLOSED',
  'DISPUTE_RESOLVED',
  'DUPLICATE_KEY',
  'INSUFFICIENT_STOCK',
  'NOT_FOUND',
  'INSUFFICIENT_BALANCE',
  'DAILY_LIMIT_EXCEEDED',
])

it('keeps books, sales and keys consistent through claims, replacements, refunds and releases', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0.5, 1, 1.07),
      fc.array(action, { minLength: 10, maxLength: 45 }),
      async (priceFactor, actions) => {
        const test = createTestService()
        const shop = createShop(test)
        const partner = await shop.partner({ priceFactor }, 300_000)
        const seller = await shop.seller()
        const caller = sellerCaller(seller)
        const product = await shop.product()
        const offer = (await shop.offer(seller, product, 1234, 5)).id
        const orders: string[] = []
        const disputes: string[] = []
        let paid = 0
        let credited = 0

        const carryOut = async (step: (typeof actions)[number]): Promise<void> => {
          if (step.do === 'order') {
            const { id, total } = await shop.order(
              partner,
              shop.request(product, step.qty),
              'live',
              5,
            )
            orders.push(id)
            paid += total
          } else if (step.do === 'claim') {
            const units = (
              await Promise.all(
                orders.map(async (orderId) =>
                  (await shop.keysOf(partner, orderId)).map(({ id }) => ({ orderId, keyId: id })),
                ),
              )
            ).flat()
            const unit = units.at(-1 - (step.unit % Math.max(1, units.length)))
            if (unit)
              disputes.push(
                (await test.run('createClaim', dashboard, { body: { ...unit, message: 'No.' } }))
                  .body.disputeId,
              )
          } else if (step.do === 'stock')
            await shop.upload(
              seller,
              offer,
              step.keys.map((key) => `K${key}`),
            )
          else if (step.do === 'advance')
            await test.run('advanceClock', dashboard, { body: { ms: step.hours * HOUR } })
          else {
            const params = {
              id:
                disputes.at(-1 - (step.dispute % Math.max(1, Math.min(3, disputes.length)))) ??
                'dsp_none',
            }
            if (step.do === 'answer')
              await test.run('answerDispute', caller, { params, body: { body: 'Yes.' } })
            if (step.do === 'complain')
              await test.run('addOutsideMessage', dashboard, {
                params,
                body: { author: 'customer', body: 'No!' },
              })
            if (step.do === 'escalate')
              await test.run('escalateDispute', dashboard, { params, body: {} })
            if (step.do === 'reject')
              await test.run('rejectDispute', dashboard, { params, body: {} })
            if (step.do === 'replace')
              await test.run('replaceKey', caller, {
                params,
                body: step.key === null ? { fromStock: true } : { key: `K${step.key}` },
              })
            if (step.do === 'refund') {
              const { body } = await test.run('refundDispute', caller, { params })
              credited += (await shop.getOrder(partner, body.orderId)).items[0]?.unitPrice ?? 0
            }
          }
        }

        for (const step of [{ do: 'order', qty: 3 } as const, ...actions]) {
          await carryOut(step).catch((error: unknown) => {
            if (
              !(error instanceof Error && 'code' in error && expectedErrors.has(String(error.code)))
            )
              throw error
          })
          expect(await shop.ledger()).toMatchObject({ ok: true, sums: { live: 0, test: 0 } })
          const sales = (await test.run('listSales', caller, { query: { limit: 100 } })).body
            .results
          const sum = (status: string) =>
            sales
              .filter((sale) => sale.status === status)
              .reduce((total, { price }) => total + price, 0)
          const balance = (await test.run('getSellerBalance', caller)).body
          expect([balance.pending, balance.available]).toEqual([sum('pending'), sum('released')])
          const open = (
            await test.run('listDisputes', caller, { query: { limit: 100 } })
          ).body.results.filter(({ status }) => status !== 'resolved')
          const waiting = sales.filter(
            ({ id, status }) => status === 'pending' && !open.some(({ saleId }) => saleId === id),
          )
          expect(balance.upcomingReleases.reduce((total, { amount }) => total + amount, 0)).toBe(
            waiting.reduce((total, { price }) => total + price, 0),
          )
          expect(await shop.balance(partner)).toBe(300_000 - paid + credited)
        }

        const all = (await test.run('listDisputes', caller, { query: { limit: 100 } })).body.results
        const keys = (await Promise.all(orders.map((id) => shop.keysOf(partner, id)))).flat()
        const sold = (await test.run('listSales', caller)).body.total
        expect(new Set(keys.map(({ value }) => value)).size).toBe(keys.length)
        expect(keys).toHaveLength(
          sold + all.filter(({ resolution }) => resolution?.type === 'replaced').length,
        )
        expect(test.store.ledger.balance('live', account.orders)).toBe(0)
        await test.run('advanceClock', dashboard, { body: { ms: 60 * 24 * HOUR } })
        expect((await test.run('getSellerBalance', caller)).body.upcomingReleases).toEqual([])
        await test.close()
      },
    ),
    { numRuns: 20 },
  )
})
