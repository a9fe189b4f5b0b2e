/**
 * The tables one feature stores per account. Step n migrates the feature's tables from version n to
 * n + 1; a step never changes after its release. Each feature owns its tables: no other feature's
 * SQL names them.
 */
export type FeatureSchema = {
  feature: string
  /**
   * `mirror` (the default): data that can be synced again from the service, so a damaged mirror is
   * replaced. `catalogue`: the part of that data for the catalogue, which is large and has a
   * dedicated writer. `journal`: data that exists only on this computer, such as work in flight,
   * stored keys and fingerprints. These are three files on one connection, and SQL names their
   * tables alike.
   */
  place?: 'mirror' | 'catalogue' | 'journal'
  steps: readonly string[]
  /**
   * Copies journal tables from a mirror created when both were one file. `old` is that mirror, and
   * the presence of `table` shows that it has them. Safe to repeat.
   */
  importFromMirror?: { table: string; sql: string }
  /**
   * Columns with values that the vault encrypts. List every such column here: changing the vault
   * key re-encrypts only these.
   */
  sealed?: readonly SealedColumn[]
}

/** A column of encrypted values. NULL where a record has none. */
export type SealedColumn = {
  kind: SealedKind
  table: string
  column: string
  /** Columns that identify a record. */
  key: readonly string[]
  /** The record id the value is encrypted under, from the columns of `key`. */
  recordId: (row: Readonly<Record<string, unknown>>) => string
  /**
   * Columns exported next to the value. Leave out for values that aren't the user's keys; those
   * aren't exported.
   */
  exported?: readonly string[]
}

export type SealedKind =
  | 'delivered-key'
  | 'withdrawn-key'
  | 'import-facts'
  | 'outbox-text'
  | 'draft'
  | 'dispute-text'
  | 'key-hint'
