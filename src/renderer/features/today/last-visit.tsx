import { DAY_MS } from '../../../../server/api/time.ts'
import { useAccountNow, useAccountNows } from '../../lib/account/account-time.tsx'
import { useAccount } from '../../lib/account/current-account.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { formatMoment } from '../../ui/format.ts'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { moment, setListSettings, useListSettings } from '../../ui/table/saved/list-settings.ts'
import styles from './today.module.css'

const TABLE = 'today'
const parts = { readAt: moment }

/** When the person last marked Today as read, in the service's time; a day ago at first. */
export function useLastVisit(): { since: number; markRead: () => void } {
  const { id } = useAccount()
  const now = useAccountNow()
  const [{ readAt }, keep] = useListSettings(TABLE, id, parts)
  // Rounded, so that what is counted since then isn't requested again at every tick.
  const since = readAt ?? Math.floor(now / DAY_MS) * DAY_MS - DAY_MS
  return { since: Math.min(since, now), markRead: () => keep({ readAt: Math.floor(now) }) }
}

/** Says since when news are counted, and starts counting from now. */
export function MarkRead({ since, markRead }: ReturnType<typeof useLastVisit>) {
  const now = useAccountNow()
  useShortcut('Shift+R', markRead)
  return (
    <>
      <span className={styles.since}>News since {formatMoment(since, now)}</span>
      <Button keys={['Shift', 'R']} onClick={markRead}>
        Mark as read
      </Button>
    </>
  )
}

/** Starts counting from now in all accounts, each in its own service's time. */
export function MarkAllRead({ accounts }: { accounts: readonly { id: string }[] }) {
  const nowOf = useAccountNows()
  const markRead = (): void => {
    for (const { id } of accounts) setListSettings(TABLE, id, { readAt: Math.floor(nowOf(id)) })
  }
  useShortcut('Shift+R', markRead)
  return (
    <Button keys={['Shift', 'R']} onClick={markRead}>
      Mark all as read
    </Button>
  )
}
