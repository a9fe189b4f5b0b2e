/**
 * A desktop notification. `path` is the page that shows its subject, for the account `accountId`.
 */
export type DesktopNotification = {
  title: string
  text: string
  account: string
  accountId: string
  kind: string
  path: string
}

/** Notifies people outside Keydesk's window. */
export interface Notifications {
  /**
   * Shows the notification unless a Keydesk window is in front. Never throws. Without system
   * notifications it shows nothing.
   */
  show(notice: DesktopNotification): void
  /** Shows the number of unseen notices on the dock or taskbar, if there is one. */
  unseen(count: number): void
}
