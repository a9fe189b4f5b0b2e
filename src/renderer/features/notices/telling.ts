import type { Notice } from '../../../contract/notices.ts'

/**
 * Those that happened since the page knew `known`, oldest first; none the first time: what happened
 * before the page was opened waits at the bell.
 */
export const freshNotices = (
  known: ReadonlySet<string> | null,
  notices: readonly Notice[],
): Notice[] =>
  known === null ? [] : notices.filter(({ noticeId }) => !known.has(noticeId)).toReversed()

/**
 * A notice of the system, where the browser lets a page tell and nobody looks at this one. Gives
 * it, so that it can be closed.
 */
export function tellSystem({ noticeId, title, text }: Notice): Notification | null {
  if (
    typeof Notification === 'undefined' ||
    Notification.permission !== 'granted' ||
    (document.visibilityState === 'visible' && document.hasFocus())
  )
    return null
  return new Notification(title, { body: text, tag: noticeId })
}
