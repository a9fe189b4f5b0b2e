import type { Database } from 'better-sqlite3'
import type { Notice, NoticeKind } from '../../contract/app/notices.ts'
import { formatMessage } from '../../contract/localization/localized.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { Notifier } from '../context.ts'
import type { Randomness } from '../randomness.ts'
import type { Notifications } from '../../platform/notifications.ts'
import { createNoticeStore } from './store.ts'

export { noticesSchema } from './store.ts'

/** Number of stored notices. */
const REMEMBERED = 100

export interface Notices extends Notifier {
  list(): Notice[]
  markSeen(): void
  /** Deletes the notices of a removed account. */
  removeAccount(accountId: string): void
}

/**
 * Notifies people of events; the newest notices are stored across restarts. `system` shows them
 * outside the window if the host can.
 */
export function createNotices(parts: {
  database: Database
  changes: Changes
  clock: Clock
  random: Randomness
  system: Notifications | undefined
  accountName: (accountId: string) => string
  stop?: () => readonly NoticeKind[]
}): Notices {
  const store = createNoticeStore(parts.database, REMEMBERED)
  let notices = store.all()
  const tellUnseen = (): void => parts.system?.unseen(notices.filter(({ seen }) => !seen).length)
  // Stored notices from before the restart can still be unseen.
  tellUnseen()
  return {
    notify(notice) {
      const quiet = parts.stop?.().includes(notice.kind) ?? false
      const told = { ...notice, noticeId: parts.random.id(), at: parts.clock.now(), seen: quiet }
      store.add(told)
      notices = [told, ...notices].slice(0, REMEMBERED)
      parts.changes.notify('notices', notice.accountId)
      const { accountId, kind, title, text, path } = notice
      if (!quiet)
        parts.system?.show({
          title: formatMessage(title),
          text: formatMessage(text),
          account: accountId === null ? 'Keydesk' : parts.accountName(accountId),
          accountId,
          kind,
          path,
        })
      tellUnseen()
    },
    list: () => notices,
    markSeen() {
      store.markSeen()
      notices = notices.map((notice) => ({ ...notice, seen: true }))
      parts.changes.notify('notices')
      tellUnseen()
    },
    removeAccount(accountId) {
      store.removeAccount(accountId)
      notices = notices.filter((notice) => notice.accountId !== accountId)
      parts.changes.notify('notices')
      tellUnseen()
    },
  }
}
