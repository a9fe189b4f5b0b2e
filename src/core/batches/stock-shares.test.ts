import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareStock } from './stock-shares.ts'
import type { Range, StockReading } from './stock-shares.ts'

/** A reading of the present stock. */
const readNow = (stock: number): StockReading => ({
  stock,
  left: { least: 0, most: 0 },
  arrived: { least: 0, most: 0 },
})

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
        const found = shareStock(offer.batches, {
          replacedAt: offer.replacedAt,
          reading: readNow(stock),
        })
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
          reading: readNow(inStock.length),
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
  expect(
    shareStock([late], {
      replacedAt: [9],
      reading: { ...readNow(56), left: { least: 0, most: 2 } },
    }),
  ).toEqual({
    stock: 54,
    shares: [{ sent: 1, forSale: 54 }],
  })
  // One of four sales without a known key is newer than the reading.
  expect(
    shareStock([{ ...late, sold: 0 }], {
      replacedAt: [],
      reading: { ...readNow(57), left: { least: 1, most: 1 } },
    }),
  ).toEqual({ stock: 56, shares: [{ sent: 0, forSale: 56 }] })
  // Keys that were uploaded elsewhere stay in stock, and belong to no batch.
  expect(
    shareStock([late], {
      replacedAt: [],
      reading: { ...readNow(70), left: { least: 1, most: 1 } },
    }),
  ).toEqual({
    stock: 69,
    shares: [{ sent: 0, forSale: 55 }],
  })
})

/**
 * What happens at the service, and the three moments of a reading of the stock: its request is
 * sent, the service counts, the response arrives. `read-sales` reads all sales until then.
 */
type Moment =
  | { does: 'upload' | 'withdraw' | 'upload-elsewhere'; keys: number }
  | { does: 'sell' | 'replace' | 'ask' | 'count' | 'arrive' | 'read-sales' }

const amount = fc.integer({ min: 1, max: 4 })
const interleavings = (elsewhere: boolean): fc.Arbitrary<Moment[]> =>
  fc.array(
    fc.oneof(
      fc.record({ does: fc.constantFrom('upload' as const, 'withdraw' as const), keys: amount }),
      ...(elsewhere
        ? [fc.record({ does: fc.constant('upload-elsewhere' as const), keys: amount })]
        : []),
      fc.record({
        does: fc.constantFrom(
          ...(['sell', 'sell', 'replace', 'ask', 'count', 'arrive', 'read-sales'] as const),
        ),
      }),
    ),
    { maxLength: 60 },
  )

