import type { Repositories } from './repositories.ts'

export interface SnapshotFacts {
  name: string
  createdAt: number
  bytes: number
}

/**
 * Why a snapshot was not restored: it doesn't exist, a newer version wrote it, or its file can't be
 * read.
 */
export type RestoreProblem = 'absent' | 'newer' | 'unreadable'

/**
 * Another state of the service, in a database beside the present one, which continues until this
 * one is adopted. Each part of the preparation may be lost by a crash.
 */
export interface PreparedState extends Repositories {
  /**
   * Keeps a copy of the current state for `openKept`, with a note, replacing an earlier copy.
   * Call it outside a transaction.
   */
  keep(note: string): void
  /** Makes the state durable. Its repositories can't be used afterwards. */
  complete(): Promise<void>
  /** The blocking form of `complete`, for use before the service starts. */
  completeNow(): void
  /** Replaces the present state, all or nothing. Call it after `complete`, outside a transaction. */
  adopt(): void
  /** Deletes its remaining files. Call it at the end in every case. */
  discard(): void
}

/** A complete database, and the key that seals its stock. */
export interface StateCopy {
  readonly bytes: Buffer
  readonly sealKey: Buffer
}

export type WorldArea = 'clock' | 'orders' | 'stock' | 'prices' | 'offers' | 'ledger' | 'disputes'

/** A thing with other values in two states; null where it doesn't exist. */
export interface StateDifference {
  area: WorldArea
  id: string
  /** What a person calls it. */
  subject: string
  before: Readonly<Record<string, string | number | null>> | null
  after: Readonly<Record<string, string | number | null>> | null
}

export interface SnapshotRepository {
  /**
   * Saves the complete present database under a name, replacing an existing snapshot of that name,
   * with `at` as its creation time. Call it outside a transaction.
   */
  save(name: string, at: number): Promise<SnapshotFacts>
  /**
   * Copies the complete database, with the key that seals its stock, into an empty folder that
   * another service can open. Call it outside a transaction.
   */
  copyTo(folder: string): void
  /** The present state in memory. Call it outside a transaction. */
  copy(): StateCopy
  /** By name. */
  list(): SnapshotFacts[]
  /** Deletes a snapshot permanently. Returns false if there is none. */
  remove(name: string): boolean
  /** Opens a copy of a snapshot, migrating an older one. */
  open(name: string): Promise<{ facts: SnapshotFacts; state: PreparedState } | RestoreProblem>
  /**
   * Compares a snapshot with a later one, or, for null, with the present state, in pieces so that
   * requests are processed in between. `other`: one of them has another version of the database.
   */
  compare(from: string, to: string | null): Promise<StateDifference[] | 'absent' | 'other'>
  /** Opens an empty state. */
  openEmpty(): PreparedState
  /** Opens a copy of the kept state if its note fits; null if it doesn't, or if there is none. */
  openKept(fits: (note: string) => boolean): Promise<PreparedState | null>
}
