import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from '../controls/buttons/button.tsx'
import styles from './offline-bar.module.css'

/**
 * The amber bar under a page's header: how old the data is and what still works. `action` on the
 * right fixes the problem. Set `icon` when the cause isn't a lost connection.
 */
export function OfflineBar({
  title = 'No connection.',
  children,
  onRetry,
  busy = false,
  action,
  icon,
}: {
  title?: string
  children: ReactNode
  onRetry?: () => void
  busy?: boolean
  action?: ReactNode
  icon?: ReactNode
}) {
  return (
    <div className={styles.bar} role="status">
      {icon ?? <IconCloudOff size={16} stroke={1.6} aria-hidden />}
      <span className={styles.text}>
        <b>{title}</b> {children}
      </span>
      {action}
      {onRetry === undefined ? null : (
        <Button busy={busy} icon={<IconRefresh size={15} stroke={1.6} />} onClick={onRetry}>
          Retry now
        </Button>
      )}
    </div>
  )
}

/** The mode bar under the header of a page that sends data: "TEST A test order. …". */
export function ModeBar({
  badge,
  children,
  tone,
}: {
  badge: ReactNode
  children: ReactNode
  tone: 'warn' | 'sandbox'
}) {
  return (
    <div className={styles.bar} data-tone={tone}>
      {badge}
      <span className={styles.text}>{children}</span>
    </div>
  )
}
