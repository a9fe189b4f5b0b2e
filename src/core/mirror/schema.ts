/**
 * The tables one feature keeps of an account. Step n brings the feature's tables from version n to
 * n + 1; a step never changes once released. Each feature owns its tables: nobody else's SQL names
 * them.
 */
export type FeatureSchema = {
  feature: string
  /**
   * `mirror` (when left out): what can be read again from the service, so that a damaged mirror is
   * simply begun anew. `catalogue`: of that the catalogue, which is large and has a writer of its
   * own. `journal`: what only this desk knows: work in hand, kept keys, fingerprints. Three files,
   * one connection: SQL names the tables of all alike.
   */
  place?: 'mirror' | 'catalogue' | 'journal'
  steps: readonly string[]
  /**
   * Brings journal tables over from a mirror of the time when both were one file: `old` is that
   * mirror, `table` tells that it has them. Repeatable.
   */
  takeOver?: { table: string; sql: string }
  /**
   * Columns that hold values sealed by the vault. Every such column stands here: a re-keying seals
   * anew what it finds here, and nothing else.
   */
  sealed?: readonly SealedColumn[]
}

/** A column of sealed values; NULL where a record has none. */
export type SealedColumn = {
  kind: SealedKind
  table: string
  column: string
  /** Columns that tell one record. */
  key: readonly string[]
  /** The record id under which the value is sealed, from the columns of `key`. */
  recordId: (row: Readonly<Record<string, unknown>>) => string
  /**
   * Columns that stand beside the value in an export. Left out: the values are no keys of a
   * person's and are not exported.
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
