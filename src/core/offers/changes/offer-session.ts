import type { Cents } from '../../../../server/api/money.ts'
import type { Flights } from '../../journaled-send/journaled-send.ts'
import type { Freshness } from '../sync/poll.ts'
import type { OfferStatus, OfferStore } from '../store.ts'

/** The price in cents and the status that a change gives an offer. Null changes nothing. */
export type DesiredOffer = { priceCents: Cents | null; status: OfferStatus | null }

/** An account's offers while the account is open. */
export type OfferSession = {
  accountId: string
  store: OfferStore
  fresh: Freshness
  /** Changes of offers that can still arrive, by offer: another one has to wait for them. */
  flights: Flights
  /** Changes that wait for those flights, by offer: its row shows them as delayed. */
  delayed: Map<string, DesiredOffer>
  /** Aborts when the account closes. */
  signal: AbortSignal
}
