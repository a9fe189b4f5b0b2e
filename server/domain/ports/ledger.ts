import type { Cents } from '../../api/money.ts'
import type { LedgerEntryType, Mode } from '../../api/words.ts'

/** What partners see in their ledger, and what moves money between the other accounts. */
export type EntryType = LedgerEntryType | 'order_settlement' | 'earning_release'

/** A movement on one account; the postings of an entry sum to zero. */
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
  /** Set, with the two after it, when the entry moves a partner's balance. */
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
  /** Adds to an account's balance, making the account when it is new; gives the balance after. */
  move(mode: Mode, account: string, amount: Cents): Cents
  balances(): LedgerBalance[]
  /** Entries with their postings after `no`, up to `last` where it is given, oldest first. */
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
