import { t } from '../../../../contract/localization/localized.ts'
import { useQuery } from '@tanstack/react-query'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import { CurrentAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
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
  onSelectBatch,
}: {
  account: Account
  detail: DisputeDetail
  onPauseOffer: () => void
  onSelectBatch: (batchId: string) => void
}) {
  const alarm = useBatchAlarm(account.id, origin?.batchId ?? null)
  useShortcut('b', () => origin !== null && onSelectBatch(origin.batchId), {
    enabled: alarm !== undefined,
  })
  if (alarm === undefined || origin === null) return null
  return (
    <div className={styles.alarm} role="alert">
      <CurrentAccount value={account}>
        <BatchAlarm
          origin={origin}
          title={alarmTitle(alarm)}
          more={
            <>
              <Button keys={['B']} onClick={() => onSelectBatch(origin.batchId)}>
                Select its disputes
              </Button>
              {alarm.offerStatus === 'active' ? (
                <Button onClick={onPauseOffer}>Only pause the offer</Button>
              ) : (
                <span>The offer is paused.</span>
              )}
            </>
          }
        />
      </CurrentAccount>
    </div>
  )
}
