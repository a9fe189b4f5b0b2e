import {
  addCents,
  type Cents,
  subtractCents,
  sumCents,
  timesCents,
  ZERO,
} from '../../../server/api/money.ts'
import type { SpendingDay } from '../../contract/spending.ts'

/** One order line: the amount charged at `at`, and how many units were delivered. */
type ChargedLine = {
  orderId: string
  at: number
  productId: string
  name: string
  qty: number
  unitCents: Cents
  deliveredQty: number
  status: string
}
type Product = { productId: string; name: string; cents: Cents; units: number; orders: number }

/**
 * The units of a line that aren't credited back: undelivered ones are, once the order is finished
 * (Partner API, States and transitions).
 */
const paidUnitsOf = ({ status, qty, deliveredQty }: ChargedLine): number =>
  status === 'processing' ? qty : deliveredQty

/** The amount credited back for a line. */
const creditedOf = (line: ChargedLine): Cents =>
  timesCents(line.unitCents, line.qty - paidUnitsOf(line))

/**
 * Charged, credited back and paid, in cents: by day of the service (UTC) and by product, highest
 * spending first.
 */
export function computeTotals(lines: readonly ChargedLine[]): {
  days: SpendingDay[]
  products: Product[]
  chargedCents: Cents
  refundedCents: Cents
  orders: number
} {
  const days = new Map<string, SpendingDay & { seen: Set<string> }>()
  const products = new Map<string, Product & { seen: Set<string> }>()
  for (const line of lines) {
    const date = new Date(line.at).toISOString().slice(0, 10)
    const day = days.get(date) ?? {
      date,
      chargedCents: ZERO,
      refundedCents: ZERO,
      orders: 0,
      units: 0,
      seen: new Set<string>(),
    }
    days.set(date, day)
    const product = products.get(line.productId) ?? {
      productId: line.productId,
      name: line.name,
      cents: ZERO,
      units: 0,
      orders: 0,
      seen: new Set<string>(),
    }
    products.set(line.productId, product)
    const [charged, credited] = [timesCents(line.unitCents, line.qty), creditedOf(line)]
    day.chargedCents = addCents(day.chargedCents, charged)
    day.refundedCents = addCents(day.refundedCents, credited)
    day.units += paidUnitsOf(line)
    day.orders = day.seen.add(line.orderId).size
    product.cents = addCents(product.cents, subtractCents(charged, credited))
    product.units += paidUnitsOf(line)
    product.orders = product.seen.add(line.orderId).size
  }
  const told = [...days.values()]
    .map(({ seen: _seen, ...day }) => day)
    .toSorted((a, b) => a.date.localeCompare(b.date))
  return {
    days: told,
    products: [...products.values()]
      .map(({ seen: _seen, ...product }) => product)
      .toSorted((a, b) => b.cents - a.cents || a.name.localeCompare(b.name)),
    chargedCents: sumCents(told.map(({ chargedCents }) => chargedCents)),
    refundedCents: sumCents(told.map(({ refundedCents }) => refundedCents)),
    orders: new Set(lines.map(({ orderId }) => orderId)).size,
  }
}
