import { useMemo } from 'react'
import type { BulkLine, PlanPage } from '../../../../contract/offers/offer-bulk.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { formatCents } from '../../../ui/format.ts'
import { Lead } from '../../../ui/data-display/amounts/lead.tsx'
import type { LeadState } from '../../../ui/data-display/amounts/lead.tsx'
import { MoneyChange } from '../../../ui/data-display/amounts/money.tsx'
import type { Column } from '../../../ui/table/columns/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import type { PagedRows } from '../../../ui/table/rows/paged-rows.ts'
import { noteTexts } from './bulk-texts.ts'
import styles from '../parts.module.css'
import { variantLabel } from '../../../lib/labels/product-labels.ts'

/** The lead of a line's offer after the change, as far as it is known. */
function leadAfter({ after, verdict }: BulkLine): LeadState {
  if (after.status === null) return { kind: 'word', word: verdict === 'changes' ? 'Closed' : '' }
  if (after.status === 'paused') return { kind: 'word', word: 'Paused' }
  if (after.leads === null)
    return { kind: 'word', word: after.stock === 0 ? 'Not listed' : 'Unknown' }
  if (after.leads) return { kind: 'leading', distanceCents: after.aheadCents }
  return { kind: 'behind', distanceCents: after.aheadCents }
}

function Price({ line: { before, after, verdict } }: { line: BulkLine }) {
  if (after.priceCents === null)
    return before.priceCents === null ? '' : formatCents(before.priceCents)
  if (before.priceCents === null) return formatCents(after.priceCents)
  if (before.priceCents === after.priceCents)
    return verdict === 'changes'
      ? formatCents(after.priceCents)
      : `stays ${formatCents(after.priceCents)}`
  return <MoneyChange from={before.priceCents} to={after.priceCents} />
}

const columnsOf = (what: 'prices' | 'keys'): Column<BulkLine>[] => [
  {
    id: 'name',
    header: 'Product',
    width: 240,
    grow: true,
    hideable: false,
    cell: (line) => <NameCell name={line.name} detail={variantLabel(line)} />,
  },
  what === 'keys'
    ? {
        id: 'keys',
        header: 'Keys',
        width: 90,
        align: 'end',
        cell: (line) => (line.before.stock === null ? '' : String(line.before.stock)),
      }
    : {
        id: 'price',
        header: 'You receive EUR',
        width: 150,
        align: 'end',
        cell: (line) => <Price line={line} />,
      },
  {
    id: 'customer',
    header: 'Customer',
    width: 96,
    align: 'end',
    cell: (line) =>
      line.after.customerCents === null ? '' : formatCents(line.after.customerCents),
  },
  {
    id: 'lead',
    header: 'Lead after',
    width: 110,
    align: 'end',
    cell: (line) => <Lead state={leadAfter(line)} />,
  },
  {
    id: 'note',
    header: 'Note',
    width: 150,
    cell: (line) =>
      line.note === null ? (
        ''
      ) : (
        <span className={styles.note} data-tone={noteTexts[line.note].tone}>
          {noteTexts[line.note].word}
        </span>
      ),
  },
]

/** All lines of a planned change, in one scrolling table. */
export function PreviewTable({
  rows,
  what,
}: {
  rows: PagedRows<BulkLine, PlanPage>
  what: 'prices' | 'keys'
}) {
  const columns = useMemo(() => columnsOf(what), [what])
  if (rows.error !== null)
    return <ErrorState problem={problemOf(rows.error)} onRetry={rows.retry} />
  return (
    <div className={styles.lines}>
      <DataTable
        tableId={`offers-preview-${what}`}
        label="Planned changes"
        columns={columns}
        total={rows.total}
        getRow={rows.getRow}
        rowKey={(line) => line.subjectId}
        onRange={rows.onRange}
        isMuted={(line) => line.verdict !== 'changes'}
        loading={rows.loading}
        stale={rows.stale}
        rowHeight={32}
        empty={<p className="kd-nothing">No lines.</p>}
      />
    </div>
  )
}
