import type { ReactNode } from 'react'
import styles from './settings.module.css'

/** A setting: its name and effect on the left, its control on the right. */
export function SettingRow({
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
