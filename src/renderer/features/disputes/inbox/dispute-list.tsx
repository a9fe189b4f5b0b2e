import { useVirtualizer } from '@tanstack/react-virtual'
import { IconArrowBackUp, IconCircleCheck, IconClockHour4, IconPencil } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react'
import type { DisputeRow } from '../../../../contract/disputes/dispute-records.ts'
import { formatDuration, formatMoment, formatUtc } from '../../../ui/format.ts'
import { TimeLeft } from '../../../ui/data-display/time-left.tsx'
import styles from './inbox.module.css'
import { rowKey } from './row-key.ts'
import type { Cursor } from './use-inbox-navigation.ts'
import type { DisputeSelection } from '../bulk/use-dispute-selection.ts'
import { factsOf, groupWords, summaryOf } from '../words.ts'
import { ESCALATES_AFTER_MS } from '../../../../../server/api/limits.ts'
import { useAccountNows } from '../../../lib/account/account-time.tsx'

export type Groups = readonly { group: keyof typeof groupWords; count: number }[]
type Line = { head: keyof typeof groupWords } | { index: number }

/** Group headings and the rows between them, in display order. */
function linesOf(groups: Groups, total: number): Line[] {
  if (groups.length === 0) return Array.from({ length: total }, (_, index) => ({ index }))
  let index = 0
  return groups.flatMap(({ group, count }) => [
    { head: group },
    ...Array.from({ length: count }, () => ({ index: index++ })),
  ])
}

