import type { Mode } from '../../../../contract/app/accounts.ts'
import { BULK_CONFIRM_ABOVE } from '../../../../contract/offers/offer-bulk.ts'
import type { BulkSummary } from '../../../../contract/offers/offer-bulk.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { failure } from '../../../failure.ts'

/** What a person confirmed; see `confirmationFields` of the contract. */
export type Confirmed = { fingerprint: string; typed: string | null; beyondGuard: boolean }

/** Throws unless the person confirmed the prices that the price guard stops. */
export function demandGuard({ overGuard }: BulkSummary, confirmed: boolean): void {
  if (overGuard === 0 || confirmed) return
  throw failure(
    'NOT_CONFIRMED',
    `The price guard stops ${t('counts.prices', { count: overGuard })}.`,
    'Check these prices, then confirm that they are sent anyway.',
    { effect: 'No offer was changed.', details: { overGuard } },
  )
}

/**
 * Throws unless the person typed the number of offers where that is required: for live offers, if
 * there are many or the change is final.
 */
export function demandTyped(
  mode: Mode,
  { count, isFinal, typed }: { count: number; isFinal: boolean; typed: string | null },
): void {
  if (
    mode !== 'live' ||
    (!isFinal && count <= BULK_CONFIRM_ABOVE) ||
    typed?.trim() === String(count)
  )
    return
  throw failure(
    'INVALID_INPUT',
    `Type ${count} to continue.`,
    'Bulk changes of live offers need the exact number of offers.',
    { effect: 'No offer was changed.' },
  )
}
