import type {
  BatchClaims,
  DisputeActionKind,
  DisputeEffects,
  DisputeRow,
} from '../../contract/dispute-records.ts'
import type { KeyOrigin } from '../../contract/batches.ts'
import type { SaleRow } from '../../contract/sales.ts'
import { cents, formatEuros } from '../../../server/api/money.ts'

/** The offer of a dispute as other features know it. */
export type DisputeOffer = { offerId: string; status: string; stock: number; priceCents: number }

/** A key that was sold, by its fingerprint. */
export type Sold = { fingerprint: Buffer; productId: string | null; soldAt: number | null }

/** What disputes ask of other features of the core. */
export type Neighbours = {
  /** Null when it isn't mirrored. */
  offer(accountId: string, offerId: string): DisputeOffer | null
  /** Keys moved: the offers are to be read again. */
  offersChanged(accountId: string): void
  /** The last reading of the balance; null before the first. */
  balance(accountId: string): { pendingCents: number | null; availableCents: number | null } | null
  /** Where a sold key came from; null where nobody knows. */
  origin(accountId: string, sold: Sold): KeyOrigin | null
  /** Which batch a sold key came from, for a walk through many of them. */
  batchesOfSold(
    accountId: string,
  ): (sold: Sold) => Pick<KeyOrigin, 'batchId' | 'batchName' | 'supplier'> | null
  /**
   * A sold key as it may be shown since its upload; null where nothing is told of it. Failure while
   * the vault is locked.
   */
  hint(accountId: string, sold: Sold): { masked: string; last4: string | null } | null
  /** The same of a key that the vault keeps, withdrawn. Failure while it is locked. */
  held(
    accountId: string,
    fingerprint: Buffer,
  ): { withdrawalId: string; position: number; masked: string; last4: string | null } | null
  /** One batch with its claims. Throws Failure `NOT_FOUND`. */
  batch(accountId: string, batchId: string): Promise<BatchClaims>
  /** Batches of which at least so many keys are claimed. */
  batchesClaimed(accountId: string, least: number): Promise<BatchClaims[]>
  /**
   * Customers of the desk's own sandbox complain about so many of these units; gives how many did.
   * Throws Failure where it isn't the account's service.
   */
  complain(
    accountId: string,
    units: readonly { orderId: string; keyId: string }[],
    claims: number,
  ): Promise<number>
}

type Known = {
  row: DisputeRow
  sale: SaleRow | null
  offer: DisputeOffer | null
  underWay: boolean
  live: boolean
  balance: { pendingCents: number | null; availableCents: number | null } | null
}

/**
 * What replacing or refunding would do, from what is known here. A refund cancels the sale and
 * takes back what it brought (Decisions 30 and 31).
 */
export function effectsOf(
  kind: DisputeActionKind,
  { row, sale, offer, underWay, live, balance }: Known,
): DisputeEffects {
  const refund = kind === 'refund'
  const part = sale?.status === 'released' ? 'available' : 'pending'
  const before =
    part === 'available' ? (balance?.availableCents ?? null) : (balance?.pendingCents ?? null)
  const price = sale?.priceCents ?? null
  const customer = sale?.customerCents ?? null
  const obstacle =
    row.status === 'resolved'
      ? 'resolved'
      : underWay
        ? 'under-way'
        : kind !== 'replace-stock'
          ? null
          : offer === null
            ? 'no-offer'
            : offer.stock === 0
              ? 'no-stock'
              : null
  return {
    kind,
    obstacle,
    stock:
      kind === 'replace-stock' && offer !== null
        ? { before: offer.stock, after: Math.max(0, offer.stock - 1) }
        : null,
    refundCents: refund ? customer : null,
    sale: sale === null ? null : { saleId: sale.saleId, status: sale.status, priceCents: price },
    balance:
      refund && before !== null && price !== null
        ? { part, beforeCents: before, afterCents: before - price }
        : null,
    typed: refund && live ? wordFor(customer, row.disputeId) : null,
  }
}

/**
 * What is typed before a customer is refunded in LIVE: the amount, or the dispute where it isn't
 * told.
 */
const wordFor = (customerCents: number | null, disputeId: string): string =>
  customerCents === null ? disputeId : formatEuros(cents(customerCents))
