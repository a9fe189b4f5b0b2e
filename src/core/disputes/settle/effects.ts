import type {
  BatchDisputes,
  DisputeEffects,
  DisputeRow,
} from '../../../contract/disputes/dispute-records.ts'
import type { DisputeActionKind } from '../../../contract/disputes/dispute-replies.ts'
import type { KeyOrigin } from '../../../contract/keys/batches.ts'
import type { SaleRow } from '../../../contract/sales.ts'
import { type Cents, formatEuros, subtractCents } from '../../../../server/api/money.ts'

/** The offer of a dispute as other features know it. */
export type DisputeOffer = { offerId: string; status: string; stock: number; priceCents: Cents }

/** A sold key, identified by its fingerprint. */
export type Sold = { fingerprint: Buffer; productId: string | null; soldAt: number | null }

/** Functions of other core features that disputes depend on. */
export type DisputeDependencies = {
  /** Null if it isn't mirrored. */
  offer(accountId: string, offerId: string): DisputeOffer | null
  /** Keys moved: the offers must be read again. */
  offersChanged(accountId: string): void
  /** The last reading of the balance; null before the first. */
  balance(accountId: string): { pendingCents: Cents | null; availableCents: Cents | null } | null
  /** The origin of a sold key; null if it isn't known. */
  origin(accountId: string, sold: Sold): KeyOrigin | null
  /** Finds the batch of a sold key; for lookups of many keys. */
  batchesOfSold(
    accountId: string,
  ): (sold: Sold) => Pick<KeyOrigin, 'batchId' | 'batchName' | 'supplier'> | null
  /**
   * The masked form of a sold key, stored at its upload; null if there is none. Throws Failure
   * while the vault is locked.
   */
  uploadedKeyHint(accountId: string, sold: Sold): { masked: string; last4: string | null } | null
  /** The same for a withdrawn key in the vault. Throws Failure while it is locked. */
  vaultKeyHint(
    accountId: string,
    fingerprint: Buffer,
  ): { withdrawalId: string; position: number; masked: string; last4: string | null } | null
  /** One batch with its disputes. Throws Failure `NOT_FOUND`. */
  batch(accountId: string, batchId: string): Promise<BatchDisputes>
  /**
   * Batches with at least `least` disputed keys. `stockOf`: the stock of an offer, counted at the
   * same moment; null if the offer isn't mirrored.
   */
  disputedBatches(
    accountId: string,
    least: number,
  ): Promise<{ batches: BatchDisputes[]; stockOf: (offerId: string) => number | null }>
  /**
   * Opens up to `claims` test disputes about these units in the built-in sandbox; returns how many.
   * Throws Failure if the account belongs to another service.
   */
  createTestDisputes(
    accountId: string,
    units: readonly { orderId: string; keyId: string }[],
    claims: number,
  ): Promise<number>
}

type EffectFacts = {
  row: DisputeRow
  sale: SaleRow | null
  offer: DisputeOffer | null
  /** A batch with an alarm has keys in the offer's stock. */
  alarmInStock: boolean
  underWay: boolean
  live: boolean
  balance: { pendingCents: Cents | null; availableCents: Cents | null } | null
}

/**
 * What a replacement or refund would change, from local data. A refund cancels the sale and takes
 * back its earnings (Decisions 30 and 31).
 */
export function effectsOf(
  kind: DisputeActionKind,
  { row, sale, offer, alarmInStock, underWay, live, balance }: EffectFacts,
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
              : alarmInStock
                ? 'batch-alarm'
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
        ? { part, beforeCents: before, afterCents: subtractCents(before, price) }
        : null,
    typed: refund && live ? confirmationFor(customer, row.disputeId) : null,
  }
}

/**
 * Text to type before a refund in LIVE: the amount, or the dispute id if the amount isn't known.
 */
const confirmationFor = (customerCents: Cents | null, disputeId: string): string =>
  customerCents === null ? disputeId : formatEuros(customerCents)
