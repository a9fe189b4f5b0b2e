import { useMutation, useQuery } from '@tanstack/react-query'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { formatEur, formatMoment } from '../../ui/format.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import styles from './orders.module.css'

/** Orders that aren't confirmed, each with Keydesk's next step. */
export function UnconfirmedOrders() {
  const account = useAccount()
  const { data = [] } = useQuery(
    api.orders.attempts.queryOptions({ input: { accountId: account.id } }),
  )
  const settle = useMutation(
    api.orders.checkAttempt.mutationOptions({
      onError: (error, { attemptId }) =>
        toastProblem(
          problemOf(error),
          data.find((attempt) => attempt.attemptId === attemptId)?.externalId ?? attemptId,
        ),
    }),
  )
  const open = data.filter((attempt) => attempt.state === 'unknown')
  if (open.length === 0) return null
  return (
    <div className={styles.attempts}>
      {open.map((attempt) => (
        <Notice
          key={attempt.attemptId}
          tone="warn"
          title={`Order ${attempt.externalId} not confirmed.`}
          action={
            <Button
              busy={settle.isPending && settle.variables.attemptId === attempt.attemptId}
              onClick={() => settle.mutate({ accountId: account.id, attemptId: attempt.attemptId })}
            >
              Check now
            </Button>
          }
        >
          Recorded {formatMoment(attempt.writtenAt, Date.now())}, at most{' '}
          {formatEur(attempt.atMostCents)}. Keydesk asks again with the same key and never orders
          twice.
        </Notice>
      ))}
    </div>
  )
}
