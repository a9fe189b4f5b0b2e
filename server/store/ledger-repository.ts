import type { Database } from 'better-sqlite3'
import { type Cents, ZERO } from '../api/money.ts'
import type {
  LedgerBalance,
  LedgerCheckpoint,
  LedgerEntry,
  LedgerRepository,
  Posting,
} from '../domain/ports/ordering/ledger.ts'
import type { Mode } from '../api/schemas/enums.ts'

type Row = Omit<LedgerEntry, 'postings'>

const columns = `no, mode, type, at, order_id AS orderId, reference, partner_id AS partnerId, amount,
  balance_after AS balanceAfter, hash`

/** The chain of entries, and the movements of each. */
function entryQueries(
  database: Database,
): Pick<LedgerRepository, 'append' | 'head' | 'hashOf' | 'entriesAfter'> {
  const append = database.prepare<Row>(`
    INSERT INTO ledger_entries (no, mode, type, at, order_id, reference, partner_id, amount, balance_after, hash)
    VALUES (@no, @mode, @type, @at, @orderId, @reference, @partnerId, @amount, @balanceAfter, @hash)`)
  const post = database.prepare<{ no: number; account: string; amount: Cents }>(
    'INSERT INTO ledger_postings (entry_no, account, amount) VALUES (@no, @account, @amount)',
  )
  const head = database.prepare<[], { no: number; hash: Uint8Array }>(
    'SELECT no, hash FROM ledger_entries ORDER BY no DESC LIMIT 1',
  )
  const hashOf = database
    .prepare<{ no: number }, Uint8Array>('SELECT hash FROM ledger_entries WHERE no = @no')
    .pluck()
  const after = database.prepare<{ no: number; last: number; limit: number }, Row>(
    `SELECT ${columns} FROM ledger_entries WHERE no > @no AND no <= @last ORDER BY no LIMIT @limit`,
  )
  const postingsOfMany = database.prepare<
    { first: number; last: number },
    Posting & { no: number }
  >(
    `SELECT entry_no AS no, account, amount FROM ledger_postings WHERE entry_no BETWEEN @first AND @last
      ORDER BY entry_no, account`,
  )
  function withPostings(rows: readonly Row[]): LedgerEntry[] {
    const first = rows[0]
    const last = rows.at(-1)
    const entries = new Map(rows.map((row) => [row.no, { ...row, postings: [] as Posting[] }]))
    const found = first && last ? postingsOfMany.all({ first: first.no, last: last.no }) : []
    for (const { no, account, amount } of found) entries.get(no)?.postings.push({ account, amount })
    return [...entries.values()]
  }
  function* entriesAfter(no: number, last = Number.MAX_SAFE_INTEGER): Generator<LedgerEntry> {
    const limit = 1000
    for (let from = no; ;) {
      const rows = after.all({ no: from, last, limit })
      yield* withPostings(rows)
      const end = rows.at(-1)
      if (!end || rows.length < limit) return
      from = end.no
    }
  }

  return {
    append({ postings: movements, ...entry }) {
      append.run(entry)
      for (const { account, amount } of movements) post.run({ no: entry.no, account, amount })
    },
    head: () => head.get(),
    hashOf: (no) => hashOf.get({ no }),
    entriesAfter,
  }
}

/** The balance of each account. */
function balanceQueries(
  database: Database,
): Pick<LedgerRepository, 'balance' | 'move' | 'balances'> {
  const balance = database
    .prepare<{ mode: Mode; name: string }, Cents>(
      'SELECT balance FROM ledger_accounts WHERE mode = @mode AND name = @name',
    )
    .pluck()
  const move = database
    .prepare<{ mode: Mode; name: string; amount: Cents }, Cents>(
      `
    INSERT INTO ledger_accounts (mode, name, balance) VALUES (@mode, @name, @amount)
    ON CONFLICT (mode, name) DO UPDATE SET balance = balance + excluded.balance RETURNING balance`,
    )
    .pluck()
  const balances = database.prepare<[], LedgerBalance>(
    'SELECT mode, name AS account, balance FROM ledger_accounts ORDER BY mode, name',
  )

  return {
    balance: (mode, account) => balance.get({ mode, name: account }) ?? ZERO,
    move(mode, account, amount) {
      const moved = move.get({ mode, name: account, amount })
      if (moved === undefined) throw new Error(`account ${account} didn't move`)
      return moved
    },
    balances: () => balances.all(),
  }
}

/** Checkpoints of the chain. */
function checkpointQueries(
  database: Database,
): Pick<LedgerRepository, 'lastCheckpoint' | 'addCheckpoint'> {
  const checkpoint = database.prepare<[], { entryNo: number; hash: Uint8Array; balances: string }>(
    'SELECT entry_no AS entryNo, hash, balances FROM ledger_checkpoints ORDER BY entry_no DESC LIMIT 1',
  )
  const addCheckpoint = database.prepare<{ entryNo: number; hash: Uint8Array; balances: string }>(
    'INSERT OR REPLACE INTO ledger_checkpoints (entry_no, hash, balances) VALUES (@entryNo, @hash, @balances)',
  )

  return {
    lastCheckpoint() {
      const row = checkpoint.get()
      return row && { ...row, balances: parsedBalances(row.balances) }
    },
    addCheckpoint: (point) =>
      void addCheckpoint.run({ ...point, balances: JSON.stringify(point.balances) }),
  }
}

/** A partner's entries. */
function partnerQueries(
  database: Database,
): Pick<LedgerRepository, 'partnerPage' | 'partnerCount'> {
  const postings = database.prepare<{ no: number }, Posting>(
    'SELECT account, amount FROM ledger_postings WHERE entry_no = @no ORDER BY account',
  )
  const ofPartner = `partner_id = @partnerId AND (@mode IS NULL OR mode = @mode)`
  const page = database.prepare<
    { partnerId: string; mode: Mode | null; offset: number; limit: number },
    Row
  >(
    `SELECT ${columns} FROM ledger_entries WHERE ${ofPartner} ORDER BY no DESC LIMIT @limit OFFSET @offset`,
  )
  const count = database
    .prepare<{ partnerId: string; mode: Mode | null }, number>(
      `SELECT count(*) FROM ledger_entries WHERE ${ofPartner}`,
    )
    .pluck()

  return {
    partnerPage: (partnerId, mode, offset, limit) =>
      page
        .all({ partnerId, mode: mode ?? null, offset, limit })
        .map((row) => ({ ...row, postings: postings.all({ no: row.no }) })),
    partnerCount: (partnerId, mode) => count.get({ partnerId, mode: mode ?? null }) ?? 0,
  }
}

export function createLedgerRepository(database: Database): LedgerRepository {
  return {
    ...entryQueries(database),
    ...balanceQueries(database),
    ...checkpointQueries(database),
    ...partnerQueries(database),
  }
}

function parsedBalances(text: string): LedgerCheckpoint['balances'] {
  return JSON.parse(text) as LedgerBalance[]
}
