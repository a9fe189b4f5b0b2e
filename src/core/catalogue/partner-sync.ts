import type { Database } from 'better-sqlite3'
import type { AnswerBody } from '../../../server/api/handlers.ts'
import type { ServiceLine } from '../context.ts'
import { Failure } from '../failure.ts'
import { partnerFacts } from './facts.ts'
import { MANY, beginListing, finishListing, leaveIndexes } from './indexes.ts'
import { productWriter } from './store.ts'
import { readSyncState, writeSyncState } from './sync-state.ts'
import type { SyncState } from './sync-state.ts'

/** The largest page the API gives. */
export const PAGE_LIMIT = 100

/** Pages of a large first listing that are written together, where each was answered so quickly. */
const MOST_TOGETHER = 5
const QUICK_MS = 50

export type SyncPass = {
  db: Database
  line: Pick<ServiceLine, 'call'>
  now: () => number
  signal: AbortSignal
  /** After each committed page: whether a person could see a difference. */
  page: (state: SyncState, changed: boolean) => void
}

/**
 * Brings a partner's mirror up to date by keyset (Partner API, GET /products rules 2, 3 and 5): from the stored cursor, or from the
 * start when there is none, until `hasMore` is false. The next page is asked for before one is written; each page (or a few, see {@link gather}) and
 * the cursor behind it are one transaction, so that a pass that is cut off at any instant goes on where it was. A cursor that the service refuses begins a new full listing; nothing here is thrown away for it,
 * and what that listing doesn't show any more is marked as removed at its end.
 */
export async function syncPartnerCatalogue(pass: SyncPass): Promise<void> {
  if (!readSyncState(pass.db).complete) beginListing(pass.db)
  let asked: Promise<Page> | null = null
  for (;;) {
    const { cursor } = readSyncState(pass.db)
    const began = pass.now()
    let answer: Page
    try {
      answer = await (asked ?? askFor(pass, cursor))
    } catch (error) {
      asked = null
      if (cursor === null || !(error instanceof Failure) || error.problem.code !== 'VALIDATION_ERROR') throw error
      beginAnew(pass.db)
      continue
    }
    pass.signal.throwIfAborted()
    const { complete, total } = readSyncState(pass.db)
    const together = !complete && (answer.total ?? total ?? 0) >= MANY && pass.now() - began <= QUICK_MS ? MOST_TOGETHER : 1
    const read = await gather(pass, answer, cursor, together)
    asked = read.asked
    pass.signal.throwIfAborted()
    if (cursor === null) leaveIndexes(pass.db, answer.total)
    const { state, changed } = writePages(pass, read.pages, asked === null)
    pass.page(state, changed)
    if (asked === null) break
  }
  await finishListing(pass.db, pass.signal)
}

type Page = AnswerBody<'listProducts'>

const askFor = (pass: SyncPass, cursor: string | null): Promise<Page> =>
  pass.line.call('listProducts', { query: { limit: PAGE_LIMIT, includeRemoved: true, ...(cursor === null ? {} : { cursor }) } }, { priority: 'background', signal: pass.signal })

/**
 * The page that was read and, of a service that answers at once, up to `together` in all: to write them in one transaction takes a third less. `asked` is the
 * page after them, which the service makes while they are written; null at the end. A page that can't be read is told when its turn comes.
 */
async function gather(pass: SyncPass, first: Page, cursor: string | null, together: number): Promise<{ pages: Page[]; asked: Promise<Page> | null }> {
  const pages = [first]
  for (let [last, before] = [first, cursor]; ;) {
    // A service that answers the same cursor with more to come would be read for ever.
    if (!last.hasMore || last.nextCursor === null || last.nextCursor === before) return { pages, asked: null }
    const asked = askFor(pass, last.nextCursor)
    const began = pass.now()
    const next = pages.length < together ? await asked.catch(() => null) : null
    if (next === null) {
      asked.catch(() => {})
      await new Promise((resolve) => { setImmediate(resolve) })
      return { pages, asked }
    }
    pages.push(next)
    before = last.nextCursor
    last = next
    if (pass.now() - began > QUICK_MS) together = 1
  }
}

/** Pages and the cursor behind them, in one transaction. */
function writePages(pass: SyncPass, pages: readonly Page[], ended: boolean): { state: SyncState; changed: boolean } {
  const results = pages.flatMap((page) => page.results)
  const nextCursor = pages.findLast((page) => page.nextCursor !== null)?.nextCursor
  const total = pages.find((page) => page.total !== null)?.total
  const at = pass.now()
  return pass.db.transaction(() => {
    const before = readSyncState(pass.db)
    const beginsListing = before.cursor === null
    const state: SyncState = {
      ...before,
      cursor: nextCursor ?? before.cursor,
      round: beginsListing ? before.round + 1 : before.round,
      done: (beginsListing || before.complete ? 0 : before.done) + results.length,
      total: total ?? before.total,
      seq: before.seq + 1,
    }
    const writer = productWriter(pass.db)
    const seen = { at, round: state.round, page: null, seq: state.seq }
    let { changed } = writer.put(results.map(partnerFacts), seen)
    if (ended) {
      if (!before.complete && writer.removeUnseen(state.round, seen) > 0) changed = true
      state.complete = true
      state.lastAt = at
      if (!before.complete) state.total = state.done
    }
    writeSyncState(pass.db, state)
    return { state, changed }
  })()
}

function beginAnew(db: Database): void {
  writeSyncState(db, { ...readSyncState(db), cursor: null, complete: false, done: 0, total: null })
}
