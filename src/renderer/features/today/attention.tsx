import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Cents } from '../../../../server/api/money.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { KeyCap } from '../../ui/controls/buttons/key-cap.tsx'
import { formatCents, formatCount } from '../../ui/format.ts'
import { useRowMoves } from '../../ui/hooks/row-moves.ts'
import { NumberLink, type Place, useOpenPlace } from './open-list.tsx'
import styles from './today.module.css'

export interface AttentionRow {
  id: string
  name: string
  detail: string
  /**
   * The money at stake; null if unknown. `none`: no money depends on it. `blank`: `when` already
   * says so.
   */
  cents: Cents | null | 'none' | 'blank'
  perDay?: boolean
  when: ReactNode
  tone?: 'soon' | 'urgent'
  action: string
  /** Where the row and its action lead. */
  place: Place
}

/** One kind of work, with its most urgent records. Kinds without any aren't shown. */
export interface AttentionKind {
  id: string
  icon: Icon
  name: string
  /** Null: not known yet. */
  count: number | null
  /** The list of exactly these records; null if there is none, so that the number isn't a link. */
  place: Place | null
  note?: ReactNode
  rows: readonly AttentionRow[]
}

/** The work that waits, most urgent first. */
export function Attention({
  kinds,
  amount,
}: {
  kinds: readonly AttentionKind[]
  /** The heading of the amounts: "EUR at stake". */
  amount: string
}) {
  if (shownOf(kinds).length === 0) return <NothingWaits kinds={kinds} />
  return (
    <AttentionTable amount={amount}>
      <AttentionKinds kinds={kinds} hasPrimary />
    </AttentionTable>
  )
}

const shownOf = (kinds: readonly AttentionKind[]) =>
  kinds.flatMap((kind) =>
    kind.count === null || kind.count === 0 ? [] : [{ ...kind, count: kind.count }],
  )

/** One line for an account without work, or while it isn't known yet. */
function NothingWaits({ kinds }: { kinds: readonly AttentionKind[] }) {
  const isLoading = kinds.some(({ count }) => count === null)
  return (
    <p className={styles.quiet} aria-busy={isLoading}>
      {isLoading ? 'Loading…' : 'Nothing needs attention.'}
    </p>
  )
}

/** The keys that move through the rows, in the heading of their buttons. */
export const RowKeys = () => (
  <span className={styles.rowKeys} aria-hidden>
    <KeyCap name="J" />
    <KeyCap name="K" />
    <KeyCap name="Enter" />
  </span>
)

/** The table around {@link AttentionKinds}: J and K move through all rows, Enter opens one. */
export function AttentionTable({ amount, children }: { amount: string; children: ReactNode }) {
  const table = useRowMoves<HTMLDivElement>()
  return (
    <div ref={table} className={styles.attention} role="table" aria-label="Needs attention">
      <div className={styles.head} role="row">
        <span role="columnheader">Needs attention</span>
        <span role="columnheader" aria-label="Record" />
        <span role="columnheader">{amount}</span>
        <span role="columnheader">When</span>
        <span role="columnheader" aria-label="Action">
          <RowKeys />
        </span>
      </div>
      {children}
    </div>
  )
}

/** The kinds of one account. `of` names it if the table shows several. */
export function AttentionKinds({
  kinds,
  hasPrimary = false,
  of,
}: {
  kinds: readonly AttentionKind[]
  /** Whether the first row has the page's primary button. */
  hasPrimary?: boolean
  of?: string
}) {
  const shown = shownOf(kinds)
  if (shown.length === 0)
    return (
      <div role="row">
        <div role="cell">
          <NothingWaits kinds={kinds} />
        </div>
      </div>
    )
  return shown.map((kind, index) => (
    <Kind
      key={kind.id}
      kind={kind}
      label={of === undefined ? kind.name : `${of}: ${kind.name}`}
      isFirst={hasPrimary && index === 0}
    />
  ))
}

function Kind({
  kind,
  label,
  isFirst,
}: {
  kind: AttentionKind & { count: number }
  label: string
  isFirst: boolean
}) {
  const open = useOpenPlace()
  const { icon: KindIcon, rows, count } = kind
  const more = count - rows.length
  return (
    <div className={styles.kind} role="rowgroup" aria-label={label}>
      <div role="row">
        <div role="rowheader" className={styles.kindHead}>
          <KindIcon size={16} stroke={1.6} aria-hidden />
          <b>{kind.name}</b>
          <KindNumber place={kind.place}>{formatCount(count)}</KindNumber>
          {kind.note === undefined ? null : <small>{kind.note}</small>}
        </div>
      </div>
      <div role="presentation">
        {rows.map((row, at) => (
          <div key={row.id} role="row" className={styles.row} data-row>
            <span role="cell" className={styles.name} title={`${row.name}, ${row.detail}`}>
              <b>{row.name}</b> {row.detail}
            </span>
            <span role="cell" className={styles.amount}>
              <Amount row={row} />
            </span>
            <span role="cell" data-tone={row.tone} className={styles.when}>
              {row.when}
            </span>
            <span role="cell">
              <Button
                kind={isFirst && at === 0 ? 'primary' : 'standard'}
                aria-label={`${row.action}: ${row.name}`}
                onClick={() => open(row.place)}
              >
                {row.action}
              </Button>
            </span>
          </div>
        ))}
        {more > 0 ? (
          <div role="row" className={styles.row}>
            <span role="cell" className={styles.name}>
              <KindNumber place={kind.place}>{formatCount(more)} more</KindNumber>
            </span>
          </div>
        ) : null}
      </div>
    </div>
  )
}

function Amount({ row: { cents, perDay = false } }: { row: AttentionRow }) {
  if (cents === 'blank') return null
  if (cents === 'none') return <span className={styles.none}>none</span>
  if (cents === null) return <span className={styles.none}>unknown</span>
  return (
    <>
      {formatCents(cents)}
      {perDay ? <small> a day</small> : null}
    </>
  )
}

function KindNumber({ place, children }: { place: Place | null; children: ReactNode }) {
  return place === null ? (
    <span>{children}</span>
  ) : (
    <NumberLink place={place}>{children}</NumberLink>
  )
}
