import { t } from '../../../../contract/localization/localized.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import type { SandboxProduct } from '../../../../contract/sandbox/sandbox-world.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { NoMatches } from '../../../ui/feedback/no-matches.tsx'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { formatCents, formatStock } from '../../../ui/format.ts'
import { Bar, Page } from '../../../ui/layout/page.tsx'
import { SearchField } from '../../../ui/controls/fields/search-field.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable, type TableHandle } from '../../../ui/table/data-table.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import { TableCopy } from '../../../ui/table/copy/table-copy.tsx'
import { plainAmount } from '../../../ui/table/copy/table-text.ts'
import {
  deliveryTypeLabel,
  productTypeLabel,
  variantLabel,
} from '../../../lib/labels/product-labels.ts'
import { Pager } from '../../../ui/table/pager.tsx'
import { ProductPanel } from './product-panel.tsx'

const pageSize = 100
const columns: readonly Column<SandboxProduct>[] = [
  {
    id: 'name',
    header: 'Product',
    text: (row) => row.name,
    width: 300,
    grow: true,
    hideable: false,
    cell: (row) => (
      <NameCell
        name={row.name}
        detail={variantLabel(row)}
        after={row.removed ? <StatusTag tone="bad">Removed</StatusTag> : undefined}
      />
    ),
  },
  {
    id: 'type',
    header: 'Type',
    width: 110,
    hideOrder: 2,
    cell: (row) => productTypeLabel(row.productType),
  },
  {
    id: 'delivery',
    header: 'Delivery',
    width: 100,
    hideOrder: 3,
    cell: (row) => deliveryTypeLabel(row.deliveryType),
  },
  {
    id: 'price',
    header: 'Price EUR',
    text: (row) => plainAmount(row.price),
    width: 90,
    align: 'end',
    hideable: false,
    cell: (row) => (row.price === 0 ? '–' : formatCents(row.price)),
  },
  {
    id: 'stock',
    header: 'Stock',
    width: 80,
    align: 'end',
    hideable: false,
    cell: (row) => formatStock(row.qty),
  },
  {
    id: 'id',
    header: 'Id',
    text: (row) => row.id,
    width: 190,
    hideOrder: 1,
    cell: (row) => <span className="kd-mono">{row.id}</span>,
  },
]

/**
 * The current catalogue of the sandbox. Products can be created, changed and removed from sale.
 * Price and stock come from sellers' offers.
 */
export function ProductsView({
  header,
  id,
  onOpen,
}: {
  header: ReactNode
  id: string | null
  onOpen: (id: string | null) => void
}) {
  const table = useRef<TableHandle>(null)
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const list = useQuery({
    ...api.sandbox.world.products.queryOptions({
      input: { search: search.slice(0, 200), page, limit: pageSize },
    }),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.results ?? []
  const open = rows.find((product) => product.id === id)
  const make = (): void => onOpen('new')
  useShortcut('N', make)
  const close = (): void => onOpen(null)
  return (
    <Page
      header={header}
      panel={
        id === 'new' ? (
          <ProductPanel key="new" product={null} onClose={close} onMade={onOpen} />
        ) : open === undefined ? undefined : (
          <ProductPanel key={open.id} product={open} onClose={close} onMade={onOpen} />
        )
      }
    >
      <Bar
        label="Products"
        end={
          <>
            <TableCopy
              tableId="sandbox-products"
              columns={columns}
              rowsOf={async () => rows}
              total={rows.length}
            />
            <Button
              kind="primary"
              keys={['N']}
              icon={<IconPlus size={16} stroke={1.6} />}
              onClick={make}
            >
              New product
            </Button>
          </>
        }
      >
        <SearchField
          label="Search the sandbox’s catalogue"
          width={286}
          value={search}
          onChange={(text) => {
            setSearch(text)
            setPage(1)
          }}
          list={table}
        />
        <span className="kd-tabular">
          {list.data === undefined ? '' : t('counts.products', { count: list.data.total })}
        </span>
      </Bar>
      {list.isError && list.data === undefined ? (
        <ErrorState problem={problemOf(list.error)} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          ref={table}
          tableId="sandbox-products"
          label="Products of the sandbox"
          columns={columns}
          total={rows.length}
          getRow={(index) => rows[index]}
          rowKey={(row) => row.id}
          openKey={id}
          onOpen={(row) => onOpen(row.id)}
          onClose={close}
          loading={list.isPending}
          stale={list.isPlaceholderData}
          isMuted={(row) => row.removed}
          empty={
            list.data?.unread !== true && search !== '' ? (
              <NoMatches
                query={search}
                hint="Enter at least two letters."
                onClear={() => setSearch('')}
              />
            ) : (
              <p className="kd-nothing">
                {list.data?.unread === true
                  ? 'The catalogue needs a partner to read it. Create one under Accounts and keys first.'
                  : 'The catalogue is empty. Create its first product.'}
              </p>
            )
          }
        />
      )}
      <Pager page={page} size={pageSize} total={list.data?.total} onPage={setPage} />
    </Page>
  )
}
