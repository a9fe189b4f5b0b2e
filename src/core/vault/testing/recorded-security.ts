import { formatMessage } from '../../../contract/localization/localized.ts'
import { createSecurityLog } from '../protection/security-log.ts'

/** A security log, and the texts that it added to the activity and to the notices. */
export function recordedSecurity() {
  const entries: string[] = []
  const notices: string[] = []
  const log = createSecurityLog({
    activity: {
      add: ({ what, detail, outcome, code }) =>
        void entries.push(
          [formatMessage(what), detail && formatMessage(detail), outcome, code]
            .filter((part) => part !== null)
            .join(' | '),
        ),
    },
    notices: {
      notify: ({ title, text, path }) =>
        void notices.push(
          [formatMessage(title), text && formatMessage(text), path]
            .filter((part) => part !== null)
            .join(' | '),
        ),
    },
  })
  return { log, entries, notices }
}
