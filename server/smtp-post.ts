/**
 * Sends top-up e-mails by a mail server too (`--smtp URL`); the service stores them in any case.
 */
import type { Log } from './domain/ports/environment.ts'
import type { Post } from './domain/ports/post.ts'

const from = 'Keydesk sandbox <sandbox@keydesk.example>'

/**
 * Sends each e-mail to the mail server at `url` (`smtp://host:port`, `smtps://…`). Sending never
 * delays or fails the operation that caused the e-mail: rejected e-mails are logged, without their
 * text.
 */
export async function createSmtpPost(url: string, log: Log): Promise<Post & { close(): void }> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(url, { from })
  return {
    send({ to, subject, text }) {
      transport.sendMail({ to, subject, text }).catch((error: unknown) => {
        log.error('the mail server rejected an e-mail', {
          reason: error instanceof Error ? error.message : String(error),
        })
      })
    },
    close: () => transport.close(),
  }
}
