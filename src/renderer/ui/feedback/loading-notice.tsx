import type { ReactNode } from 'react'
import { Notice } from './notice.tsx'
import styles from './loading-notice.module.css'

/** A strip above a list whose first sync isn't complete: what is missing, and what that affects. */
export function LoadingNotice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.strip}>
      <Notice tone="info" title={title}>
        {children}
      </Notice>
    </div>
  )
}
