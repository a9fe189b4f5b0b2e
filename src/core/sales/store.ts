import type { Database } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import { createListingStore } from '../polling/polling.ts'
import { nextReadAt } from './sync/facts.ts'
import type { SaleFacts } from './sync/facts.ts'
import { perDatabase } from '../mirror/mirror.ts'

/** A sale as stored. Booleans are 0 and 1. */
export type SaleRecord = {
  sale_id: string
  offer_id: string | null
  product_id: string | null
  name: string
  order_id: string | null
  key_id: string | null
  price_cents: Cents | null
  customer_cents: Cents | null
  status: string
  held: number
  dispute_id: string | null
  sold_at: number | null
  release_at: number | null
  released_at: number | null
  seen_at: number
  look_at: number | null
  pass: number
}

/** The state of one of a sale's disputes. `state` changes whenever the dispute does. */
export type SaleDispute = {
  saleId: string
  disputeId: string
  unresolved: boolean
  state: string
  openedAt: number | null
}

const COLUMNS = [
  'offerId',
  'productId',
  'name',
  'nameKey',
  'orderId',
  'keyId',
  'priceCents',
  'customerCents',
  'status',
  'soldAt',
  'releaseAt',
  'releasedAt',
] as const
const isOther = (before: SaleRecord, now: SaleFacts): boolean =>
  before.status !== now.status ||
  before.released_at !== now.releasedAt ||
  before.release_at !== now.releaseAt ||
  before.price_cents !== now.priceCents ||
  before.customer_cents !== now.customerCents ||
  before.name !== now.name ||
  before.sold_at !== now.soldAt ||
  before.offer_id !== now.offerId ||
  before.product_id !== now.productId ||
  before.order_id !== now.orderId ||
  before.key_id !== now.keyId
const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** SQL: whether a sale has an unresolved dispute, and the dispute that it shows. */
const HELD = 'coalesce((SELECT max(unresolved) FROM sale_disputes WHERE sale_id = :saleId), 0)'
const SHOWN_DISPUTE = `(SELECT dispute_id FROM sale_disputes WHERE sale_id = :saleId
  ORDER BY unresolved DESC, opened_at DESC, dispute_id DESC LIMIT 1)`

/** The sales of one mirror. */
export const saleStore: (db: Database) => SaleStore = perDatabase((db) => ({
  ...createSaleStore(db),
  db,
}))
export type SaleStore = ReturnType<typeof createSaleStore> & { readonly db: Database }

