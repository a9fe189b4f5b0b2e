import type { FeatureSchema } from '../mirror/schema.ts'

/** Record ids under which the texts of disputes are sealed. */
export const textRecords = {
  reason: (disputeId: string): string => `dispute-reason:${disputeId}`,
  message: (disputeId: string, position: number): string =>
    `dispute-message:${disputeId}:${position}`,
  attachment: (disputeId: string, position: number, number: number): string =>
    `dispute-attachment:${disputeId}:${position}:${number}`,
  draft: (disputeId: string): string => `dispute-draft:${disputeId}`,
  answer: (answerId: string): string => `dispute-answer:${answerId}`,
  replacement: (actionId: string): string => `dispute-replacement:${actionId}`,
  hint: (actionId: string): string => `dispute-replacement-hint:${actionId}`,
  reply: (replyId: string): string => `dispute-reply:${replyId}`,
  replyKey: (replyId: string): string => `dispute-reply-key:${replyId}`,
}

/** The text that a search matches besides ids; the same few texts serve any number of disputes. */
const TEXT_OF_DISPUTE =
  "name_key || char(10) || lower(coalesce(offer_id, '')) || ' ' || lower(coalesce(product_id, ''))"

/** Adds a resolved dispute to the totals of its search text, or subtracts it. */
const resolvedOf = (row: 'old' | 'new', by: 1 | -1): string =>
  `INSERT INTO dispute_text_sums (text_id, resolved) VALUES (${row}.text_id, ${by}) ON CONFLICT
    DO UPDATE SET resolved = resolved + excluded.resolved;`

/**
 * Disputes and their messages as last read. Texts are sealed, because customers and sellers put
 * keys into them. `stale`: the messages must be read again; `read_at`: when they were read; `pass`:
 * the listing pass that first saw the dispute. `attachments` counts those of all messages.
 * `first_answer_at`: the seller's first answer; `customer_at`: the customer's last message.
 * `dispute_texts`: search texts besides ids, shared by many disputes; `dispute_text_sums`: number
 * of resolved disputes for each. `key_fingerprint`: keyed fingerprint of the disputed key; it
 * differs from the sale's if the dispute is about a replacement.
 */