const ELSEWHERE = -1
/** An offer at the service, and what this computer knows about it. */
function createWorld() {
  const batches: { keys: number; gone: number; uploadedAt: number }[] = []
  const sales: { batch: number; at: number }[] = []
  const replacedAt: number[] = []
  const withdrawnAt: number[] = []
  const elsewhereAt: number[] = []
  let inStock: number[] = []
  let salesRead = 0
  let asked: number | null = null
  let counted: number | null = null
  let reading: { stock: number; from: number; to: number } | null = null

  const since = (at: readonly number[]): Range => ({
    least: at.filter((each) => each > (reading?.to ?? 0)).length,
    most: at.filter((each) => each >= (reading?.from ?? 0)).length,
  })
  return {
    run(moment: Moment, now: number): void {
      if (moment.does === 'upload') {
        inStock.push(...Array.from({ length: moment.keys }, () => batches.length))
        batches.push({ keys: moment.keys, gone: 0, uploadedAt: now })
      } else if (moment.does === 'upload-elsewhere') {
        inStock.push(...Array.from({ length: moment.keys }, () => ELSEWHERE))
        elsewhereAt.push(...Array.from({ length: moment.keys }, () => now))
      } else if (moment.does === 'withdraw') {
        const taken = inStock.slice(0, moment.keys)
        inStock = inStock.slice(moment.keys)
        for (const batch of taken.filter((each) => each !== ELSEWHERE)) {
          const found = batches[batch]
          if (found !== undefined) found.gone += 1
        }
        withdrawnAt.push(...taken.map(() => now))
      } else if (moment.does === 'sell') {
        const batch = inStock.shift()
        if (batch !== undefined) sales.push({ batch, at: now })
      } else if (moment.does === 'replace') {
        if (inStock.shift() !== undefined) replacedAt.push(now)
      } else if (moment.does === 'read-sales') salesRead = sales.length
      else if (moment.does === 'ask') [asked, counted] = [now, null]
      else if (moment.does === 'count' && asked !== null) counted ??= inStock.length
      else if (moment.does === 'arrive' && asked !== null && counted !== null) {
        reading = { stock: counted, from: asked, to: now }
        ;[asked, counted] = [null, null]
      }
    },
    /** The shown counts beside the true ones; null before the first reading. */
    counts() {
      if (reading === null) return null
      const read = sales.slice(0, salesRead)
      const sold = since(read.map(({ at }) => at))
      const replaced = since(replacedAt)
      const arrivals = batches.flatMap(({ keys, uploadedAt }) =>
        Array.from({ length: keys }, () => uploadedAt),
      )
      const arrived = since(arrivals)
      const left = {
        least: sold.least + replaced.least,
        most: sold.most + replaced.most + since(withdrawnAt).most,
      }
      const known = batches.map((batch, index) => ({
        ...batch,
        sold: read.filter((sale) => sale.batch === index).length,
      }))
      const shown = shareStock(known, {
        replacedAt,
        reading: { stock: reading.stock, left, arrived },
      })
      return {
        known,
        shown,
        stock: inStock.length,
        perBatch: batches.map((_, index) => inStock.filter((batch) => batch === index).length),
        unread: sales.length - salesRead,
        // Movements while the response was on its way: it may or may not include them. Keys that
        // another computer uploads are known from the next reading on.
        unsure: left.most - left.least + arrived.most - arrived.least + since(elsewhereAt).most,
      }
    },
  }
}
type Counts = NonNullable<ReturnType<ReturnType<typeof createWorld>['counts']>>

function atEveryMoment(elsewhere: boolean, check: (counts: Counts) => void): void {
  fc.assert(
    fc.property(interleavings(elsewhere), (moments) => {
      const world = createWorld()
      moments.forEach((moment, at) => {
        world.run(moment, at + 1)
        const counts = world.counts()
        if (counts !== null) check(counts)
      })
    }),
    { numRuns: 500 },
  )
}

test('agrees to the key at every moment of reads, sales, replacements and withdrawals', () => {
  atEveryMoment(false, ({ known, shown, stock, perBatch, unread }) => {
    const forSale = shown.shares.map((share) => share.forSale)
    expect(shown.stock).toBe(forSale.reduce((sum, keys) => sum + keys, 0))
    expect(shown.stock).toBeGreaterThanOrEqual(stock)
    expect(shown.stock).toBeLessThanOrEqual(stock + unread)
    if (unread > 0) return
    expect(forSale).toEqual(perBatch)
    shown.shares.forEach(({ sent }, index) => {
      const { keys = 0, gone = 0, sold = 0 } = known[index] ?? {}
      expect(gone + sold + sent + (forSale[index] ?? 0)).toBe(keys)
    })
  })
})

test('never counts fewer keys of a batch in stock than it has, so that an alarm blocks a replacement', () => {
  atEveryMoment(false, ({ shown, perBatch }) => {
    for (const [index, keys] of perBatch.entries())
      expect(shown.shares[index]?.forSale).toBeGreaterThanOrEqual(keys)
  })
})

test('counts keys that were uploaded elsewhere, as far as a reading can include them', () => {
  atEveryMoment(true, ({ shown, stock, unread, unsure }) => {
    expect(shown.stock).toBeGreaterThanOrEqual(stock - unsure)
    if (unsure === 0 && unread === 0) expect(shown.stock).toBe(stock)
  })
})
