import type { Database } from 'better-sqlite3'
import type { Cents } from '../api/money.ts'
import type {
  MarketActor,
  MarketCounts,
  MarketEventRow,
  MarketRepository,
  MarketRun,
} from '../domain/ports/market.ts'
import type { RowCache } from './row-cache.ts'
import { offerColumns, type OfferRow, offerRecord } from './offers/offer-columns.ts'

type RunRow = Omit<MarketRun, 'running' | 'seed' | 'counts'> & {
  running: 0 | 1
  seed: string
  counts: string
}
type ActorRow = Omit<MarketActor, 'newcomer'> & { newcomer: 0 | 1 }

/** Most rows that a search for a seller's next offers reads. */
const MAX_SCANNED = 400

const outsideSellers = `SELECT id FROM sellers WHERE id NOT IN (SELECT account_id FROM market_actors)`

/** The present or last run. */
function runQueries(database: Database): Pick<MarketRepository, 'run' | 'save'> {
  const run = database.prepare<[], RunRow>(`
    SELECT running, seed, intensity, sellers, customers, since, planned_until AS plannedUntil,
      ids_made AS idsMade, counts
    FROM market_run`)
  const save = database.prepare<RunRow>(`
    INSERT INTO market_run (one, running, seed, intensity, sellers, customers, since, planned_until, ids_made, counts)
    VALUES (1, @running, @seed, @intensity, @sellers, @customers, @since, @plannedUntil, @idsMade, @counts)
    ON CONFLICT (one) DO UPDATE SET running = excluded.running, seed = excluded.seed, intensity = excluded.intensity,
      sellers = excluded.sellers, customers = excluded.customers, since = excluded.since,
      planned_until = excluded.planned_until, ids_made = excluded.ids_made, counts = excluded.counts`)

  return {
    run() {
      const row = run.get()
      return (
        row && {
          ...row,
          running: row.running === 1,
          seed: JSON.parse(row.seed) as string | number,
          counts: JSON.parse(row.counts) as MarketCounts,
        }
      )
    },
    save: ({ running, seed, counts, ...rest }) =>
      void save.run({
        ...rest,
        running: running ? 1 : 0,
        seed: JSON.stringify(seed),
        counts: JSON.stringify(counts),
      }),
  }
}

/** The accounts that the market operates. */
function actorQueries(
  database: Database,
  cache: RowCache,
): Pick<MarketRepository, 'addActor' | 'actors'> {
  const addActor = database.prepare<ActorRow>(
    'INSERT INTO market_actors (kind, account_id, newcomer) VALUES (@kind, @accountId, @newcomer)',
  )
  const actors = database.prepare<{ kind: string }, ActorRow>(
    'SELECT kind, account_id AS accountId, newcomer FROM market_actors WHERE kind = @kind ORDER BY no',
  )

  return {
    addActor(actor) {
      addActor.run({ ...actor, newcomer: actor.newcomer ? 1 : 0 })
      cache.actors.clear()
      cache.contestedProducts.clear()
    },
    actors(kind) {
      const known =
        cache.actors.get(kind) ??
        actors.all({ kind }).map((row) => ({ ...row, newcomer: row.newcomer === 1 }))
      cache.actors.set(kind, known)
      return [...known]
    },
  }
}

/** Scheduled events. */
function eventQueries(
  database: Database,
): Pick<
  MarketRepository,
  'schedule' | 'wakeDispute' | 'nextEvent' | 'nextEventAt' | 'removeEvent' | 'clearEvents'
> {
  const schedule = database.prepare<{
    at: number
    event: string
    disputeId: string | null
    wakeMs: number | null
  }>(
    `INSERT INTO market_events (at, event, dispute_id, wake_ms)
      VALUES (@at, @event, @disputeId, @wakeMs)`,
  )
  const wakeDispute = database.prepare<{ disputeId: string; at: number }>(
    `UPDATE market_events SET at = min(at, @at + wake_ms), dispute_id = NULL, wake_ms = NULL
      WHERE dispute_id = @disputeId`,
  )
  const nextEvent = database.prepare<[], MarketEventRow>(
    'SELECT no, at, event FROM market_events ORDER BY at, no LIMIT 1',
  )
  const nextEventAt = database
    .prepare<[], number | null>('SELECT min(at) FROM market_events')
    .pluck()
  const removeEvent = database.prepare<{ no: number }>('DELETE FROM market_events WHERE no = @no')
  const clearEvents = database.prepare('DELETE FROM market_events')

  return {
    schedule: (at, event, wake) =>
      void schedule.run({
        at,
        event,
        disputeId: wake?.disputeId ?? null,
        wakeMs: wake?.afterMs ?? null,
      }),
    wakeDispute: (disputeId, at) => void wakeDispute.run({ disputeId, at }),
    nextEvent: () => nextEvent.get(),
    nextEventAt: () => nextEventAt.get() ?? null,
    removeEvent: (no) => void removeEvent.run({ no }),
    clearEvents: () => void clearEvents.run(),
  }
}

