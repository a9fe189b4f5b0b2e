import { t } from '../../../../contract/localization/localized.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type {
  LoggedDecision,
  RuleView,
} from '../../../../contract/price-watch/price-watch-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { FilterChip } from '../../../ui/controls/filters/filter-chip.tsx'
import { formatCents, formatCount, formatMoment, formatUtc } from '../../../ui/format.ts'
import { Bar, SidePanel } from '../../../ui/layout/page.tsx'
import { ColumnMenu } from '../../../ui/table/columns/column-menu.tsx'
import { type Column, momentWidth } from '../../../ui/table/columns/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { oneOf, useListSettings } from '../../../ui/table/saved/list-settings.ts'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import { type PagedRows, usePagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { TableCopy } from '../../../ui/table/copy/table-copy.tsx'
import { isoMoment, plainAmount } from '../../../ui/table/copy/table-text.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from '../price-watch.module.css'
import { reasonTexts } from '../price-watch-texts.ts'
import { DecisionDetails } from './decision-details.tsx'
import { type Variant, variantLabel } from '../../../lib/labels/product-labels.ts'

type Row = LoggedDecision & Variant & { name: string }
type DecisionPage = { total: number; rows: Row[] }
type Shown = 'all' | 'sent'
const lookParts = { shown: oneOf(['all', 'sent'], 'all') }

const by: Record<LoggedDecision['by'], string> = { rule: 'rule', auto: 'auto', person: 'you' }

const keyOf = (row: Row): string => String(row.number)
const columns: readonly Column<Row>[] = [
  {
    id: 'at',
    header: 'Last decided',
    text: (row) => isoMoment(row.lastAt),
    width: momentWidth,
    hideable: false,
    cell: (row) => (
      <span title={formatUtc(row.lastAt)}>{formatMoment(row.lastAt, Date.now())}</span>
    ),
  },
  {
    id: 'name',
    header: 'Product',
    text: (row) => row.name,
    width: 240,
    minWidth: 200,
    wantedWidth: 340,
    grow: true,
    hideable: false,
    cell: (row) => <NameCell name={row.name} detail={variantLabel(row)} />,
  },
  {
    id: 'reason',
    header: 'Reason',
    text: (row) => reasonTexts[row.reason],
    width: 160,
    hideOrder: 5,
    cell: (row) => <b className={styles.medium}>{reasonTexts[row.reason]}</b>,
  },
  {
    id: 'price',
    header: 'You receive EUR',
    text: (row) => plainAmount(row.targetCents ?? row.beforeCents),
    width: 134,
    align: 'end',
    cell: (row) =>
      row.targetCents === null ? (
        <span className={styles.quiet}>stays {formatCents(row.beforeCents)}</span>
      ) : (
        <>
          {formatCents(row.beforeCents)} → <b>{formatCents(row.targetCents)}</b>
        </>
      ),
  },
  {
    id: 'best',
    header: 'Best',
    width: 76,
    align: 'end',
    hideOrder: 3,
    cell: (row) => (row.inputs.bestCents === null ? '' : formatCents(row.inputs.bestCents)),
  },
  { id: 'rule', header: 'Rule', width: 120, hideOrder: 2, cell: (row) => row.ruleName ?? '' },
  { id: 'by', header: 'By', width: 72, hideOrder: 1, cell: (row) => by[row.by] },
  {
    id: 'times',
    header: 'Times',
    width: 64,
    align: 'end',
    hideOrder: 4,
    cell: (row) => formatCount(row.times),
  },
]

/** Filters, copy, export and columns of the decisions. */
function DecisionsBar({
  rows,
  shown,
  onShow,
  offerId,
}: {
  rows: PagedRows<Row, DecisionPage>
  shown: Shown
  onShow: (shown: Shown) => void
  offerId: string | null
}) {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const save = useMutation({
    mutationFn: () => rpc.priceWatch.exportDecisions({ accountId, offerId }),
    onSuccess: ({ fileName, base64 }) => saveFile(fileName, base64),
    onError: (error) => toastProblem(problemOf(error), null),
  })
  return (
    <Bar
      label="Decisions"
      end={
        <>
          <TableCopy
            tableId="price-decisions"
            columns={columns}
            rowsOf={rows.read}
            total={rows.total}
          />
          <Button
            icon={<IconDownload size={16} stroke={1.6} />}
            busy={save.isPending}
            onClick={() => save.mutate()}
          >
            CSV
          </Button>
          <ColumnMenu tableId="price-decisions" columns={columns} />
        </>
      }
    >
      <CountTabs
        label="Which decisions"
        value={shown}
        onChange={onShow}
        tabs={[
          { id: 'all', label: 'All decisions' },
          { id: 'sent', label: 'Send attempts' },
        ]}
      />
      {offerId === null ? null : (
        <FilterChip
          label="Offer"
          value={rows.getRow(0)?.name ?? offerId}
          onRemove={() => go('/watch/decisions')}
        />
      )}
    </Bar>
  )
}

/** A decision with its inputs, and the rule as it was then. */
function DecisionPanel({
  decision,
  rules,
  onClose,
}: {
  decision: Row
  rules: readonly RuleView[] | undefined
  onClose: () => void
}) {
  const decided = rules?.find(
    ({ ruleId, revision }) => ruleId === decision.ruleId && revision === decision.inputs.revision,
  )
  return (
    <SidePanel
      title={decision.name}
      width={356}
      detail={`${reasonTexts[decision.reason]}, ${formatMoment(decision.at, Date.now())}`}
      onClose={onClose}
    >
      <DecisionDetails decision={decision} rule={decided?.rule ?? null} />
      <p className={styles.aside}>
        {t('screens.price-watch-decided', {
          count: decision.times,
          since: formatMoment(decision.at, Date.now()),
        })}
      </p>
    </SidePanel>
  )
}

/** Every decision with all its inputs, including decisions that change nothing. */
export function DecisionsView({ offerId }: { offerId: string | null }) {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const [{ shown }, look] = useListSettings('price-decisions', accountId, lookParts)
  const [open, setOpen] = useState<Row | null>(null)
  const list = { accountId, offerId, sentOnly: shown === 'sent' }
  const rows = usePagedRows<Row, DecisionPage>(
    JSON.stringify(list),
    (window) => api.priceWatch.decisions.queryOptions({ input: { ...list, window } }),
    keyOf,
  )
  const rules = useQuery(api.priceWatch.rules.queryOptions({ input: { accountId } })).data
  return (
    <>
      <DecisionsBar
        rows={rows}
        shown={shown}
        onShow={(next) => look({ shown: next })}
        offerId={offerId}
      />
      <div className={styles.split}>
        <div className={styles.splitMain}>
          {rows.error !== null ? (
            <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
          ) : (
            <DataTable
              autoFocus
              tableId="price-decisions"
              label="Decisions"
              columns={columns}
              total={rows.total}
              getRow={rows.getRow}
              rowKey={keyOf}
              onRange={rows.onRange}
              loading={rows.loading}
              stale={rows.stale}
              openKey={open === null ? null : String(open.number)}
              onOpen={setOpen}
              onClose={() => setOpen(null)}
              isMuted={(row) => row.targetCents === null}
              empty={
                <EmptyState
                  title="No decisions yet"
                  text={
                    'When a rule is in force, all its decisions are listed here, including those ' +
                    'that change nothing.'
                  }
                  actions={<Button onClick={() => go('/watch/rules')}>View rules</Button>}
                />
              }
            />
          )}
        </div>
        {open === null ? null : (
          <DecisionPanel decision={open} rules={rules} onClose={() => setOpen(null)} />
        )}
      </div>
    </>
  )
}
