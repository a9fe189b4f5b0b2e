import { sellerFacts } from './facts.ts'
import { beginListing, finishListing, leaveIndexes } from './indexes.ts'
import type { SyncPass } from './partner-sync.ts'
import { PAGE_LIMIT } from './partner-sync.ts'
import { productWriter } from './store.ts'
import { readSyncState, writeSyncState } from './sync-state.ts'
import type { SyncState } from './sync-state.ts'

/** Pages of one pass after the first listing: at 600 requests a minute half a minute's worth, at most once every five minutes. */
const ROTATION_PAGES = 300

/**
 * Reads the seller's view of the catalogue page by page (Seller API, GET /products: no cursor there). The first listing goes through
 * to the end, from the page where it was cut off. Later passes read the pages that hold own offers first, then go on in rotation from
 * where the last one stopped. A page and the place of the next are one transaction. Products move between pages while they are read,
 * so only one that two whole rounds haven't shown is marked as removed. `added` is told of products that are new here.
 */
export async function syncSellerCatalogue(pass: SyncPass & { added: (productIds: string[]) => void }): Promise<void> {
  if (readSyncState(pass.db).complete) {
    for (const page of pagesOfOwnOffers(pass)) await readPage(pass, page, false)
  }
  const first = !readSyncState(pass.db).complete
  if (first) beginListing(pass.db)
  for (let read = 0; first || read < ROTATION_PAGES; read += 1) {
    const { ended } = await readPage(pass, readSyncState(pass.db).page, true)
    if (ended) break
  }
  if (!first) pass.db.transaction(() => writeSyncState(pass.db, { ...readSyncState(pass.db), lastAt: pass.now() }))()
  await finishListing(pass.db, pass.signal)
}

const pagesOfOwnOffers = (pass: SyncPass): number[] =>
  pass.db.prepare('SELECT DISTINCT page FROM products WHERE offer_id IS NOT NULL AND page IS NOT NULL AND removed = 0 ORDER BY page').pluck().all() as number[]

async function readPage(pass: SyncPass & { added: (productIds: string[]) => void }, page: number, inRotation: boolean): Promise<{ ended: boolean }> {
  const answer = await pass.line.call('listSellerProducts', { query: { page, limit: PAGE_LIMIT } }, { priority: 'background', signal: pass.signal })
  pass.signal.throwIfAborted()
  const results = answer.results ?? []
  // The envelope isn't certain (Decision 33): a page that isn't full is the last one in any case.
  const ended = answer.hasMore === undefined ? results.length < PAGE_LIMIT : !answer.hasMore
  const at = pass.now()
  if (inRotation && page === 1) leaveIndexes(pass.db, answer.total ?? null)
  let changed = false
  const added: string[] = []
  const state = pass.db.transaction(() => {
    const before = readSyncState(pass.db)
    const beginsRound = inRotation && page === 1
    const state: SyncState = { ...before, seq: before.seq + 1, total: answer.total ?? before.total, round: beginsRound ? before.round + 1 : before.round }
    const writer = productWriter(pass.db)
    const seen = { at, round: state.round, page, seq: state.seq }
    const outcome = writer.put(results.map(sellerFacts), seen)
    changed = outcome.changed
    added.push(...outcome.added)
    if (inRotation) {
      state.done = (beginsRound ? 0 : before.done) + results.length
      state.page = ended ? 1 : page + 1
      if (ended) {
        if (writer.removeUnseen(state.round - 1, seen) > 0) changed = true
        state.complete = true
        state.lastAt = at
        state.total = state.done
      }
    }
    writeSyncState(pass.db, state)
    return state
  })()
  if (added.length > 0) pass.added(added)
  pass.page(state, changed)
  return { ended }
}
