import { cx } from './cx.ts'
import { formatCents } from './format.ts'
import styles from './lead.module.css'
import { Mark } from './mark.tsx'

/** Where an offer stands. `distanceCents` is own price against the best other one; while leading it is known only from a look at the market. */
export type LeadState =
  | { kind: 'leading'; distanceCents?: number | null }
  | { kind: 'behind'; distanceCents: number | null }
  | { kind: 'typed'; distanceCents: number; leading: boolean }
  | { kind: 'word'; word: string }

/** Lead: figure, then the mark at the right so that marks line up. `stale` shows it as of an earlier time (offline), `title` its age on hover. */
export function Lead({ state, stale = false, title }: { state: LeadState; stale?: boolean; title?: string }) {
  if (state.kind === 'word') return <span className={styles.word}>{state.word}</span>
  const leading = state.kind === 'leading' || (state.kind === 'typed' && state.leading)
  const figure = state.distanceCents === null || state.distanceCents === undefined ? null : formatCents(leading ? Math.abs(state.distanceCents) : -Math.abs(state.distanceCents), { sign: true })
  const typed = state.kind === 'typed'
  const tone = typed ? styles.typed : stale || leading ? styles.quiet : styles.behind
  return (
    <span className={cx(styles.lead, tone)} title={title}>
      {figure}
      <Mark kind={typed && leading ? 'typed' : leading ? 'ok' : 'behind'} size={12} hollow={stale} label={leading ? 'Leads' : 'Behind'} />
    </span>
  )
}
