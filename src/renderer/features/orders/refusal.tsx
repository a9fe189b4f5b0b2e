import type { OrderAttempt } from '../../../contract/orders.ts'
import { useAccount } from '../../lib/current-account.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemCodes } from '../../ui/error-state.tsx'
import { formatCents } from '../../ui/format.ts'
import { Notice } from '../../ui/notice.tsx'
import { useBasket } from './basket.ts'
import styles from './orders.module.css'

/** Why the order was not placed, whether anything was charged, and the one button that helps. */
export function Refusal({ attempt, onClose }: { attempt: OrderAttempt; onClose: () => void }) {
  const { id: accountId } = useAccount()
  const change = useBasket((basket) => basket.change)
  const { problem } = attempt
  if (problem === null) return null
  const productId = typeof problem.details?.['productId'] === 'string' ? problem.details['productId'] : null
  const price = typeof problem.details?.['currentPrice'] === 'number' ? Math.round(problem.details['currentPrice'] * 100) : null
  const canRaise = problem.code === 'PRICE_CHANGED' && productId !== null && price !== null
  return (
    <div className={styles.ready}>
      <Notice
        tone="bad" title={problem.what}
        action={canRaise
          ? <Button onClick={() => { change(accountId, productId, { maxCents: price }); onClose() }}>Pay up to {formatCents(price)}</Button>
          : <Button kind="quiet" onClick={onClose}>Close</Button>}
      >
        {problem.effect === null ? '' : `${problem.effect} `}{problem.next}
        <ProblemCodes problem={problem} />
      </Notice>
    </div>
  )
}
