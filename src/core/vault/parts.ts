import type { Database } from 'better-sqlite3'
import type { Keychain } from '../../platform/keychain.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { ActivityLog, Reencrypt } from '../context.ts'
import type { Randomness } from '../randomness.ts'
import type { ScryptCost } from './passphrase.ts'

/** What the vault is made of. */
export type VaultParts = {
  database: Database
  keychain: Keychain
  clock: Clock
  random: Randomness
  changes: Changes
  activity: ActivityLog
  values: SealedStock
  /** What deriving a key from a passphrase costs; tests take less. */
  cost?: ScryptCost | undefined
  report: (where: string, error: unknown) => void
}

/** All that is sealed on this desk, however it is stored. */
export interface SealedStock {
  /** How many values are sealed in all journals. */
  count(): number
  accounts(): string[]
  /**
   * Ends the work on an account's files, seals its values anew, and lets the work go on.
   * Repeatable; throws when the vault locks in between.
   */
  reseal(accountId: string, reseal: Reencrypt): Promise<Resealed>
  /**
   * Removes copies of files whose values stay under an earlier key: from before updates, and
   * damaged ones set aside.
   */
  removeCopies(): void
}

export type Resealed = { values: number; unreadable: number }
