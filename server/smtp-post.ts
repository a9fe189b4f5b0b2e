/**
 * E-mails of top-ups by a mail server as well (`--smtp URL`); they are kept in the service in any
 * case.
 */
import type { Log } from './domain/ports/environment.ts'
import type { Post } from './domain/ports/post.ts'

const from = 'Keydesk sandbox <sandbox@keydesk.example>'

/**
 * A post that hands each e-mail to the mail server at `url` (`smtp://host:port`, `smtps://…`).
 * Sending never holds or fails what caused the e-mail: what the server doesn't take is logged,
 * without its text.
 */
export async function createSmtpPost(url: string, log: Log): Promise<Post & { close(): void }> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(url, { from })
  return {
    send({ to, subject, text }) {
      transport.sendMail({ to, subject, text }).catch((error: unknown) => {
        log.error('the mail server did not take an e-mail', {
          reason: error instanceof Error ? error.message : String(error),
        })
      })
    },
    close: () => transport.close(),
  }
}
