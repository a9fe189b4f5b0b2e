import type { Notice } from '../../contract/notices.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { NoticesBook } from '../context.ts'
import type { Randomness } from '../randomness.ts'
import type { Notifications } from '../../platform/notifications.ts'

/** So many are remembered while Keydesk runs. */
const REMEMBERED = 100

export interface Notices extends NoticesBook {
  list(): Notice[]
  markSeen(): void
}

/** What is told to people as it happens; the newest stay in memory until Keydesk ends. `system`: shows it outside the window where the host can. */
export function createNotices(parts: { changes: Changes; clock: Clock; random: Randomness; system: Notifications | undefined; accountName: (accountId: string) => string }): Notices {
  let notices: Notice[] = []
  return {
    tell(notice) {
      notices = [{ ...notice, noticeId: parts.random.id(), at: parts.clock.now(), seen: false }, ...notices].slice(0, REMEMBERED)
      parts.changes.tell('notices', notice.accountId)
      parts.system?.show({ title: notice.title, text: notice.text, account: parts.accountName(notice.accountId) })
    },
    list: () => notices,
    markSeen() {
      notices = notices.map((notice) => ({ ...notice, seen: true }))
      parts.changes.tell('notices')
    },
  }
}
