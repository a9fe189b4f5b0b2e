/** An outgoing e-mail. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/**
 * Sends e-mails after the transaction that caused them is committed. Never throws, because a failed
 * e-mail must not affect the top-up.
 */
export interface Post {
  send(mail: Mail): void
}
