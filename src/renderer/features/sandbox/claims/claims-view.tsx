import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IconFlag } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { SandboxDispute } from '../../../../contract/sandbox/sandbox-world.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Bar, Page } from '../../../ui/layout/page.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { StatusTag, type Tone } from '../../../ui/data-display/status-tag.tsx'
import { type Column, momentWidth } from '../../../ui/table/columns/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import { TableCopy } from '../../../ui/table/copy/table-copy.tsx'
import { isoMoment } from '../../../ui/table/copy/table-text.ts'
import { ClaimPanel } from './claim-panel.tsx'
import { NewClaimDialog } from './new-claim-dialog.tsx'
import { Pager } from '../../../ui/table/pager.tsx'
import styles from '../sandbox.module.css'
import { SandboxMoment } from '../sandbox-time.tsx'

const pageSize = 100
const words: Record<string, { word: string; tone: Tone }> = {
  open: { word: 'Open', tone: 'warn' },
  escalated: { word: 'With support', tone: 'bad' },
  replaced: { word: 'Replaced', tone: 'ok' },
  refunded: { word: 'Refunded', tone: 'ok' },
  rejected: { word: 'Rejected', tone: 'neutral' },
}
const wordOf = ({ status, outcome }: SandboxDispute): { word: string; tone: Tone } =>
  words[outcome ?? status] ?? { word: status, tone: 'neutral' }
const columns: readonly Column<SandboxDispute>[] = [
  {
    id: 'name',
    header: 'Product',
    text: (row) => row.name,
    width: 300,
    minWidth: 200,
    grow: true,
    hideable: false,
    cell: (row) => <NameCell name={row.name} />,
  },
  {
    id: 'reason',
    header: 'Reason',
    width: 240,
    minWidth: 140,
    grow: true,
    hideOrder: 3,
    title: (row) => row.reason,
    cell: (row) => row.reason,
  },
  {
    id: 'state',
    header: 'State',
    text: (row) => wordOf(row).word,
    width: 120,
    hideable: false,
    cell: (row) => <StatusTag tone={wordOf(row).tone}>{wordOf(row).word}</StatusTag>,
  },
  {
    id: 'opened',
    header: 'Claimed',
    text: (row) => isoMoment(row.openedAt),
    width: momentWidth,
    align: 'end',
    cell: (row) => (row.openedAt === null ? '' : <SandboxMoment at={row.openedAt} />),
  },
  {
    id: 'escalates',
    header: 'Escalates',
    text: (row) => isoMoment(row.status === 'open' ? row.escalatesAt : null),
    width: momentWidth,
    align: 'end',
    hideOrder: 2,
    cell: (row) =>
      row.escalatesAt === null || row.status !== 'open' ? (
        ''
      ) : (
        <SandboxMoment at={row.escalatesAt} />
      ),
  },
  {
    id: 'order',
    header: 'Order',
    text: (row) => row.orderId,
    width: 200,
    hideOrder: 1,
    cell: (row) => <span className="kd-mono">{row.orderId}</span>,
  },
]

/**
 * Every claim of the sandbox, as its support sees them. Here you write as a customer, or write,
 * escalate and reject as support.
 */
export function ClaimsView({
  header,
  id,
  onOpen,
}: {
  header: ReactNode
  id: string | null
  onOpen: (id: string | null) => void
}) {
  const [page, setPage] = useState(1)
  const [claiming, setClaiming] = useState(false)
  const list = useQuery({
    ...api.sandbox.world.disputes.queryOptions({ input: { page, limit: pageSize } }),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.results ?? []
  const open = rows.find((row) => row.id === id)
  const close = (): void => onOpen(null)
  useShortcut('N', () => setClaiming(true))
  return (
    <Page
      header={header}
      panel={
        open === undefined ? undefined : <ClaimPanel key={open.id} dispute={open} onClose={close} />
      }
    >
      <Bar
        label="Claims"
        end={
          <>
            <TableCopy
              tableId="sandbox-claims"
              columns={columns}
              rowsOf={async () => rows}
              total={rows.length}
            />
            <Button
              kind="primary"
              keys={['N']}
              icon={<IconFlag size={16} stroke={1.6} />}
              onClick={() => setClaiming(true)}
            >
              New claim…
            </Button>
          </>
        }
      >
        <span className={styles.note}>
          Here you act as customers and support. Act as the seller on the Disputes page of a seller
          account.
        </span>
      </Bar>
      {list.isError && list.data === undefined ? (
        <ErrorState problem={problemOf(list.error)} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable
          tableId="sandbox-claims"
          label="Claims of the sandbox"
          columns={columns}
          total={rows.length}
          getRow={(index) => rows[index]}
          rowKey={(row) => row.id}
          openKey={id}
          onOpen={(row) => onOpen(row.id)}
          onClose={close}
          loading={list.isPending}
          isMuted={(row) => row.status === 'resolved'}
          empty={
            <p className="kd-nothing">
              No claims yet. Create one to test how you handle a customer’s claim.
            </p>
          }
        />
      )}
      <Pager page={page} size={pageSize} total={list.data?.total} onPage={setPage} />
      {claiming ? (
        <NewClaimDialog
          onClose={() => setClaiming(false)}
          onMade={(made) => {
            setClaiming(false)
            onOpen(made)
          }}
        />
      ) : null}
    </Page>
  )
}
