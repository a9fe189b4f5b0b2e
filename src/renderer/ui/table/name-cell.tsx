import type { ReactNode } from 'react'
import styles from './cells.module.css'

/** A name with platform and region in grey behind it; `after` for a tag. */
export function NameCell({ name, detail, after }: { name: string; detail?: string; after?: ReactNode }) {
  return <span className={styles.name}><b title={name}>{name}</b>{detail === undefined ? null : <span className={styles.detail}>{detail}</span>}{after}</span>
}
