import { BrowserWindow, Notification } from 'electron'
import type { SystemNotice } from '../platform/notifications.ts'

/** Shows a notice of the system unless a window of Keydesk is in front: there it is told already. */
export function showSystemNotice({ title, text, account }: SystemNotice): void {
  if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return
  new Notification({ title, body: `${text}\n${account}` }).show()
}
