import { type Cents, subtractCents } from '../../../../../server/api/money.ts'
import { formatCents } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'

/** Tells whether a customer price would lead. */
export function LeadPreview({
  customerCents,
  lowestCents,
}: {
  customerCents: Cents
  lowestCents: Cents | null
}) {
  if (lowestCents === null)
    return (
      <Notice tone="ok" title="No other offer has stock.">
        Yours would be the only one.
      </Notice>
    )
  if (customerCents < lowestCents)
    return (
      <Notice
        tone="ok"
        title={`Takes the lead by ${formatCents(subtractCents(lowestCents, customerCents))}.`}
      >
        The shop’s price is {formatCents(lowestCents)} now.
      </Notice>
    )
  if (customerCents === lowestCents)
    return (
      <Notice tone="info" title="Same as the shop’s price.">
        The older price sells first.
      </Notice>
    )
  return (
    <Notice tone="warn" title={`${formatCents(subtractCents(customerCents, lowestCents))} behind.`}>
      The shop’s price is {formatCents(lowestCents)} now.
    </Notice>
  )
}
