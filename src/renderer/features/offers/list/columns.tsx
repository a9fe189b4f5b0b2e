import { type Cents, subtractCents } from '../../../../../server/api/money.ts'
import type { ListedOffer, OfferRow } from '../../../../contract/offers/offers.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { IconClockHour4 } from '@tabler/icons-react'
import { customerPays } from '../../../lib/commission.ts'
import { formatCents, formatClock, formatCount, formatDuration } from '../../../ui/format.ts'
import { leadClass, type LeadState, leadText } from '../../../ui/data-display/amounts/lead.tsx'
import { MiniBars } from '../../../ui/charts/mini-bars.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { stockClass, stockText } from '../../../ui/data-display/amounts/stock.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { PriceCell, PriceEdit } from '../../../ui/table/cells/inline-edit-cell.tsx'
import { nameClass, nameContent } from '../../../ui/table/cells/name-cell.tsx'
import { GuardCard } from '../price/guard-dialog.tsx'
import { guardPrice } from '../price/price-guard.ts'
import { isLost, queuedPrice } from '../price/queued-change.ts'
import { leadOf, leadWhileTyping } from '../lead-of.ts'
import styles from '../offers.module.css'
import { variantLabel } from '../../../lib/labels/product-labels.ts'

/**
 * The price being typed and its row; `cents` is null while the text isn't a price, and `wrong` is
 * the reason.
 */
export type TypedPrice = { offerId: string; cents: Cents | null; wrong: string | null }

export interface OfferColumnParts {
  typed: TypedPrice | null
  lowAt: number
  /** While the service is unreachable: when the offers were last read. Otherwise null. */
  asOf: number | null
  onType: (typed: TypedPrice) => void
  onSave: (row: ListedOffer, cents: Cents, next: 'down' | 'right' | 'stay') => void
  onCancel: () => void
  /** The percentage above which a typed price is confirmed; 0 for never. */
  guardPercent: number
}

/**
 * The columns of the offers table. Customer price and lead of a row follow the price being typed.
 */
export const offerColumns = (parts: OfferColumnParts): Column<ListedOffer>[] => [
  nameColumn(parts),
  priceColumn(parts),
  ...competitionColumns(parts),
  stockColumn(parts),
  ...soldColumns,
  ...limitColumns,
  profitColumn(parts),
  ...marketColumns,
]

const centsTyped = (row: OfferRow, typed: TypedPrice | null): Cents | null =>
  typed?.offerId === row.offerId ? typed.cents : null

function nameColumn({ typed }: OfferColumnParts): Column<ListedOffer> {
  const nameOf = (row: ListedOffer) => ({
    name: row.name,
    detail: variantLabel(row),
    after: remark(row, typed),
  })
  return {
    id: 'name',
    stateless: true,
    header: 'Product',
    width: 280,
    minWidth: 176,
    wantedWidth: 240,
    grow: true,
    sortable: true,
    hideable: false,
    cellClass: (row, { room }) => nameClass(nameOf(row), room),
    cell: (row) => nameContent(nameOf(row)),
  }
}

function priceColumn({
  onType,
  onSave,
  onCancel,
  guardPercent,
}: OfferColumnParts): Column<ListedOffer> {
  return {
    id: 'price',
    stateless: true,
    header: 'Price EUR',
    width: 104,
    align: 'end',
    sortable: true,
    hideable: false,
    cell: (row, { editing, typed: digit }) =>
      editing ? (
        <PriceEdit
          cents={queuedPrice(row) ?? row.priceCents}
          typed={digit}
          label={`Price of ${row.name}, EUR`}
          onType={(cents, wrong) => onType({ offerId: row.offerId, cents, wrong })}
          onSave={(cents, next) => onSave(row, cents, next)}
          onCancel={onCancel}
          guard={(cents, { use, save }) => {
            const guarded = guardPrice(row, cents, guardPercent)
            return guarded === null ? null : (
              <GuardCard guarded={guarded} onUse={use} onSave={save} />
            )
          }}
        />
      ) : row.pending === null || row.pending.priceCents === null ? (
        <PriceCell cents={row.priceCents} />
      ) : (
        <PriceCell cents={row.pending.priceCents} state={row.pending.state} />
      ),
  }
}

/** The customer price, and its lead over the best price of the others. */
function competitionColumns({ typed, asOf }: OfferColumnParts): Column<ListedOffer>[] {
  const leadNow = (row: OfferRow): LeadState => {
    const cents = centsTyped(row, typed)
    return cents === null ? leadOf(row) : leadWhileTyping(row, cents)
  }
  return [
    {
      id: 'customer',
      stateless: true,
      header: 'Customer',
      width: 92,
      align: 'end',
      sortable: true,
      hideOrder: 6,
      cellClass: (row) => customerLooks[customerNow(row, centsTyped(row, typed)).state],
      cell: (row) => formatCents(customerNow(row, centsTyped(row, typed)).cents),
    },
    {
      id: 'lead',
      stateless: true,
      header: asOf === null ? 'Lead' : `Lead at ${formatClock(asOf)}`,
      width: asOf === null ? 98 : 116,
      align: 'end',
      sortable: true,
      hideable: false,
      cellClass: (row) => leadClass(leadNow(row), asOf !== null),
      title: (row) => `Seen ${formatDuration(Date.now() - row.seenAt)} ago`,
      cell: (row) => leadText(leadNow(row)),
    },
  ]
}

