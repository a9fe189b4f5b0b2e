import type { Database } from 'better-sqlite3'
import type { Account, Removal } from '../../contract/app/accounts.ts'
import type { Keychain } from '../../platform/keychain/keychain.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { SafetyCopy } from '../context.ts'
import type { Randomness } from '../randomness.ts'
import type { ProveSandbox } from './checks/sandbox-proof.ts'
import type { HeldAddresses } from './held-address.ts'
import type { ServiceClient } from '../service-client/service-client.ts'

/** The dependencies of the accounts. */
export type AccountsParts = {
  database: Database
  keychain: Keychain
  clock: Clock
  random: Randomness
  changes: Changes
  client: ServiceClient
  safetyCopy: SafetyCopy
  heldAddresses: HeldAddresses
  proveSandbox: ProveSandbox
  /** Registers a key that must never appear in a log. */
  registerSecret: (secret: string) => void
  /**
   * Deletes an account's data except its record and key. With `removal`, a person removed it: its
   * activity is kept and says so.
   */
  deleteData: (account: Account, removal: Removal | null) => void
  /** The open files of the accounts, of which there are at most {@link seats}. */
  files: {
    opened(): string[]
    isOpen(accountId: string): boolean
    /** Whether the account has files. */
    exist(accountId: string): boolean
    release(accountId: string): void
  }
  /** Maximum number of accounts with open files; more accounts take turns. */
  seats: number
  /** The account that the window shows. */
  currentId: () => string | null
  report: (where: string, error: unknown) => void
}
