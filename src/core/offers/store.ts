import type { Database, Statement } from 'better-sqlite3'
import type { Cents } from '../../../server/api/money.ts'
import type { Problem } from '../../contract/base.ts'
import { noteOwnOffers } from '../catalogue/catalogue.ts'
import { createEmitter } from '../lifecycle/lifecycle.ts'
import { perDatabase, sortKey, wordIndex, wordsOfNamed } from '../mirror/mirror.ts'
import { leadOf } from './sync/facts.ts'
import type { OfferFacts } from './sync/facts.ts'
import { OFFER_WORDS } from './schema.ts'
import { readProblem } from '../stored-problem.ts'

/** An offer as stored. Booleans are 0 and 1. */
export type OfferRecord = {
  rid: number
  offer_id: string
  product_id: string | null
  name: string
  name_key: string
  platform: string
  region: string
  product_type: string
  delivery_type: string
  price_cents: Cents
  customer_cents: Cents
  commission_class: string | null
  commission_percent: number | null
  status: string
  stock: number
  sold: number | null
  is_cheapest: number | null
  lowest_customer_cents: Cents | null
  lead_cents: Cents | null
  /** Its product left the catalogue. */
  unavailable: number
  cost_cents: Cents | null
  low_at: number | null
  /** The offer's own limits, in the amount that the seller receives. */
  floor_cents: Cents | null
  ceiling_cents: Cents | null
  updated_at: number | null
  seen_at: number
  asked_at: number | null
  service_ahead: number
}

/**
 * When a response was read, in this computer's time: it describes a moment between both. `askedAt`
 * is null if only the time of the response is known.
 * `serviceAhead`: how far the service's clock was ahead then, in milliseconds.
 */
export type ReadTime = { askedAt: number | null; seenAt: number; serviceAhead: number }

export type OfferStatus = 'active' | 'paused'

/** A change that a person requested: being sent, or rejected. */
export type OfferChange = {
  offerId: string
  state: 'saving' | 'refused'
  priceCents: Cents | null
  status: OfferStatus | null
  problem: Problem | null
}

export interface OfferStore {
  readonly db: Database
  find(offerId: string): OfferRecord | undefined
  /**
   * Writes an offer as the service reports it. Returns whether anything except the time of reading
   * changed, and passes the previous record to `changed`. Call inside a transaction.
   */
  put(
    facts: OfferFacts,
    readTime: ReadTime,
    round: number,
    changed?: (before: OfferRecord) => void,
  ): boolean
  /** Removes an offer that the service no longer has, with its history and pending change. */
  drop(offerId: string): void
  history(rid: number): {
    at: number
    price_cents: Cents
    /** Null if an earlier version recorded the reading. */
    customer_cents: Cents | null
    lowest_customer_cents: Cents | null
    is_cheapest: number | null
    stock: number
  }[]
  /** Ids of offers that no reading since `round` included. */
  unseen(round: number, limit: number): string[]
  writeChange(change: OfferChange, at: number): void
  endChange(offerId: string): void
  change(offerId: string): OfferChange | undefined
  /** Changes whose outcome is unknown. */
  openChanges(): OfferChange[]
  sync(): { round: number; pages: number; lastAt: number | null }
  writeSync(state: { round: number; pages: number; lastAt: number | null }): void
  count(): number
}

/** The columns that every reading writes. */
const READ_COLUMNS = ['asked_at', 'seen_at', 'service_ahead', 'round'] as const

const COMPARED_COLUMNS = [
  'product_id',
  'name',
  'platform',
  'region',
  'product_type',
  'delivery_type',
  'price_cents',
  'customer_cents',
  'commission_class',
  'commission_percent',
  'status',
  'stock',
  'sold',
  'is_cheapest',
  'lowest_customer_cents',
  'lead_cents',
  'unavailable',
  'updated_at',
] as const
/** Copies of the journal's terms. */
const TERM_COLUMNS = ['cost_cents', 'low_at', 'floor_cents', 'ceiling_cents'] as const
const HISTORY_COLUMNS = [
  'price_cents',
  'customer_cents',
  'lowest_customer_cents',
  'is_cheapest',
  'stock',
] as const