function createSaleStore(db: Database) {
  const one = db.prepare<{ saleId: string }, SaleRecord>(
    'SELECT * FROM sales WHERE sale_id = :saleId',
  )
  const names = COLUMNS.map(snake)
  const upsert = db.prepare(`
    INSERT INTO sales (sale_id, ${names.join(', ')}, text_id, key_fingerprint, seen_at, look_at, pass, held, dispute_id)
    VALUES (:saleId, ${COLUMNS.map((column) => `:${column}`).join(', ')}, (SELECT text_id
      FROM sale_texts WHERE text = :text), :fingerprint, :now, :lookAt, :pass,
      ${HELD}, ${SHOWN_DISPUTE})
    ON CONFLICT (sale_id) DO UPDATE SET ${names.map((column) => `${column} = excluded.${column}`).join(', ')},
      text_id = excluded.text_id, key_fingerprint = coalesce(excluded.key_fingerprint, key_fingerprint),
        seen_at = excluded.seen_at, look_at = excluded.look_at`)
  const addText = db.prepare('INSERT OR IGNORE INTO sale_texts (text) VALUES (:text)')
  const disputeOf = db.prepare<{ disputeId: string }, { sale_id: string; state: string }>(
    'SELECT sale_id, state FROM sale_disputes WHERE dispute_id = :disputeId',
  )
  const putDispute = db.prepare(`
    INSERT INTO sale_disputes (dispute_id, sale_id, unresolved, state, opened_at)
    VALUES (:disputeId, :saleId, :unresolved, :state, :openedAt)
    ON CONFLICT (dispute_id) DO UPDATE SET sale_id = excluded.sale_id,
      unresolved = excluded.unresolved, state = excluded.state, opened_at = excluded.opened_at
    WHERE (sale_id, unresolved, state, opened_at) IS NOT (excluded.sale_id, excluded.unresolved,
      excluded.state, excluded.opened_at)`)
  const removeDispute = db.prepare('DELETE FROM sale_disputes WHERE dispute_id = :disputeId')
  const markSale = db.prepare(
    `UPDATE sales SET held = ${HELD}, dispute_id = ${SHOWN_DISPUTE},
      look_at = coalesce(:lookAt, look_at) WHERE sale_id = :saleId`,
  )
  const due = db.prepare<{ now: number }, { sale_id: string; sold_at: number }>(`
    SELECT sale_id, sold_at FROM sales WHERE look_at <= :now AND sold_at IS NOT NULL ORDER BY look_at LIMIT 1`)
  const rank = db.prepare<{ saleId: string; soldAt: number }, { newer: number }>(`
    SELECT (SELECT count(*) FROM sales WHERE sold_at > :soldAt) + (SELECT count(*) FROM sales
      WHERE sold_at = :soldAt AND sale_id < :saleId) AS newer`)
  const postpone = db.prepare('UPDATE sales SET look_at = :at WHERE sale_id = :saleId')
  const sync = db.prepare<
    [],
    { sweep_page: number; sweep_began: number | null; told: number | null }
  >('SELECT sweep_page, sweep_began, told FROM sales_sync')
  const setSweep = db.prepare('UPDATE sales_sync SET sweep_page = :page, sweep_began = :began')
  const state = () => sync.get() ?? { sweep_page: 1, sweep_began: null, told: null }
  const count = db.prepare<[], number>('SELECT count(*) FROM sales').pluck()

  return {
    transaction: <Result>(work: () => Result): Result => db.transaction(work)(),
    find: (saleId: string): SaleRecord | undefined => one.get({ saleId }),
    /**
     * Writes a sale as reported by the service; returns whether anything but the reading time
     * changed, and in which pass it was first seen.
     */
    put(
      facts: SaleFacts,
      fingerprint: Buffer | null,
      pass: number,
      now: number,
      serviceNow: number,
    ): { changed: boolean; pass: number } {
      const before = one.get({ saleId: facts.saleId })
      const { keySha256: _hash, ...row } = facts
      addText.run({ text: facts.text })
      upsert.run({ ...row, fingerprint, pass, now, lookAt: nextReadAt(facts, serviceNow) })
      return before === undefined
        ? { changed: true, pass }
        : { changed: isOther(before, facts), pass: before.pass }
    },
    /**
     * Records a dispute and marks its sale with it. Returns whether the dispute's state is new; its
     * sale is then read again.
     */
    recordDispute({ unresolved, ...dispute }: SaleDispute, at: number): boolean {
      const { saleId, disputeId, state: now } = dispute
      const known = disputeOf.get({ disputeId })
      const { changes } = putDispute.run({ ...dispute, unresolved: Number(unresolved) })
      if (changes === 0) return false
      const isNew = known?.sale_id !== saleId || known.state !== now
      for (const id of new Set([known?.sale_id ?? saleId, saleId]))
        markSale.run({ saleId: id, lookAt: isNew ? at : null })
      return isNew
    },
    /** Removes a dispute; its sale is read again. Returns that sale's id; null if unknown. */
    forgetDispute(disputeId: string, at: number): string | null {
      const known = disputeOf.get({ disputeId })
      if (known === undefined) return null
      removeDispute.run({ disputeId })
      markSale.run({ saleId: known.sale_id, lookAt: at })
      return known.sale_id
    },
    /**
     * The sale that has been due for the longest time, and the number of sales before it in the
     * service's list (newest first, then by id).
     */
    due(now: number): { saleId: string; newer: number } | null {
      const row = due.get({ now })
      return row === undefined
        ? null
        : {
            saleId: row.sale_id,
            newer: rank.get({ saleId: row.sale_id, soldAt: row.sold_at })?.newer ?? 0,
          }
    },
    postpone: (saleId: string, at: number): void => void postpone.run({ saleId, at }),
    ...createListingStore(db, 'sales_sync'),
    /** Number of sales that the service reports; null if it doesn't. */
    reportedTotal: (): number | null => state().told,
    setReportedTotal: (told: number | null): void =>
      void db.prepare('UPDATE sales_sync SET told = :told').run({ told }),
    sweep: (): { page: number; began: number | null } => ({
      page: state().sweep_page,
      began: state().sweep_began,
    }),
    setSweep: (page: number, began: number | null): void => void setSweep.run({ page, began }),
    unseenSince: (since: number): number =>
      db
        .prepare('SELECT count(*) FROM sales WHERE seen_at < :since')
        .pluck()
        .get({ since }) as number,
    dropUnseenSince: (since: number): void =>
      void db.prepare('DELETE FROM sales WHERE seen_at < :since').run({ since }),
    count: (): number => count.get() ?? 0,
  }
}