export interface DisputeListProps {
  groups: Groups
  total: number
  getRow: (index: number) => DisputeRow | undefined
  onRange: (first: number, last: number) => void
  openKey: string | null
  onOpen: (row: DisputeRow) => void
  cursor: Cursor
  /** The name of the row's account if several accounts are shown together. */
  accountName: (accountId: string) => string | null
  empty: ReactNode
  /** Set by a move through the list: the row of the dispute that it opens takes the focus. */
  followsFocus: RefObject<boolean>
  selection: DisputeSelection
}
/** The list, sorted by urgency. Only visible rows are rendered. */
export function DisputeList({
  groups,
  total,
  getRow,
  onRange,
  openKey,
  onOpen,
  cursor,
  accountName,
  empty,
  followsFocus,
  selection,
}: DisputeListProps) {
  const scroll = useRef<HTMLDivElement>(null)
  const nowOf = useAccountNows()
  const lines = useMemo(() => linesOf(groups, total), [groups, total])
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: (at) => ('head' in (lines[at] ?? { index: 0 }) ? 34 : 71),
    overscan: 8,
  })
  const shown = virtual.getVirtualItems()
  useEffect(() => {
    virtual.measure()
  }, [lines, virtual])
  const indexes = shown.flatMap(({ index: at }) => {
    const line = lines[at]
    return line !== undefined && 'index' in line ? [line.index] : []
  })
  const [first, last] = [indexes[0] ?? 0, indexes.at(-1) ?? 0]
  useEffect(() => {
    onRange(first, last)
  }, [first, last, onRange])
  const cursorAt = useMemo(
    () => lines.findIndex((line) => 'index' in line && line.index === cursor.index),
    [lines, cursor.index],
  )
  const scrolled = useRef<{ to: Cursor | null; isVisible: boolean }>({ to: null, isVisible: false })
  useEffect(() => {
    const isChosen = scrolled.current.to !== cursor && !cursor.isMoved
    // The list changed: its rows stay where the person scrolled to.
    if (cursorAt < 0 || (!isChosen && !scrolled.current.isVisible)) return
    scrolled.current.to = cursor
    virtual.scrollToIndex(cursorAt, { align: 'auto' })
  }, [cursor, cursorAt, virtual])
  // Runs after the effect above, which uses the visibility from before the list changed.
  useEffect(() => {
    const { startIndex = -1, endIndex = -1 } = virtual.range ?? {}
    scrolled.current.isVisible = cursorAt >= startIndex && cursorAt <= endIndex
  })
  useEffect(() => {
    if (!followsFocus.current) return
    const row = scroll.current?.querySelector<HTMLElement>(
      `[data-key="${CSS.escape(openKey ?? '')}"]`,
    )
    if (row == null) return
    followsFocus.current = false
    // An answer that is being written keeps the focus.
    const active = document.activeElement
    const inbox = scroll.current?.parentElement
    if (active !== document.body && inbox?.contains(active) !== true) return
    row.focus({ preventScroll: true })
  })
  if (total === 0) return <div className={styles.list}>{empty}</div>
  return (
    <div ref={scroll} className={styles.list} tabIndex={-1}>
      <ul aria-label="Disputes" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index: at, start }) => {
          const line = lines[at]
          if (line === undefined) return null
          if ('head' in line)
            return (
              <li
                key={line.head}
                className={styles.groupHead}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span>{groupWords[line.head].title}</span>
                <span>{groupWords[line.head].beside}</span>
              </li>
            )
          const row = getRow(line.index)
          return (
            <li
              // The focus stays on its dispute when others leave the list.
              key={row === undefined ? line.index : rowKey(row)}
              className={styles.item}
              data-selecting={selection.rows.length > 0 || undefined}
              style={{ transform: `translateY(${start}px)` }}
            >
              {row === undefined ? null : (
                <input
                  type="checkbox"
                  className={styles.tick}
                  aria-label={`Select ${row.name}, ${row.disputeId}`}
                  tabIndex={-1}
                  checked={selection.has(row)}
                  onChange={() => selection.toggle(row)}
                />
              )}
              {row === undefined ? (
                <span className={styles.bars} aria-hidden>
                  <i />
                  <i />
                </span>
              ) : (
                <Item
                  row={row}
                  now={nowOf(row.accountId)}
                  open={rowKey(row) === openKey}
                  isTabStop={line.index === cursor.index}
                  onOpen={() => onOpen(row)}
                  account={accountName(row.accountId)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Item({
  row,
  now,
  open,
  isTabStop,
  onOpen,
  account,
}: {
  row: DisputeRow
  now: number
  open: boolean
  /** The list is one tab stop: its current row. */
  isTabStop: boolean
  onOpen: () => void
  account: string | null
}) {
  return (
    <button
      type="button"
      data-key={rowKey(row)}
      tabIndex={isTabStop ? 0 : -1}
      aria-current={open || undefined}
      data-unread={row.unread || undefined}
      data-waits={
        row.waits || row.pendingAction !== null || row.pendingAnswer !== null || undefined
      }
      onClick={onOpen}
    >
      {row.unread ? <i className={styles.dot} role="img" aria-label="Unread" /> : null}
      <span className={styles.itemHead}>
        <b title={row.name}>{row.name}</b>
        <When row={row} now={now} />
      </span>
      <span className={styles.itemLine} dir="auto">
        <Sign row={row} />
        {account === null ? null : <em>{account} · </em>}
        {summaryOf(row)}
      </span>
      <span className={styles.itemLine} data-facts>
        {factsOf(row)}
      </span>
    </button>
  )
}

function Sign({ row }: { row: DisputeRow }) {
  if (row.waits) return <IconClockHour4 size={13} stroke={1.8} aria-hidden />
  if (row.hasDraft) return <IconPencil size={13} stroke={1.8} aria-hidden />
  if (row.done) return <IconCircleCheck size={13} stroke={1.8} aria-hidden />
  return row.lastAuthor === 'seller' && row.status === 'open' ? (
    <IconArrowBackUp size={13} stroke={1.8} aria-hidden />
  ) : null
}

/** Time left while an answer is due, otherwise the time of the last event. */
function When({ row, now }: { row: DisputeRow; now: number }) {
  if (row.snoozedUntil !== null)
    return (
      <small title={formatUtc(row.snoozedUntil)}>until {formatMoment(row.snoozedUntil, now)}</small>
    )
  if (row.needsAnswer && row.escalatesAt !== null)
    return (
      <span title={formatUtc(row.escalatesAt)}>
        <TimeLeft leftMs={row.escalatesAt - now} wholeMs={ESCALATES_AFTER_MS} />
      </span>
    )
  if (row.status === 'escalated') return <small>Support</small>
  const at = row.resolution?.at ?? row.lastMessageAt ?? row.updatedAt
  return at === null ? null : (
    <small title={formatUtc(at)}>
      {now - at < 24 * 3_600_000
        ? `${formatDuration(now - at)} ago`
        : formatMoment(at, now).split(',')[0]}
    </small>
  )
}
