import { IconPlugX, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { shownCode } from '../../../contract/base.ts'
import type { Problem } from '../../../contract/base.ts'
import { Button } from '../controls/buttons/button.tsx'
import { CopyButton } from '../controls/buttons/copy-button.tsx'
import styles from './error-state.module.css'

/** `code` can also be one of the activity, which keeps the service's codes as they are. */
type Codes = Pick<Problem, 'originalCode' | 'status' | 'requestId'> & { code: string }

/** `CODE · HTTP · requestId`, as far as they are known. */
export function codesOf(problem: Codes): string {
  return [shownCode(problem), problem.status, problem.requestId]
    .filter((part) => part !== null && part !== '')
    .join(' · ')
}

/** The codes of a problem in monospace with a copy button, for the service's support. */
export function ProblemCodes({ problem }: { problem: Codes }) {
  const codes = codesOf(problem)
  return (
    <div className={styles.codes}>
      <span>{codes}</span>
      <CopyButton label="Copy the codes" onCopy={() => navigator.clipboard.writeText(codes)} />
    </div>
  )
}

/**
 * Shown when a page or part fails to load: what happened, whether anything was charged or sent, the
 * next step and the codes.
 */
export function ErrorState({
  problem,
  onRetry,
  actions,
}: {
  problem: Problem
  onRetry?: () => void
  actions?: ReactNode
}) {
  return (
    <section className={styles.error} role="alert">
      <IconPlugX size={16} stroke={1.6} className={styles.icon} aria-hidden />
      <div>
        <h2 className={styles.title}>{problem.what}</h2>
        <p className={styles.text}>
          {problem.effect === null ? null : `${problem.effect} `}
          {problem.next}
        </p>
        {onRetry === undefined && actions === undefined ? null : (
          <div className={styles.actions}>
            {onRetry === undefined ? null : (
              <Button icon={<IconRefresh size={15} stroke={1.6} />} onClick={onRetry}>
                Retry now
              </Button>
            )}
            {actions}
          </div>
        )}
        <ProblemCodes problem={problem} />
      </div>
    </section>
  )
}
