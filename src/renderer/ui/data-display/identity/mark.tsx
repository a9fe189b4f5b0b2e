import { cx } from '../../cx.ts'
import { type MarkKind, markShapes } from './mark-shapes.ts'
import styles from './mark.module.css'

export type { MarkKind } from './mark-shapes.ts'

/**
 * A filled status disc of 14 px: ok, behind (arrow down), bad (cross), alert or warn (exclamation
 * mark), skip, typed (accent), unknown (outlined). `hollow` draws only the outline, for a state of
 * an earlier time. Put the same information in text next to it, or set `label`.
 */
export function Mark({
  kind,
  size = 14,
  hollow = false,
  label,
}: {
  kind: MarkKind
  size?: number
  hollow?: boolean
  label?: string
}) {
  const outlined = hollow || kind === 'unknown'
  return (
    <svg
      className={cx(styles.mark, styles[kind], outlined && styles.hollow)}
      width={size}
      height={size}
      viewBox="0 0 14 14"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <circle cx="7" cy="7" r={outlined ? 5.9 : 6.5} />
      <path d={markShapes[kind]} />
    </svg>
  )
}
