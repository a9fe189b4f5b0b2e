import type { OrderRow } from '../../../../contract/order-records.ts'
import { ServiceMoment } from '../../../lib/account/account-time.tsx'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { Money } from '../../../ui/data-display/amounts/money.tsx'
import { type Column, momentWidth } from '../../../ui/table/columns/columns.ts'
import { isoMoment, plainAmount } from '../../../ui/table/copy/table-text.ts'
import { OrderStatus } from '../order-status.tsx'
import styles from '../orders.module.css'

/** The first product with its edition: "Ironwharf 3 and 2 more, Steam · Europe". */
const orderTitle = (row: OrderRow): string =>
  [row.title, variantLabel(row)].filter((part) => part !== '').join(', ')

export const orderColumns: readonly Column<OrderRow>[] = [
  {
    id: 'external',
    header: 'Order',
    text: (row) => row.externalId,
    width: 300,
    minWidth: 220,
    wantedWidth: 350,
    grow: true,
    sortable: true,
    hideable: false,
    cell: (row) => (
      <span className={styles.reference}>
        <b title={row.externalId}>{row.externalId}</b>
        <span>{orderTitle(row)}</span>
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    text: (row) => row.status,
    width: 150,
    sortable: true,
    cell: (row) => <OrderStatus status={row.status} />,
  },
  {
    id: 'units',
    header: 'Units',
    width: 80,
    align: 'end',
    hideOrder: 3,
    cell: (row) =>
      row.deliveredUnits === row.units ? row.units : `${row.deliveredUnits} of ${row.units}`,
  },
  {
    id: 'total',
    header: 'Charged EUR',
    text: (row) => plainAmount(row.totalCents),
    width: 110,
    align: 'end',
    sortable: true,
    hideable: false,
    cell: (row) => <Money cents={row.totalCents} />,
  },
  {
    id: 'refunded',
    header: 'Credited back',
    text: (row) => plainAmount(row.refundedCents),
    width: 110,
    align: 'end',
    hideOrder: 1,
    cell: (row) => (row.refundedCents === 0 ? null : <Money cents={row.refundedCents} />),
  },
  {
    id: 'keys',
    header: 'Keys here',
    width: 90,
    align: 'end',
    hideOrder: 2,
    cell: (row) => (row.keysKept === 0 ? null : row.keysKept),
  },
  {
    id: 'created',
    header: 'Placed',
    text: (row) => isoMoment(row.createdAt),
    width: momentWidth,
    align: 'end',
    sortable: true,
    cell: (row) => <ServiceMoment at={row.createdAt} />,
  },
]