type ChangeRow = {
  offer_id: string
  state: 'saving' | 'refused'
  price_cents: Cents | null
  status: OfferStatus | null
  problem: string | null
}
const changeOf = (row: ChangeRow): OfferChange => ({
  offerId: row.offer_id,
  state: row.state,
  priceCents: row.price_cents,
  status: row.status,
  problem: readProblem(row.problem),
})

const versions = new WeakMap<Database, number>()

/**
 * Increases whenever an offer is added, removed or changed, which invalidates cached counts and
 * orders. Times of reading don't count.
 */
export const offersVersion = (db: Database): number => versions.get(db) ?? 0
const noteOffersChanged = (db: Database): void => void versions.set(db, offersVersion(db) + 1)

const changedIds = new WeakMap<Database, Set<string>>()
const changedIdsOf = (db: Database): Set<string> => {
  const ids = changedIds.get(db) ?? new Set<string>()
  changedIds.set(db, ids)
  return ids
}
/** Fires when the local terms of an offer change, inside the transaction that changes them. */
export const termsChanged = perDatabase(() => createEmitter<[]>())
/** Notes that the local terms of an offer changed, so that its limits are applied again. */
export function noteTermsChanged(db: Database, offerId: string): void {
  noteOffersChanged(db)
  changedIdsOf(db).add(offerId)
  termsChanged(db).emit()
}
/** Offers that are new or changed since the last call. */
export function takeChangedIds(db: Database): string[] {
  const ids = changedIdsOf(db)
  const taken = [...ids]
  ids.clear()
  return taken
}

/** The offers of one mirror. */
export const offerStore = perDatabase(createOfferStore)

