import { t } from '../../../../contract/localization/localized.ts'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { KeyRow } from '../../../../contract/order-records.ts'
import { claimLabel } from '../../../lib/labels/claim-labels.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { ClaimTimeLeft, ServiceMoment } from '../../../lib/account/account-time.tsx'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { NoMatches } from '../../../ui/feedback/no-matches.tsx'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { formatMoment } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Bar, Page, PageHeader } from '../../../ui/layout/page.tsx'
import { SearchField } from '../../../ui/controls/fields/search-field.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { ColumnMenu } from '../../../ui/table/columns/column-menu.tsx'
import { type Column, momentWidth } from '../../../ui/table/columns/columns.ts'
import { DataTable, type TableHandle } from '../../../ui/table/data-table.tsx'
import { oneOf, useListSettings } from '../../../ui/table/saved/list-settings.ts'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { TableCopy } from '../../../ui/table/copy/table-copy.tsx'
import { isoMoment } from '../../../ui/table/copy/table-text.ts'
import { handedText } from './handed-over.tsx'
import { KeyBulkBar, keyOf, useKeySelection } from './key-selection.tsx'
import { useOrderClaims } from './key-row.tsx'
import styles from '../orders.module.css'
import { deliveryLabel } from '../../../lib/labels/product-labels.ts'

const views = ['all', 'unhanded', 'handed', 'claimable', 'ending', 'claimed', 'new'] as const
type View = (typeof views)[number]
const viewLabels: Record<View, string> = {
  all: 'All',
  unhanded: 'Not handed over yet',
  handed: 'Handed over',
  claimable: 'Claimable',
  ending: 'Ends within 24 h',
  claimed: 'Claimed',
  new: 'New from claims',
}
const viewParams = { view: oneOf(views, 'all') }
type KeysAnswer = {
  total: number
  rows: KeyRow[]
  counts: Record<View, number>
  uncompared: number
}

const claimText = (
  claim: Parameters<typeof claimLabel>[0] | undefined,
  { replacement, seenAt, claimUntil }: KeyRow,
): string =>
  claim !== undefined
    ? claimLabel(claim).word
    : replacement && seenAt === null
      ? 'New, replacement'
      : `until ${isoMoment(claimUntil)}`

type ClaimsByKey = ReturnType<typeof useOrderClaims>

const keyColumns = (claims: ClaimsByKey): readonly Column<KeyRow>[] => [
  {
    id: 'key',
    header: 'Key',
    text: (row) => row.masked,
    width: 230,
    hideable: false,
    cell: (row) => (
      <span className={styles.masked}>
        <span className={styles.key}>{row.masked}</span>
      </span>
    ),
  },
  {
    id: 'product',
    header: 'Product',
    text: (row) => row.name,
    width: 260,
    grow: true,
    hideable: false,
    cell: (row) => <NameCell name={row.name} detail={deliveryLabel(row)} />,
  },
  { id: 'order', header: 'Order', width: 180, cell: (row) => row.externalId },
  {
    id: 'delivered',
    header: 'Delivered',
    text: (row) => isoMoment(row.deliveredAt),
    width: momentWidth,
    align: 'end',
    hideOrder: 2,
    cell: (row) => <ServiceMoment at={row.deliveredAt} />,
  },
  {
    id: 'claim',
    header: 'Claim',
    width: 190,
    text: (row) => claimText(claims.get(row.keyId), row),
    cell: (row) => {
      const claim = claims.get(row.keyId)
      if (claim !== undefined)
        return <StatusTag tone={claimLabel(claim).tone}>{claimLabel(claim).word}</StatusTag>
      return row.replacement && row.seenAt === null ? (
        <StatusTag tone="info">New, replacement</StatusTag>
      ) : (
        <ClaimTimeLeft until={row.claimUntil} />
      )
    },
  },
  {
    id: 'handed',
    header: 'Handed over',
    width: 170,
    hideOrder: 3,
    text: (row) => [isoMoment(row.handedAt), row.handedNote].filter(Boolean).join(' '),
    title: (row) => handedText(row) || undefined,
    cell: (row) =>
      row.handedAt === null ? null : (
        <NameCell
          name={formatMoment(row.handedAt, Date.now())}
          {...(row.handedNote !== '' && { detail: row.handedNote })}
        />
      ),
  },
  {
    id: 'seen',
    header: 'Last used here',
    text: (row) => isoMoment(row.seenAt),
    width: momentWidth,
    align: 'end',
    hideOrder: 1,
    cell: (row) => (row.seenAt === null ? null : formatMoment(row.seenAt, Date.now())),
  },
]

