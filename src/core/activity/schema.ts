import type { FeatureSchema } from '../mirror/schema.ts'

/** Entries are counted per hour; its length in milliseconds. */
export const HOUR_MS = 3_600_000

/**
 * Index words for an entry's account and outcome, so that one lookup matches them together with the
 * typed words.
 */
export const accountWord = (accountId: string): string =>
  `zzaccount${accountId.toLowerCase().replaceAll('-', '')}`
export const outcomeWord = (outcome: string): string => `zzoutcome${outcome}`

const counted = (row: 'old' | 'new', by: 1 | -1): string => `
  INSERT INTO activity_sums (hour, account_id, outcome, entries)
    VALUES (${row}.at / ${HOUR_MS}, coalesce(${row}.account_id, ''), ${row}.outcome, ${by})
  ON CONFLICT DO UPDATE SET entries = entries + excluded.entries;`

export const activitySchema: FeatureSchema = {
  feature: 'activity',
  steps: [
    `
    CREATE TABLE activity (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      at INTEGER NOT NULL,
      account_id TEXT,
      what TEXT NOT NULL,
      detail TEXT NOT NULL,
      outcome TEXT NOT NULL,
      code TEXT,
      status INTEGER,
      request_id TEXT,
      duration_ms REAL
    ) STRICT;
    CREATE INDEX activity_by_account ON activity (account_id, seq);
  `,
    `
    CREATE INDEX activity_by_time ON activity (at);
    CREATE INDEX activity_by_account_time ON activity (account_id, at);
    CREATE INDEX activity_by_outcome ON activity (outcome, at) WHERE outcome <> 'ok';
    CREATE INDEX activity_by_account_outcome ON activity (account_id, outcome, at) WHERE outcome <> 'ok';
    CREATE VIRTUAL TABLE activity_words USING fts5(words, content='', contentless_delete=1,
      prefix='2 3 4 5 6', tokenize="unicode61 remove_diacritics 2 tokenchars '_'");
    INSERT INTO activity_words (rowid, words)
      SELECT seq, replace(said, '_', ' ') || ' ' || said || ' ' ||
      coalesce('zzaccount' || lower(replace(account_id, '-', '')), '') || ' zzoutcome' || outcome
      FROM (SELECT seq, account_id, outcome, what || ' ' || detail || ' ' || coalesce(code, '') ||
        ' ' || coalesce(status, '') || ' ' || coalesce(request_id, '') AS said FROM activity);
    CREATE TABLE activity_sums (hour INTEGER NOT NULL, account_id TEXT NOT NULL,
      outcome TEXT NOT NULL, entries INTEGER NOT NULL, PRIMARY KEY (hour, account_id, outcome)) STRICT, WITHOUT ROWID;
    INSERT INTO activity_sums SELECT at / ${HOUR_MS}, coalesce(account_id, ''), outcome, count(*)
      FROM activity GROUP BY 1, 2, 3;
    CREATE TRIGGER activity_added AFTER INSERT ON activity BEGIN ${counted('new', 1)} END;
    CREATE TRIGGER activity_gone AFTER DELETE ON activity BEGIN ${counted('old', -1)} DELETE
      FROM activity_words WHERE rowid = old.seq; END;
  `,
    // Accounts that were removed: the name that their kept entries belong to.
    `CREATE TABLE removed_account (account_id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL,
      mode TEXT NOT NULL, removed_at INTEGER NOT NULL) STRICT;`,
  ],
}
