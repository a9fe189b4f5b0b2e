/**
 * What the system shows beside the window; `path` is where it is looked at, for the account of
 * `accountId`.
 */
export type SystemNotice = {
  title: string
  text: string
  account: string
  accountId: string
  kind: string
  path: string
}

/** Tells people something outside Keydesk's window. */
export interface Notifications {
  /**
   * Shows it unless a window of Keydesk is in front; never throws, and a system without
   * notifications shows nothing.
   */
  show(notice: SystemNotice): void
  /**
   * So many notices nobody has looked at yet: on the dock or task bar, where there is such a thing.
   */
  unseen(count: number): void
}
