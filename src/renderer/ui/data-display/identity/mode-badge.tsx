import type { Mode } from '../../../../contract/app/accounts.ts'
import { cx } from '../../cx.ts'
import styles from './mode-badge.module.css'

const labels: Record<Mode, string> = { live: 'LIVE', test: 'TEST', sandbox: 'SANDBOX' }

/**
 * The mode of an account. Text, color and shape all differ, so that color is never the only cue.
 * `small` is for the navigation.
 */
export function ModeBadge({ mode, small = false }: { mode: Mode; small?: boolean }) {
  return (
    <span className={cx(styles.badge, styles[mode], small && styles.small)}>{labels[mode]}</span>
  )
}
