import { useMutation, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import {
  type CostLine,
  type KeyCost,
  MOST_COST_LINES,
} from '../../../../contract/keys/cost-table.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { saveText } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Money, MoneyChange } from '../../../ui/data-display/amounts/money.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { ResultActions } from '../../../ui/feedback/result-actions.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { formatCount } from '../../../ui/format.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import styles from '../parts.module.css'
import { changesIn, costReasonOf, costResultOf, costsCsv, savedKey } from './cost-results.ts'
import type { CostResult } from './cost-results.ts'
import { TableField } from '../bulk/table-field.tsx'
import { noTable, readAgain } from '../bulk/table-text.ts'

function LineResult({ line, saved }: { line: CostLine; saved: ReadonlySet<string> | null }) {
  const reason = costReasonOf(line, saved)
  if (reason !== null)
    return (
      <span className={styles.note} data-tone="bad" title={reason}>
        {reason}
      </span>
    )
  if (costResultOf(line, saved) === 'same') return <span className={styles.note}>No change</span>
  return (
    <span className={styles.note} data-tone="ok">
      {saved === null ? 'Changes' : 'Saved'}
    </span>
  )
}

function Cost({ line: { target, costCents } }: { line: CostLine }) {
  const before = target?.beforeCents ?? null
  if (costCents === null) return before === null ? '' : <Money cents={before} />
  return before === null || before === costCents ? (
    <Money cents={costCents} />
  ) : (
    <MoneyChange from={before} to={costCents} />
  )
}

const columnsOf = (saved: ReadonlySet<string> | null): Column<CostLine>[] => [
  { id: 'line', header: 'Line', width: 64, align: 'end', cell: ({ line }) => formatCount(line) },
  {
    id: 'name',
    header: 'Offer or batch',
    width: 200,
    grow: true,
    hideable: false,
    cell: ({ target, text }) =>
      target === null ? (
        <span className="kd-mono">{text}</span>
      ) : (
        <NameCell name={target.name} detail={`${variantLabel(target)} · ${target.id}`} />
      ),
  },
  {
    id: 'cost',
    header: 'Cost EUR',
    width: 130,
    align: 'end',
    cell: (line) => <Cost line={line} />,
  },
  {
    id: 'result',
    header: 'Result',
    width: 300,
    cell: (line) => <LineResult line={line} saved={saved} />,
  },
]
const previewColumns = columnsOf(null)

/** The lines of the table with the offers and batches that they name. */
function useReadCosts(accountId: string, table: typeof noTable) {
  const asked = useDeferredValue(table)
  const isEmpty = asked.text.trim() === ''
  const reading = useQuery({
    queryKey: ['costs from table', accountId, asked.number],
    async queryFn({ signal }) {
      const lines: CostLine[] = []
      let left = 0
      for await (const part of await rpc.costs.read({ accountId, text: asked.text }, { signal })) {
        lines.push(...part.lines)
        left = part.left
      }
      return { lines, left }
    },
    enabled: !isEmpty,
    // What a person reads and prices stays, whatever else changes.
    staleTime: 'static',
  })
  return { reading, isEmpty, lines: isEmpty ? [] : (reading.data?.lines ?? []) }
}

const countOf = (
  result: CostResult,
  lines: readonly CostLine[],
  saved: ReadonlySet<string> | null,
): number => lines.filter((line) => costResultOf(line, saved) === result).length

const summaryOf = (
  lines: readonly CostLine[],
  saved: ReadonlySet<string> | null,
  rejected: number,
): string =>
  [
    `${formatCount(countOf('changed', lines, saved))} ${saved === null ? 'to save' : 'saved'}`,
    `${formatCount(countOf('same', lines, saved))} unchanged`,
    `${formatCount(rejected)} rejected`,
  ].join(', ')

/** Saves costs; the toast offers to undo and redo it. */
function useSaveCosts(accountId: string, onSaved: (before: readonly KeyCost[]) => void) {
  return useMutation(
    api.costs.save.mutationOptions({
      onSuccess({ before }, { costs }) {
        onSaved(before)
        const again = (some: KeyCost[]) => async (): Promise<boolean> => {
          try {
            await rpc.costs.save({ accountId, costs: some })
            return true
          } catch (error) {
            toastProblem(problemOf(error), null)
            return false
          }
        }
        toast({
          title: t('screens.costs-saved', { count: before.length }),
          text: 'Saved on this computer only. Nothing was sent.',
          undo: again(before),
          redo: again(costs),
        })
      },
      onError: (error) => toastProblem(problemOf(error), null),
    }),
  )
}

/** The table as read, until it is saved. */
function CostTable({
  table,
  onChange,
  lines,
  reading,
  isEmpty,
}: Pick<Parameters<typeof TableField>[0], 'table' | 'onChange'> & {
  lines: readonly CostLine[]
  reading: ReturnType<typeof useReadCosts>['reading']
  isEmpty: boolean
}) {
  return (
    <div className={styles.paste}>
      <TableField
        label="Offer or batch id, and the cost per key in EUR"
        placeholder={'offer,cost\nofr_1k2,3.20'}
        table={table}
        onChange={onChange}
        state={reading.data === undefined ? 'Reading…' : `${formatCount(lines.length)} lines`}
      />
      {reading.error === null || isEmpty ? null : (
        <ProblemNotice problem={problemOf(reading.error)} />
      )}
      {(reading.data?.left ?? 0) > 0 && !isEmpty ? (
        <Notice tone="warn" title={`Only the first ${formatCount(MOST_COST_LINES)} lines are read`}>
          Split the table, and add its parts one after the other.
        </Notice>
      ) : null}
    </div>
  )
}

function CostLines({
  lines,
  saved,
}: {
  lines: readonly CostLine[]
  saved: ReadonlySet<string> | null
}) {
  const columns = useMemo(() => (saved === null ? previewColumns : columnsOf(saved)), [saved])
  return (
    <div className={styles.results}>
      <DataTable
        tableId="costs-from-table"
        label="Costs"
        columns={columns}
        total={lines.length}
        getRow={(index) => lines[index]}
        rowKey={({ line }) => String(line)}
      />
    </div>
  )
}

/** Costs of offers and batches from a table, with a preview and a result per line. */
export function CostsFromTable({ onClose }: { onClose: () => void }) {
  const account = useAccount()
  const accountId = account.id
  const [table, setTable] = useState(noTable)
  /** The offers and batches whose costs were saved; null before. */
  const [saved, setSaved] = useState<ReadonlySet<string> | null>(null)
  const { reading, lines, isEmpty } = useReadCosts(accountId, table)
  const changes = changesIn(lines)
  const rejected = countOf('rejected', lines, saved) + countOf('skipped', lines, saved)
  const save = useSaveCosts(accountId, (records) => setSaved(new Set(records.map(savedKey))))
  const canSave = saved === null && changes.length > 0 && !save.isPending
  // The table is read again: lines that were saved no longer change anything.
  const correct = (): void => {
    setSaved(null)
    setTable(readAgain(table))
  }
  const run = (): void => save.mutate({ accountId, costs: changes })
  useShortcut('Ctrl+Enter', run, { where: 'dialog', enabled: canSave })
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Costs from a table"
      account={account}
      lead="The cost per key, by the id of an offer or of a batch. Costs stay on this computer."
      width={720}
      note={lines.length === 0 ? undefined : summaryOf(lines, saved, rejected)}
      actions={
        saved !== null ? (
          <ResultActions
            failed={rejected}
            asks
            onExport={() => saveText('costs.csv', costsCsv(lines, saved))}
            onRetry={correct}
            onClose={onClose}
          />
        ) : (
          <>
            <Button size="md" keys={['Esc']} onClick={onClose}>
              Cancel
            </Button>
            <Button
              size="md"
              kind="primary"
              keys={['Ctrl', 'Enter']}
              disabled={!canSave}
              busy={save.isPending}
              onClick={run}
            >
              {t('screens.costs-save', { count: changes.length })}
            </Button>
          </>
        )
      }
    >
      {saved !== null ? null : (
        <CostTable
          table={table}
          onChange={setTable}
          lines={lines}
          reading={reading}
          isEmpty={isEmpty}
        />
      )}
      {lines.length === 0 ? null : <CostLines lines={lines} saved={saved} />}
    </Dialog>
  )
}
