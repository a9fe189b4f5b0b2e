import type { Cents } from '../../../api/money.ts'
import type { LedgerEntryType, Mode } from '../../../api/schemas/enums.ts'

/**
 * Entry types that partners see in their ledger, and those that move money between other accounts.
 */
export type EntryType = LedgerEntryType | 'order_settlement' | 'earning_release'

/** A movement on one account. The postings of an entry sum to zero. */
export interface Posting {
  account: string
  amount: Cents
}

export interface LedgerEntry {
  no: number
  mode: Mode
  type: EntryType
  at: number
  orderId: string | null
  reference: string | null
  /** Set, together with the next two fields, when the entry moves a partner's balance. */
  partnerId: string | null
  amount: Cents | null
  balanceAfter: Cents | null
  hash: Uint8Array
  postings: readonly Posting[]
}

export interface LedgerBalance {
  mode: Mode
  account: string
  balance: Cents
}

export interface LedgerCheckpoint {
  entryNo: number
  hash: Uint8Array
  balances: readonly LedgerBalance[]
}

export interface LedgerRepository {
  append(entry: LedgerEntry): void
  head(): { no: number; hash: Uint8Array } | undefined
  hashOf(no: number): Uint8Array | undefined
  balance(mode: Mode, account: string): Cents
  /** Adds to an account's balance, creating the account if needed. Returns the new balance. */
  move(mode: Mode, account: string, amount: Cents): Cents
  balances(): LedgerBalance[]
  /** Entries with their postings after `no`, up to and including `last` if given, oldest first. */
  entriesAfter(no: number, last?: number): Iterable<LedgerEntry>
  lastCheckpoint(): LedgerCheckpoint | undefined
  addCheckpoint(checkpoint: LedgerCheckpoint): void
  /** Newest first. */
  partnerPage(
    partnerId: string,
    mode: Mode | undefined,
    offset: number,
    limit: number,
  ): LedgerEntry[]
  partnerCount(partnerId: string, mode: Mode | undefined): number
}
