import type { Repositories } from './repositories.ts'
import type { SnapshotRepository } from './snapshots.ts'

/** The service's storage: the present state, and others that can replace it. */
export interface Store extends Repositories {
  readonly snapshots: SnapshotRepository
  close(): void
}
