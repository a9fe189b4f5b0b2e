import type { Icon } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import styles from '../sandbox.module.css'

/**
 * One part of the control page: icon, title, text next to it, actions on the right. With `flush`, a
 * table reaches the edges.
 */
export function ControlCard({
  icon: Shown,
  title,
  beside,
  actions,
  flush = false,
  children,
}: {
  icon: Icon
  title: string
  beside?: ReactNode
  actions?: ReactNode
  flush?: boolean
  children?: ReactNode
}) {
  const id = useId()
  return (
    <section className={styles.part} data-flush={flush || undefined} aria-labelledby={id}>
      <div className={styles.head}>
        <Shown size={16} stroke={1.6} aria-hidden />
        <h2 id={id}>{title}</h2>
        {beside}
        <div className={styles.end}>{actions}</div>
      </div>
      {children}
    </section>
  )
}
