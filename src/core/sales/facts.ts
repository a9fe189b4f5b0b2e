import { createHash } from 'node:crypto'
import type { AnswerBody } from '../../../server/api/handlers.ts'
import { instantOf, sortKey } from '../mirror/mirror.ts'

export type ServiceSale = NonNullable<AnswerBody<'listSales'>['results']>[number]

/** What an answer tells of one sale, as the mirror keeps it. */
export type SaleFacts = {
  saleId: string
  offerId: string | null
  productId: string | null
  name: string
  nameKey: string
  orderId: string | null
  keyId: string | null
  priceCents: number | null
  customerCents: number | null
  status: string
  soldAt: number | null
  releaseAt: number | null
  releasedAt: number | null
  /** SHA-256 of the key as uploaded, in hex. */
  keySha256: string | null
  /** What it is searched by besides its own id and its order's. */
  text: string
}

/**
 * A sale of the Seller API. Nothing of it is certain (Decision 33): one without an id is told apart
 * by its key, or by all that never changes of it.
 */
export function saleFacts(sale: ServiceSale): SaleFacts {
  const saleId = sale.id ?? sale.keyId ?? madeUpId(sale)
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

const madeUpId = ({ orderId, offerId, productId, soldAt, price }: ServiceSale): string =>
  `unnamed-${createHash('sha256')
    .update(JSON.stringify([orderId, offerId, productId, soldAt, price]))
    .digest('hex')
    .slice(0, 32)}`

/**
 * The least between two looks at a sale of which something is due, in milliseconds, and the most.
 */
const lookAgainMs = 5 * 60_000
const longestLookMs = 6 * 3_600_000

/**
 * When a sale is to be read again: a pending one at its release, and while that is overdue (a
 * dispute holds it, or the service takes its time) ever more seldom. Null for one that is done
 * with. A cancelled or released one that changes after all is found by the rotation.
 */
export function lookAgainAt(
  { status, releaseAt }: Pick<SaleFacts, 'status' | 'releaseAt'>,
  now: number,
): number | null {
  if (status === 'released' || status === 'cancelled') return null
  if (releaseAt === null) return now + longestLookMs
  return releaseAt > now
    ? releaseAt
    : now + Math.min(longestLookMs, Math.max(lookAgainMs, now - releaseAt))
}
