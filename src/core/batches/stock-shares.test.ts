import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareStock } from './stock-shares.ts'

/** An offer as the service keeps it: its keys in stock, oldest first, by their batch. */
type Offer = {
  inStock: number[]
  batches: { keys: number; gone: number; sold: number; uploadedAt: number }[]
  replacedAt: number[]
}
type Step =
  | { does: 'upload' | 'withdraw'; keys: number }
  | { does: 'sell' | 'sell-unseen' | 'replace' }
  | { does: 'undo'; batch: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constantFrom('upload' as const, 'withdraw' as const),
    keys: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ does: fc.constantFrom('sell' as const, 'replace' as const) }),
  fc.record({ does: fc.constant('undo' as const), batch: fc.nat(4) }),
)

function run(offer: Offer, each: Step, at: number): void {
  const { inStock, batches, replacedAt } = offer
  const count = (batch: number | undefined, as: 'gone' | 'sold'): void => {
    const found = batches[batch ?? -1]
    if (found !== undefined) found[as] += 1
  }
  if (each.does === 'upload') {
    for (let key = 0; key < each.keys; key += 1) inStock.push(batches.length)
    batches.push({ keys: each.keys, gone: 0, sold: 0, uploadedAt: at })
  } else if (each.does === 'withdraw')
    for (const batch of inStock.splice(0, each.keys)) count(batch, 'gone')
  else if (each.does === 'sell') count(inStock.shift(), 'sold')
  else if (each.does === 'sell-unseen') inStock.shift()
  else if (each.does === 'replace') {
    if (inStock.shift() !== undefined) replacedAt.push(at)
  } else if (each.does === 'undo') {
    for (const batch of inStock) if (batch === each.batch) count(batch, 'gone')
    offer.inStock = inStock.filter((batch) => batch !== each.batch)
  }
}
const perBatch = ({ inStock, batches }: Offer): number[] =>
  batches.map((_, batch) => inStock.filter((each) => each === batch).length)

function runAll(steps: readonly Step[], check: (offer: Offer, at: number) => void): void {
  const offer: Offer = { inStock: [], batches: [], replacedAt: [] }
  steps.forEach((each, at) => {
    run(offer, each, at)
    check(offer, at)
  })
}

test('counts every key once: sold, withdrawn, sent as a replacement, or in stock', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      runAll(steps, (offer) => {
        const stock = offer.inStock.length
        const found = shareStock(offer.batches, { replacedAt: offer.replacedAt, stock, newer: 0 })
        expect(found.stock).toBe(stock)
        expect(found.shares.map(({ forSale }) => forSale)).toEqual(perBatch(offer))
        found.shares.forEach(({ sent, forSale }, at) => {
          const { keys = 0, gone = 0, sold = 0 } = offer.batches[at] ?? {}
          expect(sold + gone + sent + forSale).toBe(keys)
        })
      })
    }),
  )
})

test('agrees with the stock while sales or the offer are read late', () => {
  const steps = fc.array(fc.oneof(step, fc.record({ does: fc.constant('sell-unseen' as const) })), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(steps, (all) => {
      runAll(all, ({ inStock, batches, replacedAt }) => {
        const { stock, shares } = shareStock(batches, {
          replacedAt,
          stock: inStock.length,
          newer: 0,
        })
        const forSale = shares.reduce((sum, share) => sum + share.forSale, 0)
        expect(forSale).toBeLessThanOrEqual(stock ?? 0)
        shares.forEach((share, at) => {
          const { keys = 0, gone = 0, sold = 0 } = batches[at] ?? {}
          expect(share.forSale).toBeGreaterThanOrEqual(0)
          expect(sold + gone + share.sent + share.forSale).toBeLessThanOrEqual(keys)
        })
      })
    }),
  )
  // Five of 60 keys sold, one of them and one replacement since the offer was read.
  const late = { keys: 60, gone: 0, sold: 5, uploadedAt: 0 }
  expect(shareStock([late], { replacedAt: [9], stock: 56, newer: 2 })).toEqual({
    stock: 54,
    shares: [{ sent: 1, forSale: 54 }],
  })
  // Keys that were uploaded elsewhere stay in stock, and belong to no batch.
  expect(shareStock([late], { replacedAt: [], stock: 70, newer: 1 })).toEqual({
    stock: 69,
    shares: [{ sent: 0, forSale: 55 }],
  })
})
