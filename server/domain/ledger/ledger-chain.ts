import { createHash } from 'node:crypto'
import { addCents, type Cents, ZERO } from '../../api/money.ts'
import type { Mode } from '../../api/schemas/enums.ts'
import type { LedgerBalance, LedgerCheckpoint, LedgerEntry } from '../ports/ordering/ledger.ts'

/** The hash before the first entry. */
export const genesis: Uint8Array = new Uint8Array(32)

/** SHA-256 over the previous hash and the complete entry. */
export function entryHash(before: Uint8Array, entry: Omit<LedgerEntry, 'hash'>): Uint8Array {
  const { no, mode, type, at, orderId, reference, partnerId, amount, balanceAfter } = entry
  const postings = entry.postings.map((posting) => [posting.account, posting.amount])
  postings.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  const text = JSON.stringify([
    no,
    mode,
    type,
    at,
    orderId,
    reference,
    partnerId,
    amount,
    balanceAfter,
    postings,
  ])
  return createHash('sha256').update(before).update(text).digest()
}

export interface Proof {
  ok: boolean
  /** The first problem found, or null. */
  problem: string | null
  entries: number
  head: Uint8Array
  sums: Record<Mode, Cents>
}

/** A proof in progress: add the entries in order, then compare with the balances. */
export interface Prover {
  add(entry: LedgerEntry): void
  finish(balances: readonly LedgerBalance[]): Proof
}

/**
 * Proves a ledger: numbers without gaps, chained hashes, entries that sum to zero, and balances
 * that equal the sum of their postings. Starts from a checkpoint when one is given, otherwise from
 * the first entry.
 */
export function createProver(from?: LedgerCheckpoint): Prover {
  const sums = new Map<string, Cents>()
  for (const { mode, account, balance } of from?.balances ?? [])
    sums.set(`${mode} ${account}`, balance)
  let problem: string | null = null
  let no = from?.entryNo ?? 0
  let head = from?.hash ?? genesis

  return {
    add(entry) {
      no += 1
      problem ??= entryProblem(entry, no, head)
      for (const { account, amount } of entry.postings) {
        const name = `${entry.mode} ${account}`
        sums.set(name, addCents(sums.get(name) ?? ZERO, amount))
      }
      if (
        entry.partnerId !== null &&
        sums.get(`${entry.mode} partner:${entry.partnerId}`) !== entry.balanceAfter
      ) {
        problem ??= `entry ${entry.no} shows a different balance than its postings`
      }
      head = entry.hash
    },
    finish(balances) {
      const total: Record<Mode, Cents> = { live: ZERO, test: ZERO }
      for (const { mode, account, balance } of balances) {
        total[mode] = addCents(total[mode], balance)
        const name = `${mode} ${account}`
        if ((sums.get(name) ?? ZERO) !== balance)
          problem ??= `the ${mode} balance of ${account} isn't the sum of its postings`
        sums.delete(name)
      }
      for (const [name, sum] of sums)
        if (sum !== 0) problem ??= `${name} has postings and no balance`
      if (total.live !== 0 || total.test !== 0) problem ??= 'the balances do not sum to zero'
      return { ok: problem === null, problem, entries: no, head, sums: total }
    },
  }
}

/** Proves entries and balances in one call. */
export function prove(
  entries: Iterable<LedgerEntry>,
  balances: readonly LedgerBalance[],
  from?: LedgerCheckpoint,
): Proof {
  const prover = createProver(from)
  for (const entry of entries) prover.add(entry)
  return prover.finish(balances)
}

function entryProblem(entry: LedgerEntry, no: number, before: Uint8Array): string | null {
  if (entry.no !== no) return `entry ${no} is missing`
  if (entry.postings.reduce((sum, { amount }) => sum + amount, 0) !== 0)
    return `entry ${no} doesn't sum to zero`
  if (Buffer.compare(entryHash(before, entry), entry.hash) !== 0)
    return `entry ${no} breaks the chain`
  return null
}
