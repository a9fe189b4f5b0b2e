import { useMutation, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import {
  type CostLine,
  type KeyCost,
  MOST_COST_LINES,
} from '../../../../contract/keys/cost-table.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Money, MoneyChange } from '../../../ui/data-display/amounts/money.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { formatCount } from '../../../ui/format.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import styles from '../parts.module.css'
import { noTable, TableField } from './table-field.tsx'

/** What a line does: a change is saved, a rejected line isn't used. */
const resultOf = ({ target, costCents, reason }: CostLine): 'changed' | 'same' | 'rejected' =>
  reason !== null ? 'rejected' : target?.beforeCents === costCents ? 'same' : 'changed'

const changesIn = (lines: readonly CostLine[]): KeyCost[] =>
  lines.flatMap((line) =>
    line.target === null || resultOf(line) !== 'changed'
      ? []
      : [{ of: line.target.of, id: line.target.id, costCents: line.costCents }],
  )

function LineResult({ line, saved }: { line: CostLine; saved: boolean }) {
  const result = resultOf(line)
  if (result === 'rejected')
    return (
      <span className={styles.note} data-tone="bad" title={line.reason ?? ''}>
        {line.reason}
      </span>
    )
  if (result === 'same') return <span className={styles.note}>No change</span>
  return (
    <span className={styles.note} data-tone="ok">
      {saved ? 'Saved' : 'Changes'}
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

const columnsOf = (saved: boolean): Column<CostLine>[] => [
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
        <NameCell name={target.name} detail={target.of === 'batch' ? 'batch' : target.id} />
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
const previewColumns = columnsOf(false)
const resultColumns = columnsOf(true)

/** Costs of offers and batches from a table, with a preview and a result per line. */
export function CostsFromTable({ onClose }: { onClose: () => void }) {
  const account = useAccount()
  const accountId = account.id
  const [table, setTable] = useState(noTable)
  const [saved, setSaved] = useState(false)
  const asked = useDeferredValue(table)
  const isEmpty = asked.text.trim() === ''
  const reading = useQuery({
    queryKey: ['costs from table', accountId, asked.number],
    queryFn: () => rpc.costs.read({ accountId, text: asked.text }),
    enabled: !isEmpty,
    // What a person reads and prices stays, whatever else changes.
    staleTime: 'static',
  })
  const lines = isEmpty ? [] : (reading.data?.lines ?? [])
  const changes = changesIn(lines)
  const count = (result: ReturnType<typeof resultOf>): number =>
    lines.filter((line) => resultOf(line) === result).length
  const save = useMutation(
    api.costs.save.mutationOptions({
      onSuccess({ before }, { costs }) {
        setSaved(true)
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
  const canSave = !saved && changes.length > 0 && !save.isPending
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
      note={
        lines.length === 0
          ? undefined
          : [
              `${formatCount(changes.length)} ${saved ? 'saved' : 'to save'}`,
              `${formatCount(count('same'))} unchanged`,
              `${formatCount(count('rejected'))} rejected`,
            ].join(', ')
      }
      actions={
        saved ? (
          <Button size="md" kind="primary" onClick={onClose}>
            Close
          </Button>
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
      {saved ? null : (
        <div className={styles.paste}>
          <TableField
            label="Offer or batch id, and the cost per key in EUR"
            placeholder={'offer,cost\nofr_1k2,3.20'}
            table={table}
            onChange={setTable}
            state={reading.data === undefined ? 'Reading…' : `${formatCount(lines.length)} lines`}
          />
          {reading.isError && !isEmpty ? (
            <ProblemNotice problem={problemOf(reading.error)} />
          ) : null}
          {(reading.data?.left ?? 0) > 0 && !isEmpty ? (
            <Notice
              tone="warn"
              title={`Only the first ${formatCount(MOST_COST_LINES)} lines are read`}
            >
              Split the table, and add its parts one after the other.
            </Notice>
          ) : null}
        </div>
      )}
      {lines.length === 0 ? null : (
        <div className={styles.results}>
          <DataTable
            tableId="costs-from-table"
            label="Costs"
            columns={saved ? resultColumns : previewColumns}
            total={lines.length}
            getRow={(index) => lines[index]}
            rowKey={({ line }) => String(line)}
          />
        </div>
      )}
    </Dialog>
  )
}
