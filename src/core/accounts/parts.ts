import type { Database } from 'better-sqlite3'
import type { Keychain } from '../../platform/keychain.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { Randomness } from '../randomness.ts'
import type { ServiceClient } from '../service-client/service-client.ts'

/** What the accounts are made of. */
export type AccountsParts = {
  database: Database
  keychain: Keychain
  clock: Clock
  random: Randomness
  changes: Changes
  client: ServiceClient
  /** A key that must never stand in a log. */
  learn: (secret: string) => void
  /** Removes what the desk keeps of an account beside its record and key. */
  erase: (accountId: string) => void
  report: (where: string, error: unknown) => void
}
