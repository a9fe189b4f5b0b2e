import { absCents, type Cents, subtractCents } from '../../../../server/api/money.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { customerPays } from '../../lib/commission.ts'
import type { LeadState } from '../../ui/data-display/amounts/lead.tsx'

/**
 * The lead of an offer as the service reports it. While it leads, the lowest customer price is its
 * own, so no distance is known.
 */
export function leadOf(row: OfferRow): LeadState {
  if (row.unavailable === true) return { kind: 'word', word: 'Removed' }
  if (row.status !== 'active')
    return { kind: 'word', word: row.status === 'paused' ? 'Paused' : row.status }
  if (row.stock === 0) return { kind: 'word', word: 'Not listed' }
  if (row.isCheapest === null) return { kind: 'word', word: 'Unknown' }
  if (row.isCheapest) return { kind: 'leading' }
  return {
    kind: 'behind',
    distanceCents:
      row.lowestCustomerCents === null
        ? null
        : subtractCents(row.customerCents, row.lowestCustomerCents),
  }
}

/** The lead at a price being typed; unknown if the commission or the best price is unknown. */
export function leadWhileTyping(row: OfferRow, priceCents: Cents): LeadState {
  if (
    row.status !== 'active' ||
    row.stock === 0 ||
    row.commission === null ||
    row.lowestCustomerCents === null
  )
    return leadOf(row)
  const customer = customerPays(priceCents, row.commission.percent)
  // While leading, the lowest price is the own one: the lead at a higher price is unknown.
  if (row.isCheapest === true && customer >= row.customerCents)
    return customer === row.customerCents ? leadOf(row) : { kind: 'word', word: 'Unknown' }
  return {
    kind: 'typed',
    distanceCents: absCents(subtractCents(customer, row.lowestCustomerCents)),
    leading: customer < row.lowestCustomerCents || row.isCheapest === true,
  }
}
