import { type Cents, cents } from '../../../../server/api/money.ts'
import { commissionClasses } from '../../../../server/api/schemas/enums.ts'
import type { Caller } from '../../../../server/api/client/client.ts'

/** One entry of an offer's history on this computer. Cents. */
export type HistoryPoint = {
  at: number
  priceCents: Cents
  lowestCustomerCents: Cents | null
  isCheapest: boolean | null
  stock: number
}

/**
 * The best price of others from a time on: milliseconds after the start, and the customer price.
 * Null: unknown, because the offer led or didn't sell.
 */
export type RecordedBest = { afterMs: number; customerCents: Cents | null }
export type Recorded = { priceCents: Cents; stock: number; best: RecordedBest[] }

/**
 * The recorded state of an offer at a time (or its first reading, if that is later), and the best
 * prices of others since then. Null without a history.
 */
export function recordOf(history: readonly HistoryPoint[], from: number): Recorded | null {
  const first = history.findLast(({ at }) => at <= from) ?? history[0]
  if (first === undefined) return null
  const best: RecordedBest[] = []
  for (const { at, isCheapest, lowestCustomerCents } of history.slice(history.indexOf(first))) {
    const customerCents = isCheapest === false ? lowestCustomerCents : null
    if (best.length === 0 || best.at(-1)?.customerCents !== customerCents)
      best.push({ afterMs: Math.max(0, at - from), customerCents })
  }
  return { priceCents: first.priceCents, stock: first.stock, best }
}

/** More than a simulation sells, so that the recorded rival never runs out of stock. */
const KEYS = 1000

type Signal = AbortSignal
type Rival = { offerId: string; best: readonly RecordedBest[]; played: number }

/**
 * A rival that asks the recorded prices, offer by offer, and withdraws while none is known. It has
 * no commission, so its prices are customer prices.
 */
export async function createRecordedRival(
  dashboard: Caller<Signal>,
  sellerWith: (key: string) => Caller<Signal>,
  products: readonly { productId: string; best: readonly RecordedBest[] }[],
  signal: Signal,
): Promise<{ play(passedMs: number): Promise<void> }> {
  const known = products.flatMap(({ productId, best }) => {
    const price = best.find(({ customerCents }) => customerCents !== null)?.customerCents
    return price == null ? [] : [{ productId, best, price }]
  })
  if (known.length === 0) return { play: async () => {} }
  const { body: shop } = await dashboard(
    'createSeller',
    {
      body: {
        name: 'As recorded',
        commission: Object.fromEntries(commissionClasses.map((each) => [each, 0])),
      },
    },
    { signal },
  )
  const {
    body: { key },
  } = await dashboard('createSellerKey', { params: { id: shop.id } }, { signal })
  const seller = sellerWith(key)
  const rivals: Rival[] = []
  for (const [place, { productId, best, price }] of known.entries()) {
    const {
      body: { offer },
    } = await seller(
      'saveOffer',
      { body: { productId, price: cents(price), status: 'paused' } },
      { signal },
    )
    await seller(
      'uploadKeys',
      {
        params: { id: offer.id },
        body: { keys: Array.from({ length: KEYS }, (_, index) => `RECORDED-${place}-${index}`) },
      },
      { signal },
    )
    rivals.push({ offerId: offer.id, best, played: 0 })
  }
  return {
    async play(passedMs) {
      for (const rival of rivals) {
        const due = rival.best.filter(({ afterMs }) => afterMs <= passedMs).length
        const now = rival.best[due - 1]
        if (due === rival.played || now === undefined) continue
        rival.played = due
        await seller(
          'changeOffer',
          {
            params: { id: rival.offerId },
            body:
              now.customerCents === null
                ? { status: 'paused' }
                : { price: cents(now.customerCents), status: 'active' },
          },
          { signal },
        )
      }
    },
  }
}