const disputesMirror: FeatureSchema = {
  feature: 'disputes',
  steps: [
    `
    CREATE TABLE disputes (
      dispute_id TEXT PRIMARY KEY,
      sale_id TEXT,
      offer_id TEXT,
      order_id TEXT,
      key_id TEXT,
      product_id TEXT,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL,
      status TEXT NOT NULL,
      reason_sealed BLOB,
      opened_at INTEGER,
      updated_at INTEGER,
      escalates_at INTEGER,
      resolution_type TEXT,
      resolution_at INTEGER,
      search TEXT NOT NULL,
      seen_at INTEGER NOT NULL,
      pass INTEGER NOT NULL,
      stale INTEGER NOT NULL,
      read_at INTEGER,
      messages INTEGER,
      last_author TEXT,
      last_at INTEGER,
      others INTEGER NOT NULL DEFAULT 0,
      attachments INTEGER NOT NULL DEFAULT 0,
      bodies INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX disputes_by_opened ON disputes (opened_at DESC, dispute_id);
    CREATE INDEX disputes_by_status ON disputes (status, escalates_at);
    CREATE INDEX disputes_by_product ON disputes (product_id);
    CREATE INDEX disputes_by_order ON disputes (order_id);
    CREATE INDEX disputes_by_sale ON disputes (sale_id);
    CREATE INDEX disputes_stale ON disputes (status, opened_at) WHERE stale = 1;
    CREATE TABLE dispute_messages (
      dispute_id TEXT NOT NULL, position INTEGER NOT NULL, author TEXT, body_sealed BLOB,
        at INTEGER, PRIMARY KEY (dispute_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE dispute_attachments (
      dispute_id TEXT NOT NULL, position INTEGER NOT NULL, number INTEGER NOT NULL,
        content_type TEXT NOT NULL, bytes INTEGER NOT NULL, value_sealed BLOB,
      PRIMARY KEY (dispute_id, position, number)
    ) STRICT;
    CREATE TABLE disputes_sync (
      id INTEGER PRIMARY KEY CHECK (id = 1), next_page INTEGER NOT NULL, complete INTEGER NOT NULL,
        pass INTEGER NOT NULL, read_at INTEGER
    ) STRICT;
    INSERT INTO disputes_sync (id, next_page, complete, pass) VALUES (1, 1, 0, 1);
  `,
    `
    ALTER TABLE disputes ADD COLUMN reason_kind TEXT;
    ALTER TABLE disputes ADD COLUMN language TEXT;
    ALTER TABLE disputes ADD COLUMN first_answer_at INTEGER;
    ALTER TABLE disputes ADD COLUMN customer_at INTEGER;
    CREATE INDEX disputes_unresolved ON disputes (dispute_id) WHERE status <> 'resolved';
    UPDATE disputes SET stale = 1;
  `,
    `CREATE INDEX disputes_resolved
      ON disputes (coalesce(last_at, updated_at) DESC, opened_at DESC, dispute_id) WHERE status = 'resolved'`,
    `
    DROP INDEX disputes_resolved;
    CREATE INDEX disputes_resolved
      ON disputes (coalesce(last_at, updated_at) DESC, opened_at DESC, dispute_id, search,
      reason_kind, language) WHERE status = 'resolved';
  `,
    `
    CREATE INDEX disputes_resolved_kinds ON disputes (reason_kind, language) WHERE status = 'resolved';
    CREATE VIRTUAL TABLE dispute_words USING fts5(search, reason_kind UNINDEXED, language UNINDEXED,
      tokenize = 'trigram case_sensitive 1');
    INSERT INTO dispute_words (rowid, search, reason_kind, language)
      SELECT rowid, search, reason_kind, language FROM disputes;
    CREATE TRIGGER disputes_added AFTER INSERT ON disputes BEGIN
      INSERT INTO dispute_words (rowid, search, reason_kind, language)
        VALUES (new.rowid, new.search, new.reason_kind, new.language);
    END;
    CREATE TRIGGER disputes_changed AFTER UPDATE ON disputes WHEN old.search IS NOT new.search
      OR old.reason_kind IS NOT new.reason_kind OR old.language IS NOT new.language BEGIN
      UPDATE dispute_words
        SET search = new.search, reason_kind = new.reason_kind, language = new.language WHERE rowid = old.rowid;
    END;
    CREATE TRIGGER disputes_dropped AFTER DELETE ON disputes BEGIN
      DELETE FROM dispute_words WHERE rowid = old.rowid;
    END;
  `,
    "ALTER TABLE disputes ADD COLUMN key_fingerprint BLOB; UPDATE disputes SET stale = 1 WHERE status <> 'resolved'",
    `
    DROP TRIGGER disputes_added;
    DROP TRIGGER disputes_changed;
    DROP TRIGGER disputes_dropped;
    DROP TABLE dispute_words;
    CREATE TABLE dispute_texts (text_id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
    INSERT INTO dispute_texts (text) SELECT DISTINCT ${TEXT_OF_DISPUTE} FROM disputes;
    ALTER TABLE disputes ADD COLUMN text_id INTEGER;
    UPDATE disputes SET text_id = (SELECT text_id FROM dispute_texts WHERE text = ${TEXT_OF_DISPUTE});
    DROP INDEX disputes_resolved;
    ALTER TABLE disputes DROP COLUMN search;
    CREATE INDEX disputes_resolved
      ON disputes (coalesce(last_at, updated_at) DESC, opened_at DESC, dispute_id, text_id,
      reason_kind, language) WHERE status = 'resolved';
    CREATE INDEX disputes_resolved_texts
      ON disputes (text_id, reason_kind, language, coalesce(last_at, updated_at), opened_at,
      dispute_id) WHERE status = 'resolved';
    -- All that a list of them is narrowed, counted and sorted by.
    DROP INDEX disputes_unresolved;
    CREATE INDEX disputes_unresolved
      ON disputes (dispute_id, status, last_author, messages, others, text_id, reason_kind,
      language, escalates_at, last_at, updated_at, opened_at) WHERE status <> 'resolved';
    CREATE TABLE dispute_text_sums (text_id INTEGER PRIMARY KEY, resolved INTEGER NOT NULL) STRICT;
    INSERT INTO dispute_text_sums SELECT text_id, count(*) FROM disputes WHERE status = 'resolved' GROUP BY text_id;
    CREATE TRIGGER disputes_added AFTER INSERT ON disputes WHEN new.status = 'resolved'
      BEGIN ${resolvedOf('new', 1)} END;
    CREATE TRIGGER disputes_gone AFTER DELETE ON disputes WHEN old.status = 'resolved'
      BEGIN ${resolvedOf('old', -1)} END;
    CREATE TRIGGER disputes_left AFTER UPDATE OF status, text_id ON disputes
      WHEN old.status = 'resolved' BEGIN ${resolvedOf('old', -1)} END;
    CREATE TRIGGER disputes_came AFTER UPDATE OF status, text_id ON disputes
      WHEN new.status = 'resolved' BEGIN ${resolvedOf('new', 1)} END;
    CREATE INDEX disputes_by_id_typed ON disputes (dispute_id COLLATE NOCASE);
    CREATE INDEX disputes_by_sale_typed ON disputes (sale_id COLLATE NOCASE);
    CREATE INDEX disputes_by_order_typed ON disputes (order_id COLLATE NOCASE);
  `,
    `CREATE INDEX disputes_by_fingerprint ON disputes (key_fingerprint)
      WHERE key_fingerprint IS NOT NULL`,
  ],
  sealed: [
    {
      kind: 'dispute-text',
      table: 'disputes',
      column: 'reason_sealed',
      key: ['dispute_id'],
      recordId: (row) => textRecords.reason(String(row['dispute_id'])),
    },
    {
      kind: 'dispute-text',
      table: 'dispute_messages',
      column: 'body_sealed',
      key: ['dispute_id', 'position'],
      recordId: (row) => textRecords.message(String(row['dispute_id']), Number(row['position'])),
    },
    {
      kind: 'dispute-text',
      table: 'dispute_attachments',
      column: 'value_sealed',
      key: ['dispute_id', 'position', 'number'],
      recordId: (row) =>
        textRecords.attachment(
          String(row['dispute_id']),
          Number(row['position']),
          Number(row['number']),
        ),
    },
  ],
}

