export interface SnapshotFacts {
  name: string
  createdAt: number
  bytes: number
}

/**
 * Why a snapshot was not restored: there is none, a newer program wrote it, or its file can't be
 * read.
 */
export type RestoreProblem = 'absent' | 'newer' | 'unreadable'

export interface SnapshotRepository {
  /**
   * Saves the whole database under a name, in place of an older one of that name, as created at
   * `at`. Not inside a transaction.
   */
  save(name: string, at: number): SnapshotFacts
  /** By name. */
  list(): SnapshotFacts[]
  /** Takes one away for good; false where there is none. */
  remove(name: string): boolean
  /**
   * Puts a snapshot in the database's place, one of an older version in today's shape, then runs
   * `finish` with its facts in the same transaction: all or nothing. Not inside a transaction.
   */
  restore(name: string, finish: (saved: SnapshotFacts) => void): SnapshotFacts | RestoreProblem
}
