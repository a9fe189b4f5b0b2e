import { absCents, type Cents, negateCents } from '../../../../../server/api/money.ts'
import { cx } from '../../cx.ts'
import { formatCents } from '../../format.ts'
import styles from './lead.module.css'

/**
 * The price position of an offer. `distanceCents` is the own price minus the best other price; a
 * leading offer knows it only from a market check.
 */
export type LeadState =
  | { kind: 'leading'; distanceCents?: Cents | null }
  | { kind: 'behind'; distanceCents: Cents | null }
  | { kind: 'typed'; distanceCents: Cents; leading: boolean }
  | { kind: 'word'; word: string }

const isLeading = (state: LeadState): boolean =>
  state.kind === 'leading' || (state.kind === 'typed' && state.leading)

/** The figure or word of a lead. {@link leadClass} adds its mark. */
export function leadText(state: LeadState): string {
  if (state.kind === 'word') return state.word
  if (state.distanceCents === null || state.distanceCents === undefined) return ''
  return formatCents(
    isLeading(state) ? absCents(state.distanceCents) : negateCents(absCents(state.distanceCents)),
    { sign: true },
  )
}

const looks = {
  word: styles.word,
  leading: cx(styles.lead, styles.ok, styles.quiet),
  behind: cx(styles.lead, styles.behind),
  typed: cx(styles.lead, styles.ok, styles.typed),
  typedBehind: cx(styles.lead, styles.behindMark, styles.typed),
  leadingStale: cx(styles.lead, styles.ok, styles.quiet, styles.hollow),
  behindStale: cx(styles.lead, styles.behindMark, styles.quiet, styles.hollow),
}

/**
 * The class for a lead: its color and a mark on the right, so that marks line up. `stale` marks the
 * lead of an earlier time (offline).
 */
export function leadClass(state: LeadState, stale = false): string {
  if (state.kind === 'word') return looks.word ?? ''
  if (state.kind === 'typed') return state.leading ? looks.typed : looks.typedBehind
  if (state.kind === 'leading') return stale ? looks.leadingStale : looks.leading
  return stale ? looks.behindStale : looks.behind
}

/**
 * A lead: the figure and then the mark. In a table, the cell itself uses {@link leadClass} and
 * {@link leadText}.
 */
export function Lead({
  state,
  stale = false,
  title,
}: {
  state: LeadState
  stale?: boolean
  title?: string
}) {
  return (
    <span className={leadClass(state, stale)} title={title}>
      {leadText(state)}
    </span>
  )
}
