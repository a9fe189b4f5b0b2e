import { Switch } from '@mantine/core'
import type { Settings } from '../../../contract/app/app.ts'
import { optionalNoticeKinds, type OptionalNoticeKind } from '../../../contract/app/notices.ts'
import type { SettingsShown } from './settings-of-role.ts'
import styles from './settings.module.css'

const labels: Record<OptionalNoticeKind, string> = {
  'lost-lead': 'An offer lost the lead',
  'low-stock': 'Stock is low',
  empty: 'An offer is out of stock',
  'offers-changed': 'A bulk change finished',
  'offers-not-changed': 'Offers weren’t changed',
  'price-watch': 'Price watch stopped or is on hold',
  'dispute-new': 'A dispute was opened',
  'dispute-answered': 'A customer replied',
  'dispute-due': 'A dispute is about to escalate',
  'dispute-not-sent': 'A reply wasn’t sent',
  'order-failed': 'An order failed',
  'balance-low': 'The balance is low',
  'claim-settled': 'A claim is settled',
  'import-done': 'An import finished uploading',
  'import-stopped': 'An import needs your attention',
}

/**
 * Chooses which notifications are counted and also shown by the system. The others appear only in
 * the notification list.
 */
export function NoticeSettings({
  settings,
  change,
  shown,
}: {
  settings: Settings
  shown: SettingsShown
  change: (part: Partial<Settings>) => void
}) {
  const turn = (kind: OptionalNoticeKind, on: boolean): void =>
    change({
      quietNotices: on
        ? settings.quietNotices.filter((each) => each !== kind)
        : [...settings.quietNotices, kind],
    })
  return (
    <section>
      <h2>Notifications</h2>
      <p className={styles.text}>
        The bell lists all notifications. The ones you turn on are also counted there and shown by
        your system when Keydesk is in the background.
      </p>
      <div className={styles.kinds}>
        {optionalNoticeKinds.filter(shown.notice).map((kind) => (
          <Switch
            key={kind}
            label={labels[kind]}
            checked={!settings.quietNotices.includes(kind)}
            onChange={(event) => turn(kind, event.currentTarget.checked)}
          />
        ))}
      </div>
    </section>
  )
}
