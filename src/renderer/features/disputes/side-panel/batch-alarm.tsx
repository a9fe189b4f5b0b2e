import { t } from '../../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import { CurrentAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../../ui/format.ts'
import { BatchAlarm } from '../../key-history/batch-alarm.tsx'
import styles from './side-panel.module.css'

/**
 * The alarm of the batch that a dispute's key came from; undefined if there is none, or if the
 * batch isn't known.
 */
export function useBatchAlarm(accountId: string, batchId: string | null) {
  return useQuery({
    ...api.disputes.alarms.queryOptions({ input: { accountId } }),
    enabled: batchId !== null,
  }).data?.find((each) => each.batchId === batchId)
}

/** "Batch alarm: 4 of 8 keys disputed". */
export const alarmTitle = ({ claimed, keys }: { claimed: number; keys: number }): string =>
  `Batch alarm: ${formatCount(claimed)} of ${t('counts.keys', { count: keys })} disputed`

/**
 * Shown if disputes about the key's batch exceed the threshold: offers actions in the account of
 * the dispute.
 */
export function DisputeAlarm({
  account,
  detail: { origin },
  onPauseOffer,
}: {
  account: Account
  detail: DisputeDetail
  onPauseOffer: () => void
}) {
  const alarm = useBatchAlarm(account.id, origin?.batchId ?? null)
  if (alarm === undefined || origin === null) return null
  return (
    <div className={styles.alarm} role="alert">
      <CurrentAccount value={account}>
        <BatchAlarm
          origin={origin}
          title={alarmTitle(alarm)}
          more={
            alarm.offerStatus === 'active' ? (
              <Button onClick={onPauseOffer}>Only pause the offer</Button>
            ) : (
              <span>The offer is paused.</span>
            )
          }
        />
      </CurrentAccount>
    </div>
  )
}
