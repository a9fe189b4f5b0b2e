import type { Database } from 'better-sqlite3'
import { noticeSchema } from '../../contract/app/notices.ts'
import type { Notice } from '../../contract/app/notices.ts'
import { readMessage, storeMessage } from '../../contract/localization/localized.ts'
import type { FeatureSchema } from '../mirror/schema.ts'

/** Notices in the order in which they were sent. */
export const noticesSchema: FeatureSchema = {
  feature: 'notices',
  steps: [
    `
    CREATE TABLE notices (
      number INTEGER PRIMARY KEY,
      notice_id TEXT NOT NULL UNIQUE,
      at INTEGER NOT NULL,
      account_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      title TEXT NOT NULL,
      text TEXT NOT NULL,
      path TEXT NOT NULL,
      seen INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX notices_by_account ON notices (account_id);
  `,
    `
    -- A notice can belong to no account: its account_id is null.
    ALTER TABLE notices RENAME TO notices_of_accounts;
    DROP INDEX notices_by_account;
    CREATE TABLE notices (
      number INTEGER PRIMARY KEY,
      notice_id TEXT NOT NULL UNIQUE,
      at INTEGER NOT NULL,
      account_id TEXT,
      kind TEXT NOT NULL,
      title TEXT NOT NULL,
      text TEXT NOT NULL,
      path TEXT NOT NULL,
      seen INTEGER NOT NULL
    ) STRICT;
    INSERT INTO notices SELECT * FROM notices_of_accounts;
    DROP TABLE notices_of_accounts;
    CREATE INDEX notices_by_account ON notices (account_id);
  `,
  ],
}

type Row = Omit<Notice, 'seen' | 'title' | 'text'> & { seen: number; title: string; text: string }

/** Stores the newest `kept` notices. */
export function createNoticeStore(db: Database, kept: number) {
  const insert =
    db.prepare(`INSERT INTO notices (notice_id, at, account_id, kind, title, text, path, seen)
    VALUES (:noticeId, :at, :accountId, :kind, :title, :text, :path, :seen)`)
  const thin = db.prepare(
    'DELETE FROM notices WHERE number <= (SELECT max(number) FROM notices) - :kept',
  )
  const all = db.prepare<{ kept: number }, Row>(`
    SELECT notice_id AS noticeId, at, account_id AS accountId, kind, title, text, path, seen
      FROM notices ORDER BY number DESC LIMIT :kept`)
  return {
    /** Newest first. Skips kinds that this version doesn't know. */
    all: (): Notice[] =>
      all.all({ kept }).flatMap((row) => {
        const parsed = noticeSchema.safeParse({
          ...row,
          title: readMessage(row.title),
          text: readMessage(row.text),
          seen: row.seen === 1,
        })
        return parsed.success ? [parsed.data] : []
      }),
    add(notice: Notice): void {
      db.transaction(() => {
        insert.run({
          ...notice,
          title: storeMessage(notice.title),
          text: storeMessage(notice.text),
          seen: Number(notice.seen),
        })
        thin.run({ kept })
      })()
    },
    markSeen: (): void => void db.prepare('UPDATE notices SET seen = 1 WHERE seen = 0').run(),
    removeAccount: (accountId: string): void =>
      void db.prepare('DELETE FROM notices WHERE account_id = :accountId').run({ accountId }),
  }
}
