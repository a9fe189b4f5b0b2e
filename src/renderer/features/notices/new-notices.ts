import type { Notice } from '../../../contract/app/notices.ts'
import { formatMessage } from '../../../contract/localization/localized.ts'

/**
 * Notices that aren't in `known`, oldest first; none the first time, because the bell lists those
 * from before the page was opened.
 */
export const newNotices = (
  known: ReadonlySet<string> | null,
  notices: readonly Notice[],
): Notice[] =>
  known === null ? [] : notices.filter(({ noticeId }) => !known.has(noticeId)).toReversed()

/**
 * Shows a desktop notification if the browser allows it and this page isn't in front. Returns it,
 * so that the caller can close it.
 */
export function showDesktopNotification({ noticeId, title, text }: Notice): Notification | null {
  if (
    typeof Notification === 'undefined' ||
    Notification.permission !== 'granted' ||
    (document.visibilityState === 'visible' && document.hasFocus())
  )
    return null
  return new Notification(formatMessage(title), { body: formatMessage(text), tag: noticeId })
}
