import type { Cents } from '../../../../../server/api/money.ts'
import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { productLine } from '../../../lib/labels/product-labels.ts'
import type { Said } from '../../../ui/feedback/moves.ts'
import { formatCents } from '../../../ui/format.ts'

/** `5.00 to 4.80`. */
export const changeText = (from: Cents, to: Cents): string =>
  `${formatCents(from)} to ${formatCents(to)}`

/** What applying the proposals does to each offer. */
export const proposalTexts = (rows: readonly MarketRow[]): Said[] =>
  rows.flatMap((row) =>
    row.proposal === null
      ? []
      : [
          {
            subject: row.offerId,
            text: `${productLine(row)}: ${changeText(row.priceCents, row.proposal.targetCents)}`,
          },
        ],
  )

/** Identifies proposals by what applying them does. */
export const proposalKey = (rows: readonly MarketRow[]): string =>
  JSON.stringify(proposalTexts(rows))
