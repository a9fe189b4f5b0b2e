import { app, BrowserWindow, nativeImage, Notification } from 'electron'
import type { SystemNotice } from '../platform/notifications.ts'
import { BADGE_SIZE, badgePixels, badgeWords } from './badge.ts'
import { isPlace } from './security/deep-link.ts'
import type { Place } from './security/deep-link.ts'
import { createGrouping } from './notice-groups.ts'

export type SystemNotices = {
  tell(notice: SystemNotice): void
  /** So many notices nobody has looked at: on the dock or the task bar. */
  unseen(count: number): void
  /** Shows that count again, on a window that was not there before. */
  showCount(): void
}

/**
 * Notices of the system: shown unless a window of Keydesk is in front, where it is told already;
 * several of one kind as one. A click leads to what it is about, by `open`.
 */
export function createSystemNotices(open: (place: Place) => void): SystemNotices {
  const shown = new Set<Notification>()
  const grouping = createGrouping(
    (work, ms) => void setTimeout(work, ms).unref(),
    ({ title, body, path, accountId }) => {
      if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return
      const notice = new Notification({ title, body })
      // One that nobody holds is collected, and its click with it.
      shown.add(notice)
      notice.once('close', () => shown.delete(notice))
      notice.once('click', () => {
        shown.delete(notice)
        if (isPlace(path)) open({ path, accountId })
      })
      notice.show()
    },
  )
  let count = 0
  const showCount = (): void => {
    app.setBadgeCount(count)
    if (process.platform !== 'win32') return
    const badge =
      count === 0
        ? null
        : nativeImage.createFromBitmap(badgePixels(count), {
            width: BADGE_SIZE,
            height: BADGE_SIZE,
            scaleFactor: 2,
          })
    for (const window of BrowserWindow.getAllWindows())
      window.setOverlayIcon(badge, badgeWords(count))
  }
  return {
    tell: grouping.tell,
    unseen(unseen) {
      count = unseen
      showCount()
    },
    showCount,
  }
}
