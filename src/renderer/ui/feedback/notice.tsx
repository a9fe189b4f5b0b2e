import type { ReactNode } from 'react'
import { Mark } from '../data-display/identity/mark.tsx'
import styles from './notice.module.css'

export type NoticeTone = 'info' | 'ok' | 'warn' | 'bad'

/**
 * A message in a box: what happened (bold), its effect, and what to do. `icon` replaces the mark.
 */
export function Notice({
  tone,
  title,
  children,
  icon,
  action,
}: {
  tone: NoticeTone
  title: ReactNode
  children?: ReactNode
  icon?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <span className={styles.icon}>
        {icon ??
          (tone === 'info' ? null : (
            <Mark kind={tone === 'ok' ? 'ok' : tone === 'warn' ? 'warn' : 'alert'} />
          ))}
      </span>
      <div className={styles.text}>
        <b>{title}</b>
        {children === undefined ? null : <> {children}</>}
      </div>
      {action === undefined ? null : <div className={styles.action}>{action}</div>}
    </div>
  )
}
