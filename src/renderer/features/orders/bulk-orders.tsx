import { t } from '../../../contract/localization/localized.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { formatEur } from '../../ui/format.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import styles from './orders.module.css'

const recentMs = 60 * 60 * 1000
const orders = (count: number): string => t('counts.orders', { count })

/**
 * Bulk orders that are in progress or were started within the last hour: progress, amount charged,
 * and why one is paused.
 */
export function BulkOrders() {
  const { id: accountId } = useAccount()
  const { data = [] } = useQuery(api.orders.bulks.queryOptions({ input: { accountId } }))
  const act = useMutation(
    api.orders.controlBulk.mutationOptions({ onError: (error) => toastProblem(problemOf(error)) }),
  )
  const shown = data
    .filter(
      ({ state, startedAt }) =>
        !(state === 'done' || state === 'cancelled') || startedAt > Date.now() - recentMs,
    )
    .slice(0, 3)
  if (shown.length === 0) return null
  return (
    <div className={styles.attempts}>
      {shown.map(({ bulkId, name, state, counts, chargedCents, problem }) => {
        const stands = state === 'paused' || state === 'asking'
        const button = (action: 'pause' | 'resume' | 'cancel', label: string) => (
          <Button key={action} onClick={() => act.mutate({ accountId, bulkId, action })}>
            {label}
          </Button>
        )
        return (
          <Notice
            key={bulkId}
            tone={stands ? 'warn' : counts.refused > 0 && state === 'done' ? 'warn' : 'info'}
            title={`${name}: ${orders(counts.placed)} placed${counts.waiting > 0 ? `, ${counts.waiting} to go` : ''}.`}
            action={
              state === 'done' || state === 'cancelled' ? undefined : (
                <>
                  {stands ? button('resume', 'Resume') : button('pause', 'Pause')}
                  {button('cancel', 'Cancel the rest')}
                </>
              )
            }
          >
            {formatEur(chargedCents)} charged.{' '}
            {counts.refused > 0 ? `${orders(counts.refused)} rejected, not charged. ` : ''}
            {counts.open > 0
              ? `${counts.open} without a response yet: Keydesk asks again with the same key. `
              : ''}
            {state === 'asking'
              ? 'It was idle for a while. Resume to place the remaining orders.'
              : problem === null
                ? ''
                : `${problem.what} ${problem.next}`}
          </Notice>
        )
      })}
    </div>
  )
}
