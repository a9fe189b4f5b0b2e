import type { Cents } from '../../../../server/api/money.ts'
import type { Role } from '../../../contract/app/accounts.ts'
import type { ProductRow } from '../../../contract/catalogue.ts'
import { deliveryTypeLabel, productTypeLabel } from '../../lib/labels/product-labels.ts'
import { formatCents, formatStock } from '../../ui/format.ts'
import { StatusTag } from '../../ui/data-display/status-tag.tsx'
import { type Column, momentWidth } from '../../ui/table/columns/columns.ts'
import { NameCell } from '../../ui/table/cells/name-cell.tsx'
import { isoMoment, plainAmount } from '../../ui/table/copy/table-text.ts'
import styles from './catalogue.module.css'
import { ServiceMoment } from '../../lib/account/account-time.tsx'

/** A price. The service reports 0 for a product that has never had one. */
const amount = (cents: Cents | null): string =>
  cents === null || cents === 0 ? '–' : formatCents(cents)

/**
 * The catalogue's columns: a seller sees shop price and best seller price, a partner the price to
 * pay.
 */
export const catalogueColumns = (role: Role): Column<ProductRow>[] => [
  nameColumn(role),
  regionColumn(role),
  typeColumn(role),
  ...(role === 'seller'
    ? [priceColumn('Shop price'), bestSellerColumn]
    : [priceColumn('Price EUR')]),
  // The seller API doesn't report the service's stock.
  ...(role === 'seller' ? [] : [stockColumn]),
  updatedColumn,
]

const nameColumn = (role: Role): Column<ProductRow> => ({
  id: 'name',
  stateless: true,
  header: 'Product',
  text: (row) => row.name,
  width: 340,
  minWidth: 196,
  wantedWidth: role === 'seller' ? 284 : 340,
  grow: true,
  sortable: true,
  hideable: false,
  cell: (row) => (
    <NameCell
      name={row.name}
      detail={
        row.deliveryType === 'key'
          ? row.platform
          : `${row.platform} · ${deliveryTypeLabel(row.deliveryType).toLowerCase()}`
      }
      after={row.offerId === null ? undefined : <StatusTag>Yours</StatusTag>}
    />
  ),
})

const regionColumn = (role: Role): Column<ProductRow> => ({
  id: 'region',
  stateless: true,
  header: 'Region',
  width: role === 'seller' ? 124 : 104,
  sortable: true,
  hideable: false,
  cell: (row) => row.region,
})

const typeColumn = (role: Role): Column<ProductRow> => ({
  id: 'type',
  stateless: true,
  header: 'Type',
  width: 104,
  hideOrder: 2,
  hidden: role === 'seller',
  cell: (row) => productTypeLabel(row.productType),
})

const priceColumn = (header: string): Column<ProductRow> => ({
  id: 'price',
  stateless: true,
  header,
  text: (row) => plainAmount(row.priceCents),
  width: 100,
  align: 'end',
  sortable: true,
  hideable: false,
  cell: (row) => amount(row.priceCents),
})

const bestSellerColumn: Column<ProductRow> = {
  id: 'best',
  stateless: true,
  header: 'Best seller',
  text: (row) => plainAmount(row.bestSellerCents),
  width: 100,
  align: 'end',
  sortable: true,
  hideOrder: 4,
  cell: (row) => <span className={styles.second}>{amount(row.bestSellerCents)}</span>,
}

const stockColumn: Column<ProductRow> = {
  id: 'stock',
  stateless: true,
  header: 'Stock',
  text: (row) => (row.inStock === false ? 'out' : formatStock(row.qty)),
  width: 86,
  align: 'end',
  sortable: true,
  hideable: false,
  cell: (row) =>
    row.inStock === false ? (
      <span className={styles.grey}>out</span>
    ) : row.qty === null ? (
      <span className={styles.grey}>unknown</span>
    ) : (
      formatStock(row.qty)
    ),
}

const updatedColumn: Column<ProductRow> = {
  id: 'updated',
  stateless: true,
  header: 'Updated',
  text: (row) => isoMoment(row.updatedAt),
  width: momentWidth,
  align: 'end',
  sortable: true,
  hideOrder: 3,
  hidden: true,
  cell: (row) => (row.updatedAt === null ? '' : <ServiceMoment at={row.updatedAt} />),
}
