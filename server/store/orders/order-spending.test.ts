import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cents, ZERO } from '../../api/money.ts'
import { openStore } from '../store.ts'
import { DAY_MS } from '../../api/time.ts'

it('sums an account’s spend in any 24 hours over its orders, however they are spread', () => {
  const store = openStore(':memory:')
  let accounts = 0
  const order = fc.record({
    after: fc.nat(DAY_MS / 2),
    total: fc.nat(1000),
    share: fc.nat(100),
    mode: fc.constantFrom('live' as const, 'test' as const),
  })
  fc.assert(
    fc.property(fc.array(order, { maxLength: 25 }), fc.nat(3 * DAY_MS), (orders, offset) => {
      accounts += 1
      const partnerId = `ptr_${accounts}`
      store.accounts.insertPartner({
        id: partnerId,
        name: 'P',
        email: null,
        status: 'active',
        perOrderLimit: null,
        dailyLimit: null,
        ipAllowlist: [],
        priceFactor: 1,
        createdAt: 0,
      })
      let at = 1_000_000_000
      const placed = orders.map(({ after, total, share, mode }, index) => {
        // Several orders may share one millisecond.
        at += after % 3 === 0 ? 0 : after
        const spentBefore = store.orders.spending(partnerId, mode).spent
        const refunded = share < 30 ? Math.floor((total * share) / 30) : 0
        store.orders.insert({
          id: `ord_${accounts}_${index}`,
          partnerId,
          externalId: `${index}`,
          mode,
          status: 'completed',
          total: cents(total),
          refunded: refunded === 0 ? ZERO : cents(refunded),
          spentBefore,
          createdAt: at,
          completedAt: at,
          dueAt: null,
          firstDownloadedAt: null,
          lines: [],
        })
        return { mode, at, net: total - refunded }
      })
      const now = at + offset
      for (const mode of ['live', 'test'] as const) {
        const brute = placed
          .filter((one) => one.mode === mode && one.at > now - DAY_MS)
          .reduce((sum, { net }) => sum + net, 0)
        const { orders: repository } = store
        const gross =
          repository.spending(partnerId, mode).spent -
          repository.spentUpTo(partnerId, mode, now - DAY_MS)
        expect(gross - repository.refundedSince(partnerId, mode, now - DAY_MS)).toBe(brute)
      }
    }),
    { numRuns: 100 },
  )
  store.close()
})
