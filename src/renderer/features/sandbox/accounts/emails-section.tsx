import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/core/rpc.ts'
import { formatCount } from '../../../ui/format.ts'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { NotRead } from '../../../ui/feedback/not-read.tsx'
import { Pager } from '../../../ui/table/pager.tsx'
import styles from '../sandbox.module.css'
import { SandboxMoment } from '../sandbox-time.tsx'

const pageSize = 5

/**
 * E-mails from the service to a partner. They are stored here and not sent, unless the sandbox has
 * a mail server.
 */
export function EmailsSection({ id }: { id: string }) {
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...api.sandbox.money.emails.queryOptions({ input: { id, page, limit: pageSize } }),
    placeholderData: keepPreviousData,
  })
  const letters = query.data
  return (
    <PanelSection title="E-mails" aside={letters === undefined ? '' : formatCount(letters.total)}>
      {letters === undefined ? <NotRead query={query} /> : null}
      {letters?.results.map((letter) => (
        <div key={`${letter.at} ${letter.subject}`} className={styles.mail}>
          <b>{letter.subject}</b>{' '}
          <span className={styles.note}>
            to {letter.to}, <SandboxMoment at={letter.at} />
          </span>
          <p>{letter.text}</p>
        </div>
      ))}
      {letters?.total === 0 ? <p className={styles.note}>None yet. A top-up sends one.</p> : null}
      <Pager page={page} size={pageSize} total={letters?.total} onPage={setPage} />
    </PanelSection>
  )
}