function stockColumn({ lowAt }: OfferColumnParts): Column<ListedOffer> {
  const stockOf = (row: OfferRow) => ({
    count: row.stock,
    lowAt: row.lowAt ?? lowAt,
    quiet: row.status !== 'active',
  })
  return {
    id: 'stock',
    stateless: true,
    header: 'Stock',
    width: 84,
    align: 'end',
    sortable: true,
    hideable: false,
    // Beside an open panel in a narrow window; the panel shows the stock.
    hideOrder: 7,
    cellClass: (row) => stockClass(stockOf(row)),
    cell: (row) => stockText(stockOf(row)),
  }
}

const soldColumns: readonly Column<ListedOffer>[] = [
  {
    id: 'week',
    stateless: true,
    header: 'Sold 7 d',
    width: 104,
    align: 'end',
    sortable: true,
    hideOrder: 5,
    cellClass: (row) => (hasSold(row) ? styles.week : undefined),
    cell: (row) => (row.soldDays === null ? '' : soldIn(row.soldDays)),
  },
  {
    id: 'sold',
    stateless: true,
    header: 'Sold',
    width: 76,
    align: 'end',
    sortable: true,
    hidden: true,
    hideOrder: 4,
    cell: (row) => (row.sold === null ? '' : formatCount(row.sold)),
  },
]

/** An amount that many offers don't have, in a column that is hidden at first. */
const optionalAmount = (
  column: Pick<Column<ListedOffer>, 'id' | 'header' | 'hideOrder'> & { width: number },
  amount: (row: ListedOffer) => Cents | null,
): Column<ListedOffer> => ({
  ...column,
  stateless: true,
  align: 'end',
  hidden: true,
  cell: (row) => {
    const cents = amount(row)
    return cents === null ? '' : formatCents(cents)
  },
})

const limitColumns: readonly Column<ListedOffer>[] = [
  optionalAmount({ id: 'cost', header: 'Cost', width: 84, hideOrder: 1 }, (row) => row.costCents),
  optionalAmount(
    { id: 'floor', header: 'Floor', width: 84, hideOrder: 1 },
    (row) => row.floorCents,
  ),
  optionalAmount(
    { id: 'ceiling', header: 'Ceiling', width: 84, hideOrder: 1 },
    (row) => row.ceilingCents,
  ),
]

const profitColumn = ({ typed }: OfferColumnParts): Column<ListedOffer> => ({
  ...optionalAmount({ id: 'profit', header: 'Profit', width: 88, hideOrder: 3 }, (row) =>
    row.costCents === null
      ? null
      : subtractCents(centsTyped(row, typed) ?? row.priceCents, row.costCents),
  ),
  sortable: true,
})

const marketColumns: readonly Column<ListedOffer>[] = [
  optionalAmount(
    { id: 'best', header: 'Best', width: 88, hideOrder: 2 },
    (row) => row.lowestCustomerCents,
  ),
  {
    id: 'seen',
    stateless: true,
    header: 'Seen',
    width: 80,
    align: 'end',
    sortable: true,
    hidden: true,
    hideOrder: 2,
    cell: (row) => formatDuration(Date.now() - row.seenAt),
  },
]

const hasSold = (row: ListedOffer): boolean =>
  row.soldDays !== null && row.soldDays.some((units) => units > 0)

function soldIn(days: readonly number[]) {
  const text = formatCount(days.reduce((total, units) => total + units, 0))
  return text === '0' ? (
    text
  ) : (
    <>
      <MiniBars values={days} label={`Sold day by day: ${days.join(', ')}`} />
      {text}
    </>
  )
}

const customerLooks = { typed: styles.typed, waits: styles.waits, rest: styles.second }

/**
 * What the customer pays for an offer: at the price being typed, at the queued price, or as listed.
 */
function customerNow(
  row: ListedOffer,
  typedCents: Cents | null,
): { cents: Cents; state: keyof typeof customerLooks } {
  const waits = typedCents === null ? queuedPrice(row) : null
  const own = typedCents ?? waits
  if (own === null || row.commission === null) return { cents: row.customerCents, state: 'rest' }
  return {
    cents: customerPays(own, row.commission.percent),
    state: typedCents === null ? 'waits' : 'typed',
  }
}

const queuedStatus = (row: ListedOffer, status: 'active' | 'paused'): string =>
  [
    status === 'paused' ? 'Pause' : 'Activation',
    isLost(row, 'status') ? 'not confirmed' : 'queued',
  ].join(' ')

function remark(row: ListedOffer, typed: TypedPrice | null) {
  if (typed?.offerId === row.offerId && typed.wrong !== null)
    return <StatusTag tone="bad">{typed.wrong}</StatusTag>
  if (
    typed?.offerId === row.offerId &&
    typed.cents !== null &&
    row.floorCents !== null &&
    typed.cents < row.floorCents
  )
    return <StatusTag tone="warn">{`Below floor ${formatCents(row.floorCents)}`}</StatusTag>
  if (
    typed?.offerId === row.offerId &&
    typed.cents !== null &&
    row.ceilingCents !== null &&
    typed.cents > row.ceilingCents
  )
    return <StatusTag tone="warn">{`Above ceiling ${formatCents(row.ceilingCents)}`}</StatusTag>
  if (row.pending?.state === 'refused')
    return <StatusTag tone="bad">{row.pending.problem?.what ?? 'Rejected'}</StatusTag>
  if (row.pending?.delayed === true)
    return (
      <span title={t('screens.offers-delayed-why')}>
        <StatusTag tone="warn" icon={<IconClockHour4 size={12} stroke={1.8} aria-hidden />}>
          {t('screens.offers-delayed')}
        </StatusTag>
      </span>
    )
  if (row.pending?.state === 'waits' && row.pending.status !== null)
    return (
      <StatusTag tone="warn" icon={<IconClockHour4 size={12} stroke={1.8} aria-hidden />}>
        {queuedStatus(row, row.pending.status)}
      </StatusTag>
    )
  return undefined
}