function createOfferStore(db: Database): OfferStore {
  const words = wordIndex(db, OFFER_WORDS)
  const find: Statement = db.prepare('SELECT * FROM offers WHERE offer_id = :offerId')
  const columns = ['offer_id', 'name_key', ...COMPARED_COLUMNS, ...READ_COLUMNS]
  const term = (column: string): string =>
    `(SELECT ${column} FROM offer_terms WHERE offer_id = :offer_id)`
  const insert = db.prepare(`
    INSERT INTO offers (${[...columns, ...TERM_COLUMNS].join(', ')})
    VALUES (${[...columns.map((column) => `:${column}`), ...TERM_COLUMNS.map(term)].join(', ')})`)
  const update = db.prepare(
    `UPDATE offers SET ${columns.map((column) => `${column} = :${column}`).join(', ')} WHERE rid = :rid`,
  )
  /**
   * Most readings change nothing. They take one statement with positional values, because binding
   * by name takes as long as all the rest.
   */
  const touch = db.prepare(
    `UPDATE offers SET ${READ_COLUMNS.map((column) => `${column} = ?`).join(', ')}
      WHERE offer_id = ? AND ${COMPARED_COLUMNS.map((column) => `${column} IS ?`).join(' AND ')}`,
  )
  const remember = db.prepare(`
    INSERT OR REPLACE INTO offer_history (rid, at, ${HISTORY_COLUMNS.join(', ')})
    VALUES (:rid, :seen_at, ${HISTORY_COLUMNS.map((column) => `:${column}`).join(', ')})`)
  const history: Statement = db.prepare(
    `SELECT at, ${HISTORY_COLUMNS.join(', ')} FROM offer_history WHERE rid = :rid ORDER BY at`,
  )
  const sync: Statement = db.prepare('SELECT round, pages, last_at AS lastAt FROM offers_sync')
  const changeRow: Statement = db.prepare('SELECT * FROM offer_changes WHERE offer_id = :offerId')

  return {
    db,
    find: (offerId) => find.get({ offerId }) as OfferRecord | undefined,
    put(facts, { askedAt, seenAt, serviceAhead }, round, changed) {
      const said = {
        offer_id: facts.offerId,
        product_id: facts.productId,
        name: facts.name,
        platform: facts.platform,
        region: facts.region,
        product_type: facts.productType,
        delivery_type: facts.deliveryType,
        price_cents: facts.priceCents,
        customer_cents: facts.customerCents,
        commission_class: facts.commission?.class ?? null,
        commission_percent: facts.commission?.percent ?? null,
        status: facts.status,
        stock: facts.stock,
        sold: facts.sold,
        is_cheapest: facts.isCheapest === null ? null : Number(facts.isCheapest),
        lowest_customer_cents: facts.lowestCustomerCents,
        lead_cents: leadOf(facts),
        unavailable: Number(facts.unavailable ?? false),
        updated_at: facts.updatedAt,
        asked_at: askedAt,
        seen_at: seenAt,
        service_ahead: serviceAhead,
        round,
      }
      if (
        touch.run([
          ...READ_COLUMNS.map((column) => said[column]),
          facts.offerId,
          ...COMPARED_COLUMNS.map((column) => said[column]),
        ]).changes > 0
      )
        return false
      const before = this.find(facts.offerId)
      const now = { ...said, name_key: sortKey(facts.name) }
      noteOffersChanged(db)
      changedIdsOf(db).add(facts.offerId)
      const rid = before?.rid ?? Number(insert.run(now).lastInsertRowid)
      if (before !== undefined) {
        update.run({ ...now, rid })
        changed?.(before)
      }
      words.put(rid, wordsOfNamed(now), before === undefined ? [] : wordsOfNamed(before))
      if (before === undefined || HISTORY_COLUMNS.some((column) => before[column] !== now[column]))
        remember.run({ ...now, rid })
      if (before?.product_id !== now.product_id) {
        if (before?.product_id != null)
          noteOwnOffers(db, [{ productId: before.product_id, offerId: null }])
        if (now.product_id !== null)
          noteOwnOffers(db, [{ productId: now.product_id, offerId: now.offer_id }])
      }
      return true
    },
    drop(offerId) {
      const row = this.find(offerId)
      if (row === undefined) return
      noteOffersChanged(db)
      words.remove(row.rid, wordsOfNamed(row))
      db.prepare('DELETE FROM offers WHERE rid = :rid').run({ rid: row.rid })
      db.prepare('DELETE FROM offer_history WHERE rid = :rid').run({ rid: row.rid })
      this.endChange(offerId)
      if (row.product_id !== null) noteOwnOffers(db, [{ productId: row.product_id, offerId: null }])
    },
    history: (rid) => history.all({ rid }) as ReturnType<OfferStore['history']>,
    unseen: (round, limit) =>
      db
        .prepare('SELECT offer_id FROM offers WHERE round < :round LIMIT :limit')
        .pluck()
        .all({ round, limit }) as string[],
    writeChange(change, at) {
      db.prepare(
        `
        INSERT OR REPLACE INTO offer_changes (offer_id, state, price_cents, status, problem, written_at)
        VALUES (:offerId, :state, :priceCents, :status, :problem, :at)`,
      ).run({
        ...change,
        problem: change.problem === null ? null : JSON.stringify(change.problem),
        at,
      })
    },
    endChange(offerId) {
      db.prepare('DELETE FROM offer_changes WHERE offer_id = :offerId').run({ offerId })
    },
    change(offerId) {
      const row = changeRow.get({ offerId }) as ChangeRow | undefined
      return row === undefined ? undefined : changeOf(row)
    },
    openChanges: () =>
      (db.prepare("SELECT * FROM offer_changes WHERE state = 'saving'").all() as ChangeRow[]).map(
        changeOf,
      ),
    sync: () => sync.get() as ReturnType<OfferStore['sync']>,
    writeSync(state) {
      db.prepare('UPDATE offers_sync SET round = :round, pages = :pages, last_at = :lastAt').run(
        state,
      )
    },
    count: () => db.prepare('SELECT count(*) FROM offers').pluck().get() as number,
  }
}