/**
 * Data about disputes that exists only on this computer: those shown, snoozed or marked done,
 * drafts, every answer until its outcome is known, and every replacement and refund. A typed key
 * stays sealed until it is known that it was sent; afterwards only its fingerprint and the sealed
 * mask with its last four characters remain. `dispute_told`: alerts already sent. `dispute_replies`:
 * answers with their actions from the time a person sends them; `dispute_bulks`: those sent together.
 * `dispute_own_answers`: keyed fingerprints of the answers sent from this computer, recorded since
 * `dispute_own_since`.
 */
const disputesJournal: FeatureSchema = {
  feature: 'disputes',
  place: 'journal',
  steps: [
    `
    CREATE TABLE dispute_reads (dispute_id TEXT PRIMARY KEY, messages INTEGER NOT NULL,
      at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE dispute_drafts (dispute_id TEXT PRIMARY KEY, text_sealed BLOB NOT NULL,
      written_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE dispute_answers (
      answer_id TEXT PRIMARY KEY,
      dispute_id TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('sending', 'unknown', 'refused')),
      text_sealed BLOB NOT NULL,
      messages_before INTEGER NOT NULL,
      problem TEXT,
      written_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dispute_answers_by_dispute ON dispute_answers (dispute_id, written_at);
  `,
    `
    CREATE TABLE dispute_marks (
      dispute_id TEXT PRIMARY KEY,
      snoozed_until INTEGER,
      snoozed_messages INTEGER,
      done_messages INTEGER,
      done_status TEXT,
      mine INTEGER NOT NULL DEFAULT 0,
      unread INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE dispute_actions (
      action_id TEXT PRIMARY KEY,
      dispute_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('replace-stock', 'replace-key', 'refund')),
      state TEXT NOT NULL CHECK (state IN ('sending', 'unknown', 'refused', 'done')),
      idempotency_key TEXT NOT NULL UNIQUE,
      product_id TEXT,
      key_sealed BLOB,
      key_fingerprint BLOB,
      problem TEXT,
      written_at INTEGER NOT NULL,
      settled_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dispute_actions_by_dispute ON dispute_actions (dispute_id, written_at);
    CREATE INDEX dispute_actions_by_fingerprint ON dispute_actions (key_fingerprint) WHERE key_fingerprint IS NOT NULL;
    CREATE TABLE dispute_templates (
      template_id TEXT PRIMARY KEY, name TEXT NOT NULL, reasons TEXT NOT NULL, bodies TEXT NOT NULL,
        removed INTEGER NOT NULL, position INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE dispute_views (view_id TEXT PRIMARY KEY, name TEXT NOT NULL, filter TEXT NOT NULL,
      position INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE dispute_told (dispute_id TEXT NOT NULL, what TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (dispute_id, what)) STRICT, WITHOUT ROWID;
  `,
    'ALTER TABLE dispute_actions ADD COLUMN hint_sealed BLOB',
    `
    CREATE TABLE dispute_replies (
      reply_id TEXT PRIMARY KEY,
      dispute_id TEXT NOT NULL,
      bulk_id TEXT,
      outcome TEXT NOT NULL
        CHECK (outcome IN ('reply', 'replace-stock', 'replace-key', 'refund', 'close')),
      state TEXT NOT NULL CHECK (state IN ('held', 'sending', 'done', 'failed')),
      answered INTEGER NOT NULL DEFAULT 0,
      text_sealed BLOB,
      key_sealed BLOB,
      promise TEXT,
      seen_status TEXT NOT NULL,
      seen_messages INTEGER,
      due_at INTEGER NOT NULL,
      written_at INTEGER NOT NULL,
      problem TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dispute_replies_by_dispute ON dispute_replies (dispute_id, state);
    CREATE INDEX dispute_replies_by_bulk ON dispute_replies (bulk_id) WHERE bulk_id IS NOT NULL;
    CREATE TABLE dispute_bulks (bulk_id TEXT PRIMARY KEY, outcome TEXT NOT NULL,
      written_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    ALTER TABLE dispute_templates ADD COLUMN outcome TEXT;
    ALTER TABLE dispute_drafts ADD COLUMN outcome TEXT NOT NULL DEFAULT 'reply';
    ALTER TABLE dispute_drafts ADD COLUMN promise TEXT;
    CREATE TABLE dispute_own_answers (dispute_id TEXT NOT NULL, fingerprint BLOB NOT NULL,
      PRIMARY KEY (dispute_id, fingerprint)) STRICT, WITHOUT ROWID;
    CREATE TABLE dispute_own_since (at INTEGER NOT NULL) STRICT;
    INSERT INTO dispute_own_since VALUES (unixepoch() * 1000);
  `,
    'ALTER TABLE dispute_replies ADD COLUMN dismissed INTEGER NOT NULL DEFAULT 0',
  ],
  sealed: [
    {
      kind: 'draft',
      table: 'dispute_drafts',
      column: 'text_sealed',
      key: ['dispute_id'],
      recordId: (row) => textRecords.draft(String(row['dispute_id'])),
    },
    {
      kind: 'draft',
      table: 'dispute_actions',
      column: 'key_sealed',
      key: ['action_id'],
      recordId: (row) => textRecords.replacement(String(row['action_id'])),
    },
    {
      kind: 'key-hint',
      table: 'dispute_actions',
      column: 'hint_sealed',
      key: ['action_id'],
      recordId: (row) => textRecords.hint(String(row['action_id'])),
    },
    {
      kind: 'outbox-text',
      table: 'dispute_replies',
      column: 'text_sealed',
      key: ['reply_id'],
      recordId: (row) => textRecords.reply(String(row['reply_id'])),
    },
    {
      kind: 'draft',
      table: 'dispute_replies',
      column: 'key_sealed',
      key: ['reply_id'],
      recordId: (row) => textRecords.replyKey(String(row['reply_id'])),
    },
    {
      kind: 'outbox-text',
      table: 'dispute_answers',
      column: 'text_sealed',
      key: ['answer_id'],
      recordId: (row) => textRecords.answer(String(row['answer_id'])),
    },
  ],
}

export const disputesSchemas = [disputesMirror, disputesJournal]
