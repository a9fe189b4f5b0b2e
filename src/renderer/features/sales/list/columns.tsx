import type { Cents } from '../../../../../server/api/money.ts'
import type { SaleRow } from '../../../../contract/sales.ts'
import { formatCents, formatUtc } from '../../../ui/format.ts'
import { ShortId } from '../../../ui/data-display/identity/short-id.tsx'
import { type Column, momentWidth } from '../../../ui/table/columns/columns.ts'
import { plainAmount } from '../../../ui/table/copy/table-text.ts'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import styles from '../sales.module.css'
import { costSourceWords, costText, profitText, releaseText, SaleState } from '../words.tsx'
import { ServiceMoment } from '../../../lib/account/account-time.tsx'
import { variantLabel } from '../../../lib/labels/product-labels.ts'

const money = (cents: Cents | null): string => (cents === null ? 'unknown' : formatCents(cents))

const costTitle = ({ costSource }: SaleRow): string =>
  costSource === null ? 'Cost unknown' : `Cost ${costSourceWords[costSource]}`

/** Columns of the sales table. */
export const saleColumns: readonly Column<SaleRow>[] = [
  {
    id: 'sold',
    header: 'Sold',
    width: momentWidth,
    sortable: true,
    hideable: false,
    cell: (sale) => (sale.soldAt === null ? 'unknown' : <ServiceMoment at={sale.soldAt} />),
  },
  {
    id: 'name',
    header: 'Product',
    width: 210,
    minWidth: 124,
    wantedWidth: 268,
    grow: true,
    sortable: true,
    hideable: false,
    cell: (sale) => <NameCell name={sale.name} detail={variantLabel(sale)} />,
  },
  {
    id: 'sale',
    header: 'Sale',
    width: 104,
    hideOrder: 2,
    cell: (sale) => <ShortId id={sale.saleId} />,
  },
  {
    id: 'order',
    header: 'Order',
    width: 124,
    hidden: true,
    hideOrder: 1,
    cell: (sale) => (sale.orderId === null ? null : <ShortId id={sale.orderId} />),
  },
  {
    id: 'price',
    header: 'You receive',
    width: 86,
    align: 'end',
    sortable: true,
    hideable: false,
    cell: (sale) =>
      sale.status === 'cancelled' ? <s>{money(sale.priceCents)}</s> : money(sale.priceCents),
  },
  {
    id: 'customer',
    header: 'Customer',
    width: 76,
    align: 'end',
    sortable: true,
    hideOrder: 3,
    cell: (sale) => <span className={styles.grey}>{money(sale.customerCents)}</span>,
  },
  // Cost and profit are shown by choice, so the other columns give way to them.
  {
    id: 'cost',
    header: 'Cost',
    width: 76,
    align: 'end',
    hidden: true,
    hideOrder: 5,
    cell: costText,
    text: (sale) => plainAmount(sale.costCents),
    title: costTitle,
  },
  {
    id: 'profit',
    header: 'Profit',
    width: 76,
    align: 'end',
    hidden: true,
    hideOrder: 6,
    cell: profitText,
    title: costTitle,
    text: (sale) => plainAmount(sale.profitCents),
  },
  {
    id: 'status',
    header: 'State',
    width: 162,
    sortable: true,
    hideable: false,
    cell: (sale) => <SaleState sale={sale} />,
  },
  {
    id: 'release',
    header: 'Release',
    width: 70,
    align: 'end',
    sortable: true,
    hideOrder: 4,
    cell: (sale) => (
      <span
        className={styles.grey}
        title={
          sale.releasedAt !== null
            ? formatUtc(sale.releasedAt)
            : sale.releaseAt !== null
              ? formatUtc(sale.releaseAt)
              : undefined
        }
      >
        {releaseText(sale)}
      </span>
    ),
  },
]
