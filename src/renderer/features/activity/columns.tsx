import type { ActivityEntry } from '../../../contract/app/app.ts'
import { formatMessage } from '../../../contract/localization/localized.ts'
import { Mark } from '../../ui/data-display/identity/mark.tsx'
import { formatClockSeconds, formatCount, formatMoment, formatUtc } from '../../ui/format.ts'
import { NameCell } from '../../ui/table/cells/name-cell.tsx'
import { type Column, momentWidth } from '../../ui/table/columns/columns.ts'
import { outcomeWords } from './outcome.ts'

const marks = { ok: 'ok', failed: 'bad', unknown: 'warn' } as const

export const activityColumns: readonly Column<ActivityEntry>[] = [
  {
    id: 'at',
    header: 'When',
    width: momentWidth,
    hideable: false,
    cell: (entry) => (
      <time title={formatUtc(entry.at)}>
        {new Date(entry.at).toDateString() === new Date().toDateString()
          ? formatClockSeconds(entry.at)
          : formatMoment(entry.at, Date.now())}
      </time>
    ),
  },
  {
    id: 'what',
    header: 'Action',
    width: 300,
    minWidth: 200,
    grow: true,
    hideable: false,
    cell: (entry) => (
      <NameCell
        name={formatMessage(entry.what)}
        detail={entry.detail === null ? '' : formatMessage(entry.detail)}
      />
    ),
  },
  {
    id: 'outcome',
    header: 'Outcome',
    width: 150,
    cell: (entry) => (
      <span style={{ display: 'inline-flex', alignItems: 'center', gap: 7 }}>
        <Mark kind={marks[entry.outcome]} size={13} />
        {outcomeWords[entry.outcome]}
      </span>
    ),
  },
  {
    id: 'code',
    header: 'Code',
    width: 190,
    hideOrder: 2,
    cell: (entry) => (
      <span className="kd-mono">
        {[entry.code, entry.status].filter((part) => part !== null).join(' · ')}
      </span>
    ),
  },
  {
    id: 'request',
    header: 'Request',
    width: 190,
    hideOrder: 1,
    cell: (entry) => <span className="kd-mono">{entry.requestId}</span>,
  },
  {
    id: 'duration',
    header: 'Time (ms)',
    width: 84,
    align: 'end',
    hideOrder: 3,
    cell: (entry) => (entry.durationMs === null ? null : formatCount(Math.round(entry.durationMs))),
  },
]
