import type { Database } from 'better-sqlite3'
import type { AccountRepository, EmailRecord, TopUpReference } from '../../domain/ports/accounts.ts'

type TopUpRepository = Pick<
  AccountRepository,
  'insertReference' | 'reference' | 'useReference' | 'insertEmail' | 'emails' | 'countEmails'
>

/** References of bank transfers, and the e-mails that confirm them. */
export function createTopUpRepository(database: Database): TopUpRepository {
  const insert = database.prepare<TopUpReference>(`
    INSERT INTO top_up_references (reference, partner_id, mode, created_at, used_at)
    VALUES (@reference, @partnerId, @mode, @createdAt, @usedAt)`)
  const find = database.prepare<{ reference: string }, TopUpReference>(`
    SELECT reference, partner_id AS partnerId, mode, created_at AS createdAt, used_at AS usedAt
    FROM top_up_references WHERE reference = @reference`)
  const use = database.prepare<{ reference: string; at: number }>(
    'UPDATE top_up_references SET used_at = @at WHERE reference = @reference',
  )
  const insertEmail = database.prepare<EmailRecord>(`
    INSERT INTO emails (partner_id, recipient, subject, text, at) VALUES (@partnerId, @to, @subject, @text, @at)`)
  const emails = database.prepare<
    { partnerId: string; offset: number; limit: number },
    EmailRecord
  >(`
    SELECT partner_id AS partnerId, recipient AS "to", subject, text, at FROM emails
    WHERE partner_id = @partnerId ORDER BY no DESC LIMIT @limit OFFSET @offset`)
  const count = database
    .prepare<{ partnerId: string }, number>(
      'SELECT count(*) FROM emails WHERE partner_id = @partnerId',
    )
    .pluck()

  return {
    insertReference: (reference) => void insert.run(reference),
    reference: (reference) => find.get({ reference }),
    useReference: (reference, at) => void use.run({ reference, at }),
    insertEmail: (email) => void insertEmail.run(email),
    emails: (partnerId, offset, limit) => emails.all({ partnerId, offset, limit }),
    countEmails: (partnerId) => count.get({ partnerId }) ?? 0,
  }
}
