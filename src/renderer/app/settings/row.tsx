import type { ReactNode } from 'react'
import styles from './settings.module.css'

/** One setting: its name and what it does at the left, the control at the right. */
export function Row({
  name,
  text,
  children,
}: {
  name: string
  text?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={styles.row}>
      <div>
        <b>{name}</b>
        {text === undefined ? null : <p>{text}</p>}
      </div>
      {children}
    </div>
  )
}
