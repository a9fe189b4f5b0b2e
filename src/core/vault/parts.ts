import type { Database } from 'better-sqlite3'
import type { Keychain } from '../../platform/keychain/keychain.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { ActivityLog, Notifier, Reencrypt, SafetyCopy } from '../context.ts'
import type { Randomness } from '../randomness.ts'
import type { ScryptCost } from './keys/passphrase.ts'

/** The dependencies of the vault. */
export type VaultParts = {
  database: Database
  keychain: Keychain
  clock: Clock
  random: Randomness
  changes: Changes
  activity: ActivityLog
  notices: Notifier
  values: SealedValueStore
  safetyCopy?: SafetyCopy
  /** The cost of deriving a key from a passphrase; tests use a lower one. */
  cost?: ScryptCost | undefined
  report: (where: string, error: unknown) => void
}

/** All encrypted values in the data folder, however they are stored. */
export interface SealedValueStore {
  /** How many keys are stored in all journals. */
  count(): number
  accounts(): string[]
  /**
   * Stops the work on an account's files, encrypts its values with the new key, and resumes the
   * work. Can be repeated. Throws when the vault locks in between.
   */
  reencrypt(accountId: string, reseal: Reencrypt): Promise<ReencryptResult>
  /**
   * Deletes copies of files whose values are encrypted with an earlier key: from before updates,
   * and damaged ones that were set aside.
   */
  removeCopies(): void
}

export type ReencryptResult = { values: number; unreadable: number }
