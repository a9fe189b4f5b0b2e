import { type Cents, subtractCents } from '../../../../../server/api/money.ts'
import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { formatCents, formatUtc } from '../../../ui/format.ts'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import { ProgressRing } from '../../../ui/feedback/progress-ring.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import { isoMoment, plainAmount } from '../../../ui/table/copy/table-text.ts'
import shared from '../price-watch.module.css'
import styles from './market.module.css'
import { proposalPlaceholder, timeSince } from '../price-watch-texts.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'

/**
 * The columns of the market: daily loss, best price, age of the data, and the rule's proposal.
 * `most`: the largest loss in the list, for scaling the bars.
 */
export function marketColumns(now: number, most: number): Column<MarketRow>[] {
  return [
    {
      id: 'name',
      header: 'Product',
      text: (row) => row.name,
      width: 240,
      minWidth: 150,
      wantedWidth: 340,
      grow: true,
      sortable: true,
      hideable: false,
      cell: (row) => <NameCell name={row.name} detail={variantLabel(row)} />,
    },
    {
      id: 'lost',
      header: 'EUR lost per day',
      text: (row) => (row.lead === 'behind' ? plainAmount(row.perDayCents) : ''),
      width: 132,
      align: 'end',
      sortable: true,
      hideOrder: 4,
      cell: (row) => <Lost row={row} most={most} />,
    },
    {
      id: 'customer',
      header: 'You',
      text: (row) => plainAmount(row.customerCents),
      width: 72,
      align: 'end',
      sortable: true,
      hideable: false,
      cell: (row) => formatCents(row.customerCents),
    },
    {
      id: 'best',
      header: 'Best',
      text: (row) => (row.lead === 'leading' ? 'leads' : plainAmount(row.bestCents)),
      width: 72,
      align: 'end',
      sortable: true,
      cell: (row) =>
        row.lead === 'leading' ? (
          <Mark kind="ok" size={12} label="Leading" />
        ) : (
          <span className={shared.quiet}>
            {row.bestCents === null ? 'unknown' : formatCents(row.bestCents)}
          </span>
        ),
    },
    {
      id: 'distance',
      header: 'Behind',
      text: (row) => plainAmount(behindBy(row)),
      width: 72,
      align: 'end',
      hideOrder: 3,
      cell: (row) => {
        const by = behindBy(row)
        return by === null ? '' : <span className={shared.quiet}>{formatCents(by)}</span>
      },
    },
    {
      id: 'seen',
      header: 'Seen',
      text: (row) => isoMoment(row.seenAt),
      width: 66,
      align: 'end',
      sortable: true,
      hideOrder: 2,
      cell: (row) => (
        <span className={shared.quiet} title={formatUtc(row.seenAt)}>
          {timeSince(row.seenAt, now)}
        </span>
      ),
    },
    {
      id: 'since',
      header: 'Since',
      text: (row) => isoMoment(row.since),
      width: 84,
      align: 'end',
      sortable: true,
      hideOrder: 1,
      cell: (row) => (
        <span className={shared.quiet} title={formatUtc(row.since)}>
          {timeSince(row.since, now)}
        </span>
      ),
    },
    {
      id: 'proposal',
      header: 'Proposal',
      text: (row) =>
        row.proposal === null
          ? proposalPlaceholder(row)
          : plainAmount(row.proposal.targetCustomerCents ?? row.proposal.targetCents),
      width: 152,
      hideable: false,
      cell: (row) => <Proposal row={row} />,
    },
  ]
}

/**
 * How much more customers pay for this offer than for the cheapest one, in cents; null if none is
 * cheaper or the price is unknown.
 */
const behindBy = ({ lead, bestCents, customerCents }: MarketRow): Cents | null =>
  lead === 'behind' && bestCents !== null && bestCents < customerCents
    ? subtractCents(customerCents, bestCents)
    : null

function Lost({ row: { lead, perDayCents }, most }: { row: MarketRow; most: number }) {
  if (lead !== 'behind')
    return <span className={shared.quiet}>{lead === 'leading' ? 'leads' : ''}</span>
  if (perDayCents === null)
    return (
      <span className={shared.quiet} title="No sales to estimate it by">
        unknown
      </span>
    )
  return (
    <span className={styles.lost}>
      {perDayCents === 0 ? null : (
        <i style={{ width: Math.max(2, Math.round((36 * perDayCents) / Math.max(1, most))) }} />
      )}
      {formatCents(perDayCents)}
    </span>
  )
}

function Proposal({ row }: { row: MarketRow }) {
  const { proposal, customerCents, priceCents } = row
  if (row.sending)
    return (
      <span className={styles.proposal}>
        <ProgressRing size={12} label="Sending" /> Sending
      </span>
    )
  if (proposal === null) return <span className={shared.quiet}>{proposalPlaceholder(row)}</span>
  const to = proposal.targetCustomerCents ?? proposal.targetCents
  const by = subtractCents(to, proposal.targetCustomerCents === null ? priceCents : customerCents)
  return (
    <span className={styles.proposal}>
      <i aria-hidden>{by < 0 ? '↓' : '↑'}</i>
      <b>{formatCents(to)}</b> <small>{formatCents(by, { sign: true })}</small>
    </span>
  )
}
