import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import type { Cents } from '../../../../../server/api/money.ts'
import type {
  SandboxPartner,
  SandboxSeller,
} from '../../../../contract/sandbox/sandbox-accounts.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { NoMatches } from '../../../ui/feedback/no-matches.tsx'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { formatCents } from '../../../ui/format.ts'
import { Bar, Page } from '../../../ui/layout/page.tsx'
import { SearchField } from '../../../ui/controls/fields/search-field.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable, type TableHandle } from '../../../ui/table/data-table.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import { TableCopy } from '../../../ui/table/copy/table-copy.tsx'
import { NewAccountDialog } from './new-account-dialog.tsx'
import { PartnerPanel } from './partner-panel.tsx'
import { SellerPanel } from './seller-panel.tsx'
import { statusWords } from '../words.ts'

type Row = { kind: 'partner'; account: SandboxPartner } | { kind: 'seller'; account: SandboxSeller }

const limitOf = (cents: Cents | null): string => (cents === null ? 'none' : formatCents(cents))
const columns: readonly Column<Row>[] = [
  {
    id: 'name',
    header: 'Account',
    text: ({ account }) => account.name,
    width: 240,
    grow: true,
    hideable: false,
    cell: ({ account }) => <NameCell name={account.name} />,
  },
  {
    id: 'kind',
    header: 'Type',
    width: 90,
    hideable: false,
    cell: ({ kind }) => (kind === 'partner' ? 'Partner' : 'Seller'),
  },
  {
    id: 'status',
    header: 'Status',
    text: ({ account }) => account.status,
    width: 110,
    hideable: false,
    cell: ({ account: { status } }) => (
      <StatusTag tone={statusWords[status]?.tone ?? 'neutral'}>
        {statusWords[status]?.word ?? status}
      </StatusTag>
    ),
  },
  {
    id: 'order',
    header: 'Order limit, EUR',
    width: 130,
    align: 'end',
    hideOrder: 2,
    cell: (row) => (row.kind === 'partner' ? limitOf(row.account.perOrderLimit) : ''),
  },
  {
    id: 'day',
    header: 'Daily limit, EUR',
    width: 120,
    align: 'end',
    hideOrder: 3,
    cell: (row) => (row.kind === 'partner' ? limitOf(row.account.dailyLimit) : ''),
  },
  {
    id: 'id',
    header: 'Id',
    text: ({ account }) => account.id,
    width: 210,
    hideOrder: 1,
    cell: ({ account }) => <span className="kd-mono">{account.id}</span>,
  },
]

/** Partners and sellers of the sandbox. The panel shows the open one's keys, money and e-mails. */
export function AccountsView({
  header,
  id,
  onOpen,
}: {
  header: ReactNode
  id: string | null
  onOpen: (id: string | null) => void
}) {
  const table = useRef<TableHandle>(null)
  const [query, setQuery] = useState('')
  const [making, setMaking] = useState<'partner' | 'seller' | null>(null)
  const partners = useQuery(api.sandbox.accounts.partners.queryOptions({ input: { limit: 100 } }))
  const sellers = useQuery(api.sandbox.accounts.sellers.queryOptions({ input: { limit: 100 } }))
  useShortcut('N', () => setMaking('partner'))
  const all: Row[] = [
    ...(partners.data?.results ?? []).map((account) => ({ kind: 'partner' as const, account })),
    ...(sellers.data?.results ?? []).map((account) => ({ kind: 'seller' as const, account })),
  ]
  const wanted = query.trim().toLowerCase()
  const rows = all.filter(
    ({ account }) => account.name.toLowerCase().includes(wanted) || account.id === query.trim(),
  )
  const open = all.find(({ account }) => account.id === id)
  const close = (): void => onOpen(null)
  const failed = partners.error ?? sellers.error
  return (
    <Page
      header={header}
      panel={
        open === undefined ? undefined : open.kind === 'partner' ? (
          <PartnerPanel key={id} partner={open.account} onClose={close} />
        ) : (
          <SellerPanel key={id} seller={open.account} onClose={close} />
        )
      }
    >
      <Bar
        label="Accounts"
        end={
          <>
            <TableCopy
              tableId="sandbox-accounts"
              columns={columns}
              rowsOf={async () => rows}
              total={rows.length}
            />
            <Button icon={<IconPlus size={16} stroke={1.6} />} onClick={() => setMaking('seller')}>
              New seller…
            </Button>
            <Button
              kind="primary"
              keys={['N']}
              icon={<IconPlus size={16} stroke={1.6} />}
              onClick={() => setMaking('partner')}
            >
              New partner…
            </Button>
          </>
        }
      >
        <SearchField label="Filter accounts" value={query} onChange={setQuery} list={table} />
      </Bar>
      {failed !== null && all.length === 0 ? (
        <ErrorState
          problem={problemOf(failed)}
          onRetry={() => {
            void partners.refetch()
            void sellers.refetch()
          }}
        />
      ) : (
        <DataTable
          ref={table}
          tableId="sandbox-accounts"
          label="Accounts of the sandbox"
          columns={columns}
          total={rows.length}
          getRow={(index) => rows[index]}
          rowKey={({ account }) => account.id}
          openKey={id}
          onOpen={({ account }) => onOpen(account.id)}
          onClose={close}
          loading={partners.isPending || sellers.isPending}
          isMuted={({ account }) => account.status !== 'active'}
          empty={
            all.length === 0 ? (
              <p className="kd-nothing">
                This world is empty. Create a partner, who buys, or a seller.
              </p>
            ) : (
              <NoMatches query={query} onClear={() => setQuery('')} />
            )
          }
        />
      )}
      {making === null ? null : (
        <NewAccountDialog
          kind={making}
          onClose={() => setMaking(null)}
          onMade={(made) => {
            setMaking(null)
            onOpen(made)
          }}
        />
      )}
    </Page>
  )
}
