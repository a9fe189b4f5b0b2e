import { Menu } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconListDetails } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { t } from '../../../../contract/localization/localized.ts'
import type { BulkOrder } from '../../../../contract/order-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatEur, formatMoment } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from '../orders.module.css'

export type BulkSummary = Omit<BulkOrder, 'orders'>

const recentMs = 60 * 60 * 1000
const orders = (count: number): string => t('counts.orders', { count })
const isFinished = ({ state }: BulkSummary): boolean => state === 'done' || state === 'cancelled'

function useBulks(): readonly BulkSummary[] {
  const { id: accountId } = useAccount()
  return useQuery(api.orders.bulks.queryOptions({ input: { accountId } })).data ?? []
}

/**
 * Bulk orders that are in progress or were started within the last hour: progress, amount charged,
 * why one is paused, and the way to the result of each line.
 */
export function BulkNotices() {
  const shown = useBulks()
    .filter((bulk) => !isFinished(bulk) || bulk.startedAt > Date.now() - recentMs)
    .slice(0, 3)
  if (shown.length === 0) return null
  return (
    <div className={styles.attempts}>
      {shown.map((bulk) => (
        <BulkNotice key={bulk.bulkId} bulk={bulk} withResults />
      ))}
    </div>
  )
}

/** The progress of one bulk order. */
export function BulkNotice({
  bulk,
  withResults = false,
}: {
  bulk: BulkSummary
  withResults?: boolean
}) {
  const { id: accountId } = useAccount()
  const [, go] = useLocation()
  const act = useMutation(
    api.orders.controlBulk.mutationOptions({
      onError: (error) => toastProblem(problemOf(error), bulk.name),
    }),
  )
  const { bulkId, name, state, counts, chargedCents, problem } = bulk
  const stands = state === 'paused' || state === 'asking'
  const button = (action: 'pause' | 'resume' | 'cancel', label: string) => (
    <Button key={action} onClick={() => act.mutate({ accountId, bulkId, action })}>
      {label}
    </Button>
  )
  return (
    <Notice
      tone={stands ? 'warn' : counts.refused > 0 && state === 'done' ? 'warn' : 'info'}
      title={`${name}: ${orders(counts.placed)} placed${counts.waiting > 0 ? `, ${counts.waiting} to go` : ''}.`}
      action={
        <>
          {withResults ? (
            <Button onClick={() => go(`/orders/bulk/${bulkId}`)}>View results</Button>
          ) : null}
          {isFinished(bulk) ? null : (
            <>
              {stands ? button('resume', 'Resume') : button('pause', 'Pause')}
              {button('cancel', 'Cancel the rest')}
            </>
          )}
        </>
      }
    >
      {formatEur(chargedCents)} charged.{' '}
      {counts.refused > 0 ? `${orders(counts.refused)} rejected, not charged. ` : ''}
      {counts.left > 0 ? `${orders(counts.left)} canceled before they were sent. ` : ''}
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
}

/** Opens the results of the latest bulk orders, also after a restart. */
export function BulkMenu() {
  const bulks = useBulks()
  const [, go] = useLocation()
  if (bulks.length === 0) return null
  return (
    <Menu position="bottom-end" offset={4}>
      <Menu.Target>
        <Button icon={<IconListDetails size={16} stroke={1.6} />}>Bulk orders</Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {bulks.map((bulk) => (
          <Menu.Item key={bulk.bulkId} onClick={() => go(`/orders/bulk/${bulk.bulkId}`)}>
            {bulk.name}{' '}
            <span className={styles.grey}>
              {formatMoment(bulk.startedAt, Date.now())} ·{' '}
              {t('screens.orders-bulk-result', {
                placed: bulk.counts.placed,
                count: bulk.counts.refused + bulk.counts.left,
              })}
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
