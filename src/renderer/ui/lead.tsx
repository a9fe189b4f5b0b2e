import { cx } from './cx.ts'
import { formatCents } from './format.ts'
import styles from './lead.module.css'

/**
 * Where an offer stands. `distanceCents` is own price against the best other one; while leading it
 * is known only from a look at the market.
 */
export type LeadState =
  | { kind: 'leading'; distanceCents?: number | null }
  | { kind: 'behind'; distanceCents: number | null }
  | { kind: 'typed'; distanceCents: number; leading: boolean }
  | { kind: 'word'; word: string }

const isLeading = (state: LeadState): boolean =>
  state.kind === 'leading' || (state.kind === 'typed' && state.leading)

/** The figure or word of a lead; its mark comes with {@link leadLook}. */
export function leadText(state: LeadState): string {
  if (state.kind === 'word') return state.word
  if (state.distanceCents === null || state.distanceCents === undefined) return ''
  return formatCents(
    isLeading(state) ? Math.abs(state.distanceCents) : -Math.abs(state.distanceCents),
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
 * The class of what shows a lead: colour, and at its right the mark, so that marks line up. `stale`
 * shows it as of an earlier time (offline).
 */
export function leadLook(state: LeadState, stale = false): string {
  if (state.kind === 'word') return looks.word ?? ''
  if (state.kind === 'typed') return state.leading ? looks.typed : looks.typedBehind
  if (state.kind === 'leading') return stale ? looks.leadingStale : looks.leading
  return stale ? looks.behindStale : looks.behind
}

/**
 * Lead: figure, then the mark. In a table the cell itself takes {@link leadLook} and {@link
 * leadText}.
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
    <span className={leadLook(state, stale)} title={title}>
      {leadText(state)}
    </span>
  )
}
