/**
 * A desktop notification. `path` is the page that shows its subject, for the account `accountId`;
 * null for an event that belongs to none.
 */
export type DesktopNotification = {
  title: string
  text: string
  /** The name of the account, or of Keydesk. */
  account: string
  accountId: string | null
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
