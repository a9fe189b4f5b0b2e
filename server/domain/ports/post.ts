/** An e-mail as it goes out. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/**
 * Sends e-mails out of the service, after what caused them is committed. Never throws: an e-mail
 * moves no money.
 */
export interface Post {
  send(mail: Mail): void
}
