import { plainEuros } from '../../../../../server/api/money.ts'
import { csvText } from '../../../../contract/csv.ts'
import type { MarketRow, PriceSend } from '../../../../contract/price-watch/price-watch-records.ts'
import { resultText } from '../price-watch-texts.ts'

/** Proposals that a person applied: as shown when they were approved, with their sends. */
export type AppliedPrices = {
  rows: readonly MarketRow[]
  /** A proposal without one had changed, and nothing was sent. */
  sends: readonly { offerId: string; sendId: string }[]
}
/** One applied proposal and what became of it; `send` is null if its proposal had changed. */
export type AppliedPrice = { row: MarketRow; send: Pick<PriceSend, 'state' | 'note'> | null }

/** Pairs each proposal with its send; a send that isn't read yet counts as queued. */
export function appliedPrices(
  { rows, sends }: AppliedPrices,
  read: readonly PriceSend[],
): AppliedPrice[] {
  const byId = new Map(read.map((send) => [send.sendId, send]))
  const ids = new Map(sends.map(({ offerId, sendId }) => [offerId, sendId]))
  return rows.map((row) => {
    const sendId = ids.get(row.offerId)
    if (sendId === undefined) return { row, send: null }
    return { row, send: byId.get(sendId) ?? { state: 'queued', note: null } }
  })
}

const states: Record<PriceSend['state'], string> = {
  queued: 'Waiting',
  sending: 'Sending',
  applied: 'Sent',
  refused: 'Rejected by the service',
  returned: 'Not sent',
}
export const resultOf = ({ send }: AppliedPrice): string =>
  send === null ? 'Not sent' : states[send.state]

/** Why a price wasn't sent; an empty text if it was. */
export const reasonOf = ({ send }: AppliedPrice): string =>
  send === null
    ? 'the proposal had changed'
    : send.state === 'applied' || send.note === null
      ? ''
      : resultText(send.note)

/** Whether a price wasn't sent, so that the offer's current proposal can be applied instead. */
export const isFailed = ({ send }: AppliedPrice): boolean =>
  send === null || send.state === 'refused' || send.state === 'returned'

/** The results as CSV, a row per proposal. */
export const appliedCsv = (lines: readonly AppliedPrice[]): string =>
  csvText([
    [
      'Offer id',
      'Product',
      'Platform',
      'Region',
      'Delivery',
      'Price before EUR',
      'Price wanted EUR',
      'Result',
      'Reason',
    ],
    ...lines.map((line) => [
      line.row.offerId,
      line.row.name,
      line.row.platform,
      line.row.region,
      line.row.deliveryType,
      plainEuros(line.row.priceCents),
      line.row.proposal === null ? '' : plainEuros(line.row.proposal.targetCents),
      resultOf(line),
      reasonOf(line),
    ]),
  ])
