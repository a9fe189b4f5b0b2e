import type { ActivityEntry } from '../../contract/app/app.ts'
import type { Session } from '../../contract/app/sessions.ts'
import { localized } from '../../contract/localization/localized.ts'
import type { CoreContext } from '../context.ts'
import { localEntry } from '../local-entry.ts'

type SessionsContext = Pick<CoreContext, 'activity' | 'changes' | 'host' | 'notices'>

export interface PageAccess {
  list(): Session[] | null
  end(sessionId: string): Session[] | null
  /** Stops following the host's sessions. */
  close(): void
}

/**
 * Lists and ends the host's sessions, and reports an address that was used twice in the activity
 * and as a notice.
 */
export function createPageAccess({
  activity,
  changes,
  host,
  notices,
}: SessionsContext): PageAccess {
  const record = (entry: Pick<ActivityEntry, 'what' | 'detail' | 'outcome'>): void =>
    activity.add(
      localEntry({
        ...entry,
        accountId: null,
      }),
    )
  function reportReuse(): void {
    const what = localized('sessions.address-reused')
    record({ what, detail: localized('sessions.address-reused-effect'), outcome: 'failed' })
    notices.notify({
      accountId: null,
      kind: 'security',
      title: what,
      text: localized('sessions.address-reused-notice'),
      path: '/settings',
    })
  }
  const stopWatching = host.sessions?.watch((event) => {
    if (event === 'address-reused') reportReuse()
    changes.notify('sessions')
  })
  const list = (): Session[] | null =>
    host.sessions?.list().map(({ id, ...session }) => ({ sessionId: id, ...session })) ?? null
  return {
    list,
    end(sessionId) {
      const session = list()?.find((each) => each.sessionId === sessionId)
      if (session !== undefined && host.sessions?.end(sessionId) === true)
        record({
          what: localized('sessions.ended'),
          detail: localized('sessions.ended-browser', { browser: session.browser }),
          outcome: 'ok',
        })
      return list()
    },
    close: () => stopWatching?.(),
  }
}