/** The usual price of each product. */
function priceQueries(database: Database): Pick<MarketRepository, 'usualPrice' | 'setUsualPrice'> {
  const usual = database
    .prepare<{ productId: string }, Cents>(
      'SELECT usual FROM market_prices WHERE product_id = @productId',
    )
    .pluck()
  const setUsual = database.prepare<{ productId: string; usual: Cents }>(
    `INSERT INTO market_prices (product_id, usual) VALUES (@productId, @usual)
      ON CONFLICT DO UPDATE SET usual = excluded.usual`,
  )

  return {
    usualPrice: (productId) => usual.get({ productId }),
    setUsualPrice: (productId, price) => void setUsual.run({ productId, usual: price }),
  }
}

/** Products that sellers outside the market also offer. */
function contestedQueries(
  database: Database,
  cache: RowCache,
): Pick<MarketRepository, 'contestedProducts' | 'contestedOffers'> {
  const contested = database
    .prepare<{ limit: number }, string>(
      `
    SELECT product_id FROM offers WHERE seller_id IN (${outsideSellers}) AND deleted_at IS NULL
    GROUP BY product_id ORDER BY min(no) LIMIT @limit`,
    )
    .pluck()
  // Joins from the few products to the seller's offers. The other way round would read all of the
  // seller's offers.
  const contestedBySeller = database.prepare<{ sellerId: string; products: string }, OfferRow>(`
    SELECT ${offerColumns} FROM (SELECT value AS contested FROM json_each(@products))
      CROSS JOIN offers ON seller_id = @sellerId AND product_id = contested AND deleted_at IS NULL
    ORDER BY no`)
  function productsContested(limit: number): readonly string[] {
    const known = cache.contestedProducts.get(limit) ?? contested.all({ limit })
    cache.contestedProducts.set(limit, known)
    return known
  }

  return {
    contestedProducts: (limit) => [...productsContested(limit)],
    contestedOffers: (sellerId, limit) =>
      contestedBySeller
        .all({ sellerId, products: JSON.stringify(productsContested(limit)) })
        .map(offerRecord),
  }
}

/** Offers and products by their row numbers. */
function positionQueries(
  database: Database,
): Pick<MarketRepository, 'offersFrom' | 'lastOfferNo' | 'productAt' | 'productCount'> {
  const offersFrom = database.prepare<{ sellerId: string; no: number; limit: number }, OfferRow>(`
    SELECT ${offerColumns} FROM offers NOT INDEXED WHERE no BETWEEN @no AND @no + ${MAX_SCANNED}
      AND seller_id = @sellerId AND deleted_at IS NULL ORDER BY no LIMIT @limit`)
  const lastOfferNo = database.prepare<[], number | null>('SELECT max(no) FROM offers').pluck()
  const productAt = database
    .prepare<{ no: number }, string>('SELECT id FROM products WHERE no = @no')
    .pluck()
  const productCount = database.prepare<[], number | null>('SELECT max(no) FROM products').pluck()

  return {
    offersFrom: (sellerId, no, limit) => offersFrom.all({ sellerId, no, limit }).map(offerRecord),
    lastOfferNo: () => lastOfferNo.get() ?? 0,
    productAt: (no) => productAt.get({ no }),
    productCount: () => productCount.get() ?? 0,
  }
}

export function createMarketRepository(database: Database, cache: RowCache): MarketRepository {
  return {
    ...runQueries(database),
    ...actorQueries(database, cache),
    ...eventQueries(database),
    ...priceQueries(database),
    ...contestedQueries(database, cache),
    ...positionQueries(database),
  }
}
