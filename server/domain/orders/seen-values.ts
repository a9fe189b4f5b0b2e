import type { Check, SeenValues } from '../../api/errors.ts'
import { cents, fromCents, priceFactor, timesCents } from '../../api/money.ts'
import type { Mode } from '../../api/schemas/enums.ts'
import type { OrderRequest } from '../../api/schemas/order.ts'
import { type Context, DAY } from '../context.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { partnerPrice, takeSupply } from '../offers/pricing.ts'
import type { PartnerRecord } from '../ports/accounts.ts'

const euros = (amount: number): string => fromCents(cents(amount)).toFixed(2)
const limitText = (limit: number | null): string =>
  limit === null ? 'no limit' : `limit ${euros(limit)}`

type Line = { text: string; price: string; total: number | null }

/** Values that the checks of the lines compare; a line of an unknown product has no total. */
function linesSeen(store: Context['store'], partner: PartnerRecord, { items }: OrderRequest) {
  const factor = priceFactor(partner.priceFactor)
  const supplies = new Map<string, ReturnType<typeof store.offers.supply>>()
  return items.map(({ productId, qty, maxUnitPrice }, index): Line => {
    const supply = supplies.get(productId) ?? store.offers.supply(productId)
    supplies.set(productId, supply)
    const stock = supply.reduce((units, offer) => units + offer.stock, 0)
    const taken = takeSupply(supply, qty)
    const price = taken === null ? null : partnerPrice(taken.highest, factor)
    return {
      text: `line ${index + 1}: ${qty} of ${stock}`,
      price:
        price === null
          ? `line ${index + 1}: no price`
          : `line ${index + 1}: ${euros(price)} live, ${euros(maxUnitPrice)} allowed`,
      total: price === null ? null : timesCents(price, qty),
    }
  })
}

/** Values that the checks of POST /orders compare at this moment, for the explanation of a refusal. */
export function orderSeen(
  { store }: Context,
  ledger: Ledger,
  account: { partner: PartnerRecord; mode: Mode },
  request: OrderRequest,
  at: number,
): SeenValues {
  const { partner, mode } = account
  const lines = linesSeen(store, partner, request)
  const totals = lines.map(({ total }) => total)
  const total = totals.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  const known = request.items.filter(({ productId }) => {
    const row = store.catalogue.row(productId)
    return row !== undefined && row.removed === 0
  })
  const seen: Partial<Record<Check, string>> = {
    DUPLICATE_EXTERNAL_ID: request.externalId,
    PRODUCT_UNAVAILABLE: `${known.length} of ${lines.length} available`,
    OUT_OF_STOCK: lines.map(({ text }) => text).join('; '),
    PRICE_CHANGED: lines.map(({ price }) => price).join('; '),
  }
  if (totals.includes(null)) return seen
  const { orders } = store
  const since = at - DAY
  const spent =
    orders.spending(partner.id, mode).spent -
    orders.spentUpTo(partner.id, mode, since) -
    orders.refundedSince(partner.id, mode, since)
  return {
    ...seen,
    ORDER_LIMIT_EXCEEDED: `total ${euros(total)}, ${limitText(partner.perOrderLimit)}`,
    DAILY_LIMIT_EXCEEDED: `24 hours ${euros(spent + total)}, ${limitText(partner.dailyLimit)}`,
    INSUFFICIENT_BALANCE: `total ${euros(total)}, balance ${euros(ledger.partnerBalance(partner.id, mode))}`,
  }
}
