import type { Database } from 'better-sqlite3'
import { thinDaily } from '../../mirror/mirror.ts'
import type { ProductFacts } from './product-facts.ts'
import { startListing, finishListing, dropLateIndexes } from './indexes.ts'
import { copyDetails, copyNewDetails } from '../sync/partner-details.ts'
import type { DetailSourceFile } from '../sync/partner-details.ts'
import type { PageProducts, PartnerPage, SellerPage } from '../sync/page-source.ts'
import { PRODUCT_HISTORY } from '../schema.ts'
import { applyOwnOffers } from '../sync/own-offers.ts'
import type { OwnOffer } from '../sync/own-offers.ts'
import { productWriter } from '../store.ts'
import { readSyncState, writeSyncState } from '../sync/sync-state.ts'
import type { SyncState } from '../sync/sync-state.ts'

/**
 * Every write to the catalogue database. Each command is one transaction, or several that can stop
 * between any two and resume later.
 */
export type Command =
  | { do: 'start' }
  /**
   * Pages of a partner's listing, in order, and the cursor behind them. `ended`: the service has no
   * more pages.
   */
  | { do: 'partner'; pages: readonly PartnerPage[]; ended: boolean; at: number }
  /** The service rejected the cursor: the next page is the first of a new listing. */
  | { do: 'restart-listing' }
  /** A page of a seller's listing. `inRotation`: the next pass starts after this page. */
  | {
      do: 'seller'
      page: SellerPage
      number: number
      inRotation: boolean
      ended: boolean
      at: number
    }
  /** A pass of the rotation has finished. */
  | { do: 'finish-seller-pass'; at: number }
  | { do: 'finish' }
  | { do: 'copy-details'; lender: DetailSourceFile | null }
  | { do: 'copy-new-details'; lender: DetailSourceFile; productIds: readonly string[] }
  | { do: 'own-offers'; offers: readonly OwnOffer[] }
  | { do: 'thin-history'; now: number }

export type PagesWritten = { state: SyncState; changed: boolean; added: string[] }
/** Result of each command. Copying details returns the number of changed products. */
export type CommandResults = {
  start: SyncState
  partner: PagesWritten
  'restart-listing': null
  seller: PagesWritten
  'finish-seller-pass': null
  finish: null
  'copy-details': number
  'copy-new-details': number
  'own-offers': null
  'thin-history': null
}

/**
 * Executes a command wherever the catalogue database can be written. If `signal` aborts, it stops
 * early and keeps the work done so far.
 */
export type Execute = <What extends Command['do']>(
  deed: Extract<Command, { do: What }>,
  signal: AbortSignal,
) => Promise<CommandResults[What]>

export type CommandContext = {
  /** The catalogue database, alone or attached to an account's connection. */
  db: Database
  products: (held: PageProducts) => readonly ProductFacts[]
  lender: (file: DetailSourceFile) => Database
}

/** Executes a command in the calling thread. */
export async function execute(
  { db, products, lender }: CommandContext,
  deed: Command,
  signal: AbortSignal,
): Promise<CommandResults[Command['do']]> {
  switch (deed.do) {
    case 'start': {
      const state = readSyncState(db)
      if (!state.complete) startListing(db)
      return state
    }
    case 'partner':
      return writePartner(db, deed, products)
    case 'restart-listing':
      writeSyncState(db, {
        ...readSyncState(db),
        cursor: null,
        complete: false,
        done: 0,
        total: null,
      })
      return null
    case 'seller':
      return writeSeller(db, deed, products)
    case 'finish-seller-pass':
      db.transaction(() =>
        writeSyncState(db, { ...readSyncState(db), lastAt: deed.at }),
      ).immediate()
      return null
    case 'finish':
      await finishListing(db, signal)
      return null
    case 'copy-details':
      return copyDetails(
        db,
        deed.lender === null ? null : { accountId: deed.lender.accountId, db: lender(deed.lender) },
        signal,
      )
    case 'copy-new-details':
      return copyNewDetails(db, lender(deed.lender), deed.productIds)
    case 'own-offers':
      db.transaction(() => applyOwnOffers(db, deed.offers)).immediate()
      return null
    case 'thin-history':
      await thinDaily(db, PRODUCT_HISTORY, deed.now, signal)
      return null
  }
}

function writePartner(
  db: Database,
  { pages, ended, at }: Extract<Command, { do: 'partner' }>,
  products: CommandContext['products'],
): PagesWritten {
  const nextCursor = pages.findLast((page) => page.nextCursor !== null)?.nextCursor
  const total = pages.find((page) => page.total !== null)?.total
  if (readSyncState(db).cursor === null) dropLateIndexes(db, total ?? null)
  return db
    .transaction(() => {
      const before = readSyncState(db)
      const beginsListing = before.cursor === null
      const state: SyncState = {
        ...before,
        cursor: nextCursor ?? before.cursor,
        round: beginsListing ? before.round + 1 : before.round,
        done:
          (beginsListing || before.complete ? 0 : before.done) +
          pages.reduce((sum, { count }) => sum + count, 0),
        total: total ?? before.total,
        seq: before.seq + 1,
      }
      const writer = productWriter(db)
      const seen = { at, round: state.round, page: null, seq: state.seq }
      const { changed, added } = writer.put(
        pages.flatMap((page) => products(page.products)),
        seen,
      )
      let gone = 0
      if (ended) {
        if (!before.complete) gone = writer.removeUnseen(state.round, seen)
        state.complete = true
        state.lastAt = at
        if (!before.complete) state.total = state.done
      }
      writeSyncState(db, state)
      return { state, changed: changed || gone > 0, added }
    })
    .immediate()
}

function writeSeller(
  db: Database,
  { page, number, inRotation, ended, at }: Extract<Command, { do: 'seller' }>,
  products: CommandContext['products'],
): PagesWritten {
  if (inRotation && number === 1) dropLateIndexes(db, page.total)
  return db
    .transaction(() => {
      const before = readSyncState(db)
      const beginsRound = inRotation && number === 1
      const state: SyncState = {
        ...before,
        seq: before.seq + 1,
        total: page.total ?? before.total,
        round: beginsRound ? before.round + 1 : before.round,
      }
      const writer = productWriter(db)
      const seen = { at, round: state.round, page: number, seq: state.seq }
      const { changed, added } = writer.put(products(page.products), seen)
      let gone = 0
      if (inRotation) {
        state.done = (beginsRound ? 0 : before.done) + page.count
        state.page = ended ? 1 : number + 1
        if (ended) {
          gone = writer.removeUnseen(state.round - 1, seen)
          state.complete = true
          state.lastAt = at
          state.total = state.done
        }
      }
      writeSyncState(db, state)
      return { state, changed: changed || gone > 0, added }
    })
    .immediate()
}
