import { csvText } from '../../../../contract/csv.ts'
import type { BulkReply } from '../../../../contract/disputes/dispute-replies.ts'
import { plainEuros } from '../../../../../server/api/money.ts'

type Line = BulkReply['lines'][number]

/** What became of one line. */
export function resultWord({ state, answered }: Line): string {
  switch (state) {
    case 'held':
      return answered ? 'Answered, action not sent yet' : 'Not sent yet'
    case 'sending':
      return 'Sending'
    case 'done':
      return 'Done'
    case 'failed':
      return answered ? 'Answered only' : 'Not sent'
  }
}

/** The results of a bulk reply, without its texts. */
export const bulkCsv = ({ outcome, lines }: BulkReply): string =>
  csvText([
    [
      'Dispute',
      'Order',
      'Product',
      'Platform',
      'Region',
      'Delivery',
      'Outcome',
      'Refund EUR',
      'Result',
      'Answer sent',
      'Reason',
      'Next step',
    ],
    ...lines.map((line) => [
      line.disputeId,
      line.orderId ?? '',
      line.name,
      line.platform,
      line.region,
      line.deliveryType,
      outcome,
      line.refundCents === null ? '' : plainEuros(line.refundCents),
      resultWord(line),
      line.answered ? 'yes' : 'no',
      line.problem?.what ?? '',
      line.problem?.next ?? '',
    ]),
  ])
