import { type Cents, cents, ZERO } from '../../api/money.ts'
import type { Mode } from '../../api/schemas/enums.ts'
import { yieldToRequests } from '../clock/yield-to-requests.ts'
import { createProver, entryHash, genesis, type Proof, prove } from './ledger-chain.ts'
import { reachCrashPoint } from '../crash-points.ts'
import type { EntryType, Posting } from '../ports/ordering/ledger.ts'
import type { Repositories } from '../ports/repositories.ts'

/** Names of the ledger's accounts. */
export const account = {
  partner: (partnerId: string) => `partner:${partnerId}`,
  sellerPending: (sellerId: string) => `seller:${sellerId}:pending`,
  sellerAvailable: (sellerId: string) => `seller:${sellerId}:available`,
  /** Money from accepted orders that isn't yet earned by a delivery. */
  orders: 'platform:orders',
  margin: 'platform:margin',
  /** Money outside the service: incoming bank transfers, and the counterpart of test money. */
  bank: 'platform:bank',
} as const

export interface NewEntry {
  mode: Mode
  type: EntryType
  at: number
  orderId?: string
  reference?: string
  /** The partner whose ledger shows this entry. */
  partnerId?: string
  postings: readonly Posting[]
}

export interface Ledger {
  /**
   * Posts an entry inside the caller's transaction. Throws when its postings do not sum to zero.
   */
  post(entry: NewEntry): { no: number; id: string; balanceAfter: Cents }
  partnerBalance(partnerId: string, mode: Mode): Cents
  /** Proves every entry since the first. */
  proveAll(): Proof
  /**
   * Like proveAll, but in pieces, so that requests are processed in between. Entries posted during
   * the proof are left for the next one.
   */
  proveInPieces(): Promise<Proof>
  /** Proves the entries posted since the last checkpoint. */
  proveRecent(): Proof
  /** Stores a checkpoint of the proven entries, so that the next start continues from it. */
  checkpoint(): void
  /** Restarts a running proof after the database was emptied or replaced. */
  reload(): void
}

/** The most entries a start after a kill has to prove. */
const CHECKPOINT_EVERY = 5000

/** Entries proved before yielding to requests; takes a few milliseconds. */
const PIECE = 250

/** The public id of an entry. */
export const ledgerId = (no: number): string => `led_${String(no).padStart(9, '0')}`

/** A double-entry, append-only ledger, chained by hashes (Decision 4). */
export function createLedger(store: Repositories): Ledger {
  const { ledger } = store

  function checkpoint(): void {
    const head = ledger.head()
    if (!head || ledger.lastCheckpoint()?.entryNo === head.no) return
    store.transaction(() => {
      ledger.addCheckpoint({ entryNo: head.no, hash: head.hash, balances: ledger.balances() })
      reachCrashPoint('ledger.checkpointed')
    })
  }

  let state = 0

  /** Null when another state replaced the ledger during the proof. */
  async function proveUpToNow(): Promise<Proof | null> {
    const began = state
    const last = ledger.head()?.no ?? 0
    const balances = ledger.balances()
    const prover = createProver()
    for (let from = 0; from < last; from += PIECE) {
      for (const entry of ledger.entriesAfter(from, Math.min(from + PIECE, last))) prover.add(entry)
      await yieldToRequests()
      if (state !== began) return null
    }
    return prover.finish(balances)
  }

  return {
    post({ mode, type, at, orderId, reference, partnerId, postings }) {
      if (postings.reduce((sum, posting) => sum + posting.amount, 0) !== 0)
        throw new Error(`${type} doesn't sum to zero`)
      const head = ledger.head()
      const no = (head?.no ?? 0) + 1
      const own = partnerId === undefined ? null : account.partner(partnerId)
      let amount: Cents | null = null
      let balanceAfter: Cents | null = null
      for (const posting of postings) {
        const balance = ledger.move(mode, posting.account, posting.amount)
        if (posting.account !== own) continue
        amount = posting.amount
        balanceAfter = balance
      }
      reachCrashPoint('ledger.moved')
      const entry = {
        no,
        mode,
        type,
        at,
        orderId: orderId ?? null,
        reference: reference ?? null,
        partnerId: partnerId ?? null,
        amount,
        balanceAfter,
        postings,
      }
      ledger.append({ ...entry, hash: entryHash(head?.hash ?? genesis, entry) })
      if (no % CHECKPOINT_EVERY === 0) store.afterCommit(checkpoint)
      return { no, id: ledgerId(no), balanceAfter: balanceAfter ?? ZERO }
    },
    partnerBalance: (partnerId, mode) => ledger.balance(mode, account.partner(partnerId)),
    proveAll: () => prove(ledger.entriesAfter(0), ledger.balances()),
    async proveInPieces() {
      for (;;) {
        const proof = await proveUpToNow()
        if (proof !== null) return proof
      }
    },
    proveRecent() {
      const last = ledger.lastCheckpoint()
      const proof = prove(ledger.entriesAfter(last?.entryNo ?? 0), ledger.balances(), last)
      if (!last || Buffer.compare(ledger.hashOf(last.entryNo) ?? genesis, last.hash) === 0)
        return proof
      return {
        ...proof,
        ok: false,
        problem: `entry ${last.entryNo} isn't the one that was proved`,
      }
    },
    checkpoint,
    reload() {
      state += 1
    },
  }
}

/** Two postings that move an amount from one account to another. */
export const transfer = (from: string, to: string, amount: Cents): Posting[] => [
  { account: from, amount: cents(-amount + 0) },
  { account: to, amount },
]
