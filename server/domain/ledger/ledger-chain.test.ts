import { describe, expect, it } from 'vitest'
import { cents } from '../../api/money.ts'
import type { LedgerEntry } from '../ports/ordering/ledger.ts'
import { entryHash, genesis, prove } from './ledger-chain.ts'

type Unhashed = Omit<LedgerEntry, 'hash'>

const topUp = (no: number, amount: number, balanceAfter: number): Unhashed => ({
  no,
  mode: 'live',
  type: 'top_up',
  at: 1000 + no,
  orderId: null,
  reference: `R${no}`,
  partnerId: 'ptr_1',
  amount: cents(amount),
  balanceAfter: cents(balanceAfter),
  postings: [
    { account: 'platform:bank', amount: cents(-amount) },
    { account: 'partner:ptr_1', amount: cents(amount) },
  ],
})

/** Hashes entries one after the other. */
function chained(entries: readonly Unhashed[], before = genesis): LedgerEntry[] {
  let hash = before
  return entries.map((entry) => ({ ...entry, hash: (hash = entryHash(hash, entry)) }))
}

const balance = (account: string, amount: number, mode: 'live' | 'test' = 'live') => ({
  mode,
  account,
  balance: cents(amount),
})
const entries = chained([topUp(1, 100, 100), topUp(2, 50, 150), topUp(3, 7, 157)])
const balances = [balance('partner:ptr_1', 157), balance('platform:bank', -157)]

describe('a proof of the ledger (Decision 4)', () => {
  it('names the head and the sums of a complete ledger', () => {
    expect(prove(entries, balances)).toEqual({
      ok: true,
      problem: null,
      entries: 3,
      head: entries[2]?.hash,
      sums: { live: 0, test: 0 },
    })
    expect(prove([], [])).toMatchObject({ ok: true, entries: 0, head: new Uint8Array(32) })
  })

  it('continues from a checkpoint', () => {
    const from = {
      entryNo: 2,
      hash: entries[1]?.hash ?? genesis,
      balances: [balance('partner:ptr_1', 150), balance('platform:bank', -150)],
    }
    expect(prove(entries.slice(2), balances, from)).toMatchObject({ ok: true, entries: 3 })
    expect(prove(entries, balances, from).problem).toBe('entry 3 is missing')
  })

  it.each<[string, readonly LedgerEntry[], typeof balances, string]>([
    ['a missing entry', entries.toSpliced(1, 1), balances, 'entry 2 is missing'],
    ['reversed entries', entries.toReversed(), balances, 'entry 1 is missing'],
    [
      'a changed entry',
      entries.map((entry) => (entry.no === 2 ? { ...entry, reference: 'other' } : entry)),
      balances,
      'entry 2 breaks the chain',
    ],
    [
      'an entry that creates money',
      chained([
        { ...topUp(1, 100, 100), postings: [{ account: 'partner:ptr_1', amount: cents(100) }] },
      ]),
      balances,
      "entry 1 doesn't sum to zero",
    ],
    [
      'a wrong balance after an entry',
      chained([topUp(1, 100, 99)]),
      balances,
      'entry 1 shows a different balance than its postings',
    ],
    [
      'a changed balance',
      entries,
      [balance('partner:ptr_1', 158), balance('platform:bank', -157)],
      "the live balance of partner:ptr_1 isn't the sum of its postings",
    ],
    [
      'a balance without postings',
      entries,
      [...balances, balance('partner:ptr_1', 5, 'test')],
      "the test balance of partner:ptr_1 isn't the sum of its postings",
    ],
    [
      'a missing balance',
      entries,
      balances.slice(0, 1),
      'live platform:bank has postings and no balance',
    ],
  ])('reports %s first', (_what, given, stored, problem) => {
    expect(prove(given, stored)).toMatchObject({ ok: false, problem })
  })

  it('reports balances that do not sum to zero since the checkpoint', () => {
    const from = { entryNo: 0, hash: genesis, balances: [balance('partner:ptr_1', 5, 'test')] }
    expect(prove([], [balance('partner:ptr_1', 5, 'test')], from)).toMatchObject({
      problem: 'the balances do not sum to zero',
      sums: { live: 0, test: 5 },
    })
    const live = { entryNo: 0, hash: genesis, balances: [balance('partner:ptr_1', 5)] }
    expect(prove([], [balance('partner:ptr_1', 5)], live)).toMatchObject({
      problem: 'the balances do not sum to zero',
    })
  })
})

describe('the hash of an entry', () => {
  const entry = topUp(1, 100, 100)
  const hash = (changed: Partial<Unhashed>, before = genesis) =>
    Buffer.from(entryHash(before, { ...entry, ...changed })).toString('hex')

  it.each<Partial<Unhashed>>([
    { no: 2 },
    { mode: 'test' },
    { type: 'reset' },
    { at: 1 },
    { orderId: 'ord_1' },
    { reference: null },
    { partnerId: 'ptr_2' },
    { amount: cents(1) },
    { balanceAfter: cents(1) },
    { postings: [] },
    { postings: [{ account: 'platform:bank', amount: cents(-100) }] },
    {
      postings: [
        { account: 'platform:bank', amount: cents(-100) },
        { account: 'partner:ptr_2', amount: cents(100) },
      ],
    },
    {
      postings: [
        { account: 'platform:bank', amount: cents(-99) },
        { account: 'partner:ptr_1', amount: cents(99) },
      ],
    },
  ])('changes with %j and with the hash before it', (changed) => {
    expect(hash(changed)).not.toBe(hash({}))
    expect(hash(changed, new Uint8Array(32).fill(1))).not.toBe(hash(changed))
  })

  it('is independent of the order in which the postings are stored', () => {
    expect(hash({ postings: entry.postings.toReversed() })).toBe(hash({}))
  })
})
