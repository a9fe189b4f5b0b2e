import type { ReactNode } from 'react'
import { Page } from '../../../ui/layout/page.tsx'
import styles from '../sandbox.module.css'
import { RequestLog } from './request-log.tsx'
import { WhyPanel } from './why-panel.tsx'

/** The request log over the complete page, and the explanation of a rejected request beside it. */
export function RequestsView({
  header,
  id,
  onOpen,
}: {
  header: ReactNode
  id: string | null
  onOpen: (id: string | null) => void
}) {
  return (
    <Page>
      {header}
      <div className={styles.split}>
        <div className={styles.log}>
          <RequestLog explained={id} onWhy={onOpen} />
        </div>
        {id === null ? null : <WhyPanel key={id} id={id} onClose={() => onOpen(null)} />}
      </div>
    </Page>
  )
}
