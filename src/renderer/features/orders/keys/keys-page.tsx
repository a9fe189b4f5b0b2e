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
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable, type TableHandle } from '../../../ui/table/data-table.tsx'
import { oneOf, useListSettings } from '../../../ui/table/saved/list-settings.ts'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import { usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { TableCopy } from '../../../ui/table/copy/table-copy.tsx'
import { isoMoment } from '../../../ui/table/copy/table-text.ts'
import { useOrderClaims } from './key-row.tsx'
import styles from '../orders.module.css'
import { deliveryLabel } from '../../../lib/labels/product-labels.ts'

const views = ['all', 'claimable', 'ending', 'claimed', 'new'] as const
type View = (typeof views)[number]
const viewLabels: Record<View, string> = {
  all: 'All',
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
    width: 130,
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
    id: 'seen',
    header: 'Last used here',
    text: (row) => isoMoment(row.seenAt),
    width: 130,
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
  const [pasted, setPasted] = useState('')
  const query = useDeferredValue(words)
  const claims = useOrderClaims()
  const rows = usePagedRows<KeyRow, KeysAnswer>(
    JSON.stringify([accountId, view, query, pasted]),
    (window) =>
      api.orders.keys.queryOptions({ input: { accountId, view, query, find: pasted, window } }),
  )
  const columns = useMemo(() => keyColumns(claims), [claims])
  const { page } = rows
  const isFiltered = view !== 'all' || query !== '' || pasted !== ''
  return (
    <Page>
      <PageHeader
        title="Keys"
        beside={
          <CountTabs
            label="Keys by claim"
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
          label="Search order or product"
          width={260}
          value={words}
          onChange={setWords}
          list={table}
        />
        <input
          className={styles.find}
          type="password"
          aria-label="Paste a key to find it"
          placeholder="Paste a key to find it"
          autoComplete="off"
          spellCheck={false}
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
        />
      </Bar>
      {page === undefined || page.uncompared === 0 ? null : (
        <div className={styles.attempts}>
          <Notice
            tone="warn"
            title={`${page.uncompared} keys can’t be compared.`}
            action={
              <Button
                onClick={() =>
                  void openVault().then((opened) => {
                    if (opened) rows.retry()
                  })
                }
              >
                Open vault
              </Button>
            }
          >
            The vault is locked.
          </Notice>
        </div>
      )}
      {rows.error === null || page !== undefined ? (
        <DataTable
          ref={table}
          tableId="keys"
          label="Keys"
          columns={columns}
          total={rows.total}
          getRow={rows.getRow}
          rowKey={(row) => row.keyId}
          onRange={rows.onRange}
          onOpen={(row) => go(`/orders/${row.orderId}`)}
          loading={rows.loading}
          stale={rows.stale}
          empty={
            pasted !== '' ? (
              <p className="kd-nothing">This key isn’t stored on this computer.</p>
            ) : isFiltered ? (
              <NoMatches query={query} onClear={() => setWords('')} />
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
