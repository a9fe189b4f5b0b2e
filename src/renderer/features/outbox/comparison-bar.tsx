import { t } from '../../../contract/localization/localized.ts'
import { IconCloudCheck, IconRefresh } from '@tabler/icons-react'
import { useServiceConnection } from '../../lib/account/service-connection.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { formatClockSeconds, formatMoment } from '../../ui/format.ts'
import styles from './outbox.module.css'

/** When all queued changes were last compared with the service, and a button to compare again. */
export function ComparisonBar({
  waiting,
  at,
  busy,
  onCompare,
}: {
  waiting: number
  at: number | null
  busy: boolean
  onCompare: () => void
}) {
  const since = useServiceConnection(useAccount())?.since ?? null
  const now = Date.now()
  const clock = (moment: number): string =>
    new Date(moment).toDateString() === new Date(now).toDateString()
      ? formatClockSeconds(moment)
      : formatMoment(moment, now)
  return (
    <div className={styles.compared} role="status">
      <IconCloudCheck size={16} stroke={1.6} aria-hidden />
      <span>
        <b>Back online{since === null ? '' : ` since ${clock(since)}`}.</b>{' '}
        {at === null
          ? 'Your changes are being compared with the service’s current data.'
          : t('screens.outbox-compared', { count: waiting, clock: clock(at) })}{' '}
        Nothing is sent yet.
      </span>
      <Button busy={busy} icon={<IconRefresh size={15} stroke={1.6} />} onClick={onCompare}>
        Compare again
      </Button>
    </div>
  )
}
