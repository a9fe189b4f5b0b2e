import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Claim } from '../../../contract/claims.ts'
import { claimLabel, isUnsentClaim } from '../../lib/labels/claim-labels.ts'
import { variantLabel } from '../../lib/labels/product-labels.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { ClaimTimeLeft } from '../../lib/account/account-time.tsx'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../ui/layout/count-tabs.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { formatMoment } from '../../ui/format.ts'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { StatusTag } from '../../ui/data-display/status-tag.tsx'
import { ColumnMenu } from '../../ui/table/columns/column-menu.tsx'
import { type Column, momentWidth } from '../../ui/table/columns/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { TableHandle } from '../../ui/table/data-table.tsx'
import { oneOf, useListSettings } from '../../ui/table/saved/list-settings.ts'
import { NameCell } from '../../ui/table/cells/name-cell.tsx'
import { TableCopy } from '../../ui/table/copy/table-copy.tsx'
import { isoMoment } from '../../ui/table/copy/table-text.ts'
import { ClaimPanel } from './claim-panel.tsx'

const views = ['all', 'draft', 'waiting', 'settled'] as const
type View = (typeof views)[number]
const viewLabels: Record<View, string> = {
  all: 'All',
  draft: 'Not sent',
  waiting: 'In progress',
  settled: 'Settled',
}

const viewParams = { view: oneOf(views, 'all') }

const columns: readonly Column<Claim>[] = [
  {
    id: 'product',
    header: 'Product',
    text: (row) => [row.name, variantLabel(row)].filter(Boolean).join(', '),
    width: 280,
    minWidth: 120,
    wantedWidth: 200,
    grow: true,
    hideable: false,
    cell: (row) => <NameCell name={row.name} detail={variantLabel(row)} />,
  },
  {
    id: 'key',
    header: 'Key',
    width: 190,
    hideOrder: 3,
    cell: (row) => <span className="kd-mono">{row.masked}</span>,
  },
  { id: 'order', header: 'Order', width: 180, hideOrder: 2, cell: (row) => row.externalId },
  {
    id: 'state',
    header: 'State',
    text: (row) => claimLabel(row).word,
    width: 150,
    hideable: false,
    cell: (row) => <StatusTag tone={claimLabel(row).tone}>{claimLabel(row).word}</StatusTag>,
  },
  {
    id: 'left',
    header: 'Time left to claim',
    text: (row) => `until ${isoMoment(row.claimUntil)}`,
    width: 170,
    hideOrder: 4,
    cell: (row) => (isUnsentClaim(row) ? <ClaimTimeLeft until={row.claimUntil} /> : null),
  },
  {
    id: 'sent',
    header: 'Sent',
    text: (row) => isoMoment(row.sentAt),
    width: momentWidth,
    align: 'end',
    hideOrder: 1,
    cell: (row) => (row.sentAt === null ? null : formatMoment(row.sentAt, Date.now())),
  },
]

/** Claims on keys that don't work: drafts, claims with the service, and results. */
export function ClaimsPage({ claimId }: { claimId: string | null }) {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const [{ view }, look] = useListSettings('claims', accountId, viewParams)
  const list = useQuery(api.claims.list.queryOptions({ input: { accountId, view } }))
  const rows = list.data?.rows ?? []
  const table = useRef<TableHandle>(null)
  const [openedWith] = useState(claimId)
  return (
    <Page
      panel={
        claimId === null ? undefined : (
          <ClaimPanel
            key={claimId}
            claimId={claimId}
            writes={claimId === openedWith}
            onClose={() => {
              go('/claims')
              table.current?.focus()
            }}
          />
        )
      }
    >
      <PageHeader
        title="Claims"
        beside={
          <CountTabs
            label="Claims by state"
            value={view}
            onChange={(next) => look({ view: next })}
            tabs={views.map((id) => ({
              id,
              label: viewLabels[id],
              count: list.data?.counts[id] ?? null,
            }))}
          />
        }
        actions={
          <>
            <TableCopy
              tableId="claims"
              columns={columns}
              rowsOf={async () => rows}
              total={rows.length}
            />
            <ColumnMenu tableId="claims" columns={columns} />
          </>
        }
      />
      {list.isError && list.data === undefined ? (
        <ErrorState problem={problemOf(list.error)} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          ref={table}
          autoFocus
          tableId="claims"
          label="Claims"
          columns={columns}
          total={rows.length}
          getRow={(index) => rows[index]}
          rowKey={(row) => row.claimId}
          openKey={claimId}
          onOpen={(row) => go(`/claims/${row.claimId}`)}
          onClose={() => go('/claims')}
          loading={list.isPending}
          empty={
            view === 'all' ? <NoClaims /> : <p className="kd-nothing">No claims in this state.</p>
          }
        />
      )}
    </Page>
  )
}

function NoClaims() {
  const [, go] = useLocation()
  return (
    <EmptyState
      title="No claims"
      text={
        'If a delivered key doesn’t work, claim it within 7 days of its delivery, with a ' +
        'screenshot of the error.'
      }
      actions={
        <Button kind="primary" size="lg" autoFocus onClick={() => go('/keys')}>
          Open keys
        </Button>
      }
      steps={[
        {
          title: 'Open the key’s order',
          text: 'Select the flag next to a key to start its claim.',
        },
        {
          title: 'Describe the problem',
          text: 'Add the screenshot of the activation error.',
        },
        {
          title: 'Wait for the supplier',
          text: 'You get a replacement or a credit only if the supplier grants it.',
        },
      ]}
    />
  )
}
