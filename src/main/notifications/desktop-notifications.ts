import { app, BrowserWindow, nativeImage, Notification } from 'electron'
import type { DesktopNotification } from '../../platform/notifications.ts'
import { BADGE_SIZE, badgePixels, badgeLabel } from './badge.ts'
import { isPlace } from '../../platform/deep-link.ts'
import type { Place } from '../../platform/deep-link.ts'
import { createGrouping } from './grouping.ts'

export type DesktopNotifications = {
  tell(notice: DesktopNotification): void
  /** Shows the number of notices that no one has seen on the dock or the taskbar. */
  unseen(count: number): void
  /** Shows that count again, on a window that was just opened. */
  showCount(): void
}

/**
 * Desktop notifications. Shown unless a Keydesk window is in front, which shows the notice itself;
 * several of one kind are combined. A click opens the notice's place with `open`.
 */
export function createDesktopNotifications(open: (place: Place) => void): DesktopNotifications {
  const shown = new Set<Notification>()
  const grouping = createGrouping(
    (work, ms) => void setTimeout(work, ms).unref(),
    ({ title, body, path, accountId }) => {
      if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return
      const notice = new Notification({ title, body })
      // An unreferenced notification is garbage-collected together with its click handler.
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
      window.setOverlayIcon(badge, badgeLabel(count))
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
