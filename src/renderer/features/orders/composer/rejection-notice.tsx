import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { useEffect, useState } from 'react'
import type { OrderAttempt } from '../../../../contract/order-records.ts'
import type { Problem } from '../../../../contract/base.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ProblemCodes } from '../../../ui/feedback/error-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { formatCents } from '../../../ui/format.ts'
import type { ComposedLine } from './compose-order.ts'
import type { NextStep } from './next-step.ts'
import { changedPriceOf, keepAndWait } from './next-step.ts'
import { percentChange } from '../../../ui/percent-change.ts'
import styles from '../orders.module.css'

/** Why the order was rejected, whether anything was charged, and the button with the next step. */
export function RejectionNotice({
  attempt,
  line,
  step,
  blocked,
  onStep,
  onWait,
}: {
  attempt: OrderAttempt
  /** The line that the service named; null if it named none. */
  line: ComposedLine | null
  step: NextStep
  /** Why nothing can be ordered now. */
  blocked: string | null
  onStep: (step: NextStep) => void
  /** Keeps the maximum until the price is back below it; null for other rejections. */
  onWait: (() => void) | null
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
          <div className={styles.choices}>
            {onWait === null ? null : (
              <Button autoFocus onClick={onWait}>
                {keepAndWait}
              </Button>
            )}
            <Button
              kind={step.kind === 'close' ? 'quiet' : 'standard'}
              disabled={leftMs > 0 || (step.kind === 'again' && blocked !== null)}
              title={step.kind === 'again' ? (blocked ?? undefined) : undefined}
              autoFocus={onWait === null && step.kind !== 'again'}
              onClick={() => onStep(step)}
            >
              {leftMs > 0 ? `Wait ${Math.ceil(leftMs / 1000)} s` : step.label}
            </Button>
          </div>
        }
      >
        <RefusedLine line={line} problem={problem} />
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

/** The product that an order was rejected for, and what its price changed to. */
function RefusedLine({ line, problem }: { line: ComposedLine | null; problem: Problem }) {
  const product = line?.product
  if (line === null || product == null) return null
  const price = changedPriceOf(problem)
  // The price itself stays if the person entered a maximum below it.
  const before = line.seenCents === price ? null : line.seenCents
  return (
    <p>
      <b>{product.name}</b> {variantLabel(product)}
      {price === null ? null : (
        <>
          : {before === null ? '' : `${formatCents(before)} → `}
          <b>{formatCents(price)}</b>
          {before === null ? '' : ` (${percentChange(before, price)})`}
        </>
      )}
    </p>
  )
}
