import { createHash } from 'node:crypto'
import type { Cents } from '../../../../server/api/money.ts'
import type { ResponseBody } from '../../../../server/api/handlers.ts'
import { instantOf, sortKey } from '../../mirror/mirror.ts'

export type ServiceSale = NonNullable<ResponseBody<'listSales'>['results']>[number]

/** The fields of one sale from a response, as the mirror stores them. */
export type SaleFacts = {
  saleId: string
  offerId: string | null
  productId: string | null
  name: string
  nameKey: string
  orderId: string | null
  keyId: string | null
  priceCents: Cents | null
  customerCents: Cents | null
  status: string
  soldAt: number | null
  releaseAt: number | null
  releasedAt: number | null
  /** SHA-256 of the key as uploaded, in hex. */
  keySha256: string | null
  /** Text that a search matches besides the ids of the sale and its order. */
  text: string
}

/**
 * A sale of the Seller API. Any field may be missing (Decision 33): a sale without an id is
 * identified by its key, or by all its fields that never change.
 */
export function saleFacts(sale: ServiceSale): SaleFacts {
  const saleId = sale.id ?? sale.keyId ?? derivedId(sale)
  const name = sale.name ?? sale.productId ?? sale.offerId ?? saleId
  return {
    saleId,
    name,
    nameKey: sortKey(name),
    offerId: sale.offerId ?? null,
    productId: sale.productId ?? null,
    orderId: sale.orderId ?? null,
    keyId: sale.keyId ?? null,
    priceCents: sale.price ?? null,
    customerCents: sale.customerPrice ?? null,
    status: sale.status ?? 'unknown',
    soldAt: instantOf(sale.soldAt),
    releaseAt: instantOf(sale.releaseAt),
    releasedAt: instantOf(sale.releasedAt),
    keySha256: sale.keySha256 ?? null,
    text: `${sortKey(name)} ${(sale.offerId ?? '').toLowerCase()} ${(sale.productId ?? '').toLowerCase()}`,
  }
}

const derivedId = ({ orderId, offerId, productId, soldAt, price }: ServiceSale): string =>
  `unnamed-${createHash('sha256')
    .update(JSON.stringify([orderId, offerId, productId, soldAt, price]))
    .digest('hex')
    .slice(0, 32)}`

/**
 * Shortest and longest time between two readings of a sale whose change is due, in milliseconds.
 */
const SHORTEST_WAIT_MS = 5 * 60_000
const LONGEST_WAIT_MS = 6 * 3_600_000

/**
 * When to read a sale again: a pending one at its release, and less and less often while that is
 * overdue (held by a dispute, or the service is late). Null for a settled sale; if a canceled or
 * released one changes after all, the rotation finds it.
 */
export function nextReadAt(
  { status, releaseAt }: Pick<SaleFacts, 'status' | 'releaseAt'>,
  now: number,
): number | null {
  if (status === 'released' || status === 'cancelled') return null
  if (releaseAt === null) return now + LONGEST_WAIT_MS
  return releaseAt > now
    ? releaseAt
    : now + Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, now - releaseAt))
}
