import { cx } from './cx.ts'
import styles from './mark.module.css'

export type MarkKind = 'ok' | 'behind' | 'bad' | 'warn' | 'alert' | 'skip' | 'typed' | 'unknown'

const shapes: Record<MarkKind, string> = {
  ok: 'M4.6 7.2l1.7 1.7 3.2-3.4', typed: 'M4.6 7.2l1.7 1.7 3.2-3.4', behind: 'M7 4.2v5.2M4.8 7.4L7 9.6l2.2-2.2',
  bad: 'M5 5l4 4M9 5l-4 4', alert: 'M7 4v3.6M7 10v.1', warn: 'M7 4v3.6M7 10v.1', skip: 'M4.6 7h4.8', unknown: 'M5.6 5.8a1.5 1.5 0 1 1 2 1.4c-.5.2-.6.5-.6 1M7 10v.1',
}

/**
 * A filled status disc of 14 px: ok, behind (arrow down), bad (cross), alert or warn (exclamation mark), skip, typed (accent), unknown
 * (outlined). `hollow` draws the outline only, for what is as of an earlier time. Say the same in words beside it, or give `label`.
 */
export function Mark({ kind, size = 14, hollow = false, label }: { kind: MarkKind; size?: number; hollow?: boolean; label?: string }) {
  const outlined = hollow || kind === 'unknown'
  return (
    <svg className={cx(styles.mark, styles[kind], outlined && styles.hollow)} width={size} height={size} viewBox="0 0 14 14" {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}>
      <circle cx="7" cy="7" r={outlined ? 5.9 : 6.5} />
      <path d={shapes[kind]} />
    </svg>
  )
}
