import { Switch } from '@mantine/core'
import type { Settings } from '../../../contract/app.ts'
import { noticeKinds, type NoticeKind } from '../../../contract/notices.ts'
import styles from './settings.module.css'

const words: Record<NoticeKind, string> = {
  'lost-lead': 'An offer lost the lead',
  'low-stock': 'Stock is low',
  empty: 'An offer is empty',
  'offers-changed': 'A change of many offers is done',
  'offers-not-changed': 'Offers were not changed',
  'price-watch': 'Price watch stopped or holds',
  'dispute-new': 'A new dispute',
  'dispute-answered': 'A customer answered',
  'dispute-due': 'A dispute is about to escalate',
  'order-failed': 'An order failed',
  'balance-low': 'The balance is low',
  'claim-settled': 'A claim is settled',
  'import-done': 'An import is uploaded',
  'import-stopped': 'An import needs you',
}

/** Which notices are told outside the window and counted; the others only stand at the bell. */
export function NoticeSettings({
  settings,
  change,
}: {
  settings: Settings
  change: (part: Partial<Settings>) => void
}) {
  const turn = (kind: NoticeKind, on: boolean): void =>
    change({
      quietNotices: on
        ? settings.quietNotices.filter((each) => each !== kind)
        : [...settings.quietNotices, kind],
    })
  return (
    <section>
      <h2>Notices</h2>
      <p className={styles.text}>
        All of them stand at the bell. Switched on, they are counted there and told by the system
        when Keydesk is not in front.
      </p>
      <div className={styles.kinds}>
        {noticeKinds.map((kind) => (
          <Switch
            key={kind}
            label={words[kind]}
            checked={!settings.quietNotices.includes(kind)}
            onChange={(event) => turn(kind, event.currentTarget.checked)}
          />
        ))}
      </div>
    </section>
  )
}