/**
 * Every key stored on this computer, with its order: found by words or by the key itself, also
 * offline. Values stay masked; an order's page reveals them.
 */
export function KeysPage() {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const [{ view }, look] = useListSettings('keys', accountId, viewParams)
  const [words, setWords] = useState('')
  const table = useRef<TableHandle>(null)
  const query = useDeferredValue(words)
  const claims = useOrderClaims()
  const rows = usePagedRows<KeyRow, KeysAnswer>(
    JSON.stringify([accountId, view, query]),
    (window) => api.orders.keys.queryOptions({ input: { accountId, view, query, window } }),
  )
  const columns = useMemo(() => keyColumns(claims), [claims])
  const { page } = rows
  const selection = useKeySelection({ view, query })
  const isFiltered = view !== 'all' || query !== ''
  return (
    <Page>
      <PageHeader
        title="Keys"
        beside={
          <CountTabs
            label="Views of keys"
            value={view}
            onChange={(next) => look({ view: next })}
            tabs={views.map((id) => ({
              id,
              label: viewLabels[id],
              count: page?.counts[id] ?? null,
            }))}
          />
        }
      />
      <Bar
        label="Find keys"
        end={
          <>
            <TableCopy tableId="keys" columns={columns} rowsOf={rows.read} total={rows.total} />
            <ColumnMenu tableId="keys" columns={columns} />
          </>
        }
      >
        <SearchField
          label="Search order or product, or paste a key"
          width={320}
          value={words}
          onChange={setWords}
          list={table}
        />
      </Bar>
      {rows.error === null || page !== undefined ? (
        <DataTable
          ref={table}
          tableId="keys"
          label="Keys"
          columns={columns}
          total={rows.total}
          getRow={rows.getRow}
          rowKey={keyOf}
          checked={selection.checked}
          onCheck={selection.check}
          onCheckAll={selection.checkAll}
          over={<KeyBulkBar selection={selection} total={rows.total} />}
          onRange={rows.onRange}
          onOpen={(row) => go(`/orders/${row.orderId}`)}
          loading={rows.loading}
          stale={rows.stale}
          empty={
            isFiltered ? (
              <NoMatch
                query={query}
                uncompared={page?.uncompared ?? 0}
                onOpened={rows.retry}
                onClear={() => setWords('')}
              />
            ) : (
              <EmptyState
                title="No keys stored yet"
                text={
                  'Download the keys of an order. They are saved encrypted on this computer, and you ' +
                  'can read them offline.'
                }
                actions={
                  <Button kind="primary" size="lg" autoFocus onClick={() => go('/orders')}>
                    Open orders
                  </Button>
                }
              />
            )
          }
        />
      ) : (
        <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
      )}
    </Page>
  )
}

/** Nothing matches; a locked vault also means that the text wasn't compared with the keys. */
function NoMatch({
  query,
  uncompared,
  onOpened,
  onClear,
}: {
  query: string
  uncompared: number
  onOpened: () => void
  onClear: () => void
}) {
  if (query === '' || uncompared === 0) return <NoMatches query={query} onClear={onClear} />
  return (
    <div className={styles.ready}>
      <Notice
        tone="warn"
        title="No order or product matches."
        action={
          <Button
            onClick={() =>
              void openVault().then((opened) => {
                if (opened) onOpened()
              })
            }
          >
            Open vault
          </Button>
        }
      >
        {t('screens.orders-compare', { count: uncompared })}
      </Notice>
    </div>
  )
}
