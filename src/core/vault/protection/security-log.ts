import type { Localized } from '../../../contract/localization/localized.ts'
import type { ActivityLog, Notifier } from '../../context.ts'
import { localEntry } from '../../local-entry.ts'

/** The page that shows what protects keys and the latest security events. */
const SECURITY_PAGE = '/settings/security'

/** Records what happens to the vault and its passphrases where a person can find it. */
export function createSecurityLog({
  activity,
  notices,
}: {
  activity: ActivityLog
  notices: Notifier
}) {
  function note(
    what: Localized,
    detail: Localized | null,
    outcome: 'ok' | 'failed' = 'ok',
    code: string | null = null,
  ): void {
    activity.add(
      localEntry({
        accountId: null,
        what,
        detail,
        outcome,
        code,
      }),
    )
  }
  return {
    /** Adds an entry to the activity. */
    note,
    /** Notifies people of something that they may not have done themselves. */
    alert: (title: Localized, text: Localized): void =>
      notices.notify({ accountId: null, kind: 'security', title, text, path: SECURITY_PAGE }),
  }
}
export type SecurityLog = ReturnType<typeof createSecurityLog>
