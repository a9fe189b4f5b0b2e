import type { UseQueryResult } from '@tanstack/react-query'
import { problemOf } from '../../lib/core/problem.ts'
import { Delayed } from './delayed.tsx'
import { ErrorState } from './error-state.tsx'
import styles from './not-read.module.css'

/** Shown in a part of a page while its data loads, or with the error if it can't be read. */
export function NotRead({
  query,
  padded = false,
}: {
  query: Pick<UseQueryResult, 'isError' | 'error' | 'refetch'>
  /** For a part that spans the page and has no space around its content. */
  padded?: boolean
}) {
  if (query.isError)
    return <ErrorState problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
  return (
    <p className={styles.loading} data-padded={padded || undefined} aria-busy>
      {/* The space stays, so that nothing moves when the text appears. */}
      &#8203;<Delayed>Loading…</Delayed>
    </p>
  )
}
