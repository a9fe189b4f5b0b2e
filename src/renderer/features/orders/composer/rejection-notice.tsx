import { useEffect, useState } from 'react'
import type { OrderAttempt } from '../../../../contract/order-records.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ProblemCodes } from '../../../ui/feedback/error-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import type { NextStep } from './next-step.ts'
import styles from '../orders.module.css'

/** Why the order was rejected, whether anything was charged, and the button with the next step. */
export function RejectionNotice({
  attempt,
  step,
  onStep,
}: {
  attempt: OrderAttempt
  step: NextStep
  onStep: (step: NextStep) => void
}) {
  const { problem } = attempt
  const waitMs = step.kind === 'again' ? step.afterMs : 0
  const [leftMs, setLeftMs] = useState(waitMs)
  useEffect(() => {
    setLeftMs(waitMs)
    if (waitMs === 0) return
    const until = Date.now() + waitMs
    const timer = setInterval(() => setLeftMs(Math.max(0, until - Date.now())), 200)
    return () => clearInterval(timer)
  }, [waitMs, attempt.attemptId])
  if (problem === null) return null
  return (
    <div className={styles.ready}>
      <Notice
        tone="bad"
        title={problem.what}
        action={
          <Button
            kind={step.kind === 'close' ? 'quiet' : 'standard'}
            disabled={leftMs > 0}
            autoFocus
            onClick={() => onStep(step)}
          >
            {leftMs > 0 ? `Wait ${Math.ceil(leftMs / 1000)} s` : step.label}
          </Button>
        }
      >
        {problem.effect === null ? '' : `${problem.effect} `}
        {problem.next}
        {problem.fields === undefined ? null : (
          <ul className={styles.fields}>
            {problem.fields.map(({ field, message }) => (
              <li key={field}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
        )}
        <ProblemCodes problem={problem} />
      </Notice>
    </div>
  )
}
