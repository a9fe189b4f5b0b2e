import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import styles from './status-tag.module.css'

export type Tone = 'neutral' | 'ok' | 'warn' | 'bad' | 'info'

/**
 * A status label with a tinted background: "Completed", "Partially completed", "Claim sent". `icon`
 * is a 12 px Tabler icon.
 */
export function StatusTag({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: Tone
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <span className={cx(styles.tag, styles[tone])}>
      {icon}
      {children}
    </span>
  )
}
