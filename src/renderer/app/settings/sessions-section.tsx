import { useMutation, useQuery } from '@tanstack/react-query'
import type { Session } from '../../../contract/app/sessions.ts'
import { ownSessionId } from '../../lib/core/core-connection.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { formatFullMoment } from '../../ui/format.ts'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import { SettingRow } from './setting-row.tsx'

const describe = ({ openedAt, lastUsedAt, connected }: Session): string =>
  `Opened ${formatFullMoment(openedAt)}. ` +
  (connected ? 'A page is open now.' : `Last used ${formatFullMoment(lastUsedAt)}.`)

/** The browser tabs that can control this console. The app has none. */
export function SessionsSection() {
  const sessions = useQuery(api.sessions.list.queryOptions()).data ?? null
  const end = useMutation(
    api.sessions.end.mutationOptions({ onError: (error) => toastProblem(problemOf(error), null) }),
  )
  if (sessions === null) return null
  const own = ownSessionId()
  return (
    <section>
      <h2>Sessions</h2>
      <p>
        Browser tabs that can control Keydesk. A session ends after 12 hours without use, and when
        Keydesk stops.
      </p>
      {sessions.map((session) => (
        <SettingRow
          key={session.sessionId}
          name={`${session.browser}${session.sessionId === own ? ' (this tab)' : ''}`}
          text={describe(session)}
        >
          <Button
            aria-label={`End session of ${session.browser}, opened ${formatFullMoment(session.openedAt)}`}
            onClick={() => end.mutate({ sessionId: session.sessionId })}
          >
            End session
          </Button>
        </SettingRow>
      ))}
    </section>
  )
}
