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

export interface SnapshotRepository {
  /**
   * Saves the complete database under a name, replacing an existing snapshot of that name, with
   * `at` as its creation time. Call it outside a transaction.
   */
  save(name: string, at: number): SnapshotFacts
  /**
   * Copies the complete database, with the key that seals its stock, into an empty folder that
   * another service can open. Call it outside a transaction.
   */
  copyTo(folder: string): void
  /** By name. */
  list(): SnapshotFacts[]
  /** Deletes a snapshot permanently. Returns false if there is none. */
  remove(name: string): boolean
  /**
   * Replaces the database with a snapshot, migrating an older one, then runs `finish` with its
   * facts in the same transaction: all or nothing. Call it outside a transaction.
   */
  restore(name: string, finish: (saved: SnapshotFacts) => void): SnapshotFacts | RestoreProblem
}
