/** What the system shows beside the window. */
export type SystemNotice = { title: string; text: string; account: string }

/** Tells people something outside Keydesk's window. */
export interface Notifications {
  /** Shows it unless a window of Keydesk is in front; never throws, and a system without notifications shows nothing. */
  show(notice: SystemNotice): void
}
