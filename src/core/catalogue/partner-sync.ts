import type { Database } from 'better-sqlite3'
import type { AnswerBody } from '../../../server/api/handlers.ts'
import type { ServiceLine } from '../context.ts'
import { Failure } from '../failure.ts'
import { partnerFacts } from './facts.ts'
import { beginListing, finishListing, leaveIndexes } from './indexes.ts'
import { productWriter } from './store.ts'
import { readSyncState, writeSyncState } from './sync-state.ts'
import type { SyncState } from './sync-state.ts'

/** The largest page the API gives. */
export const PAGE_LIMIT = 100

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
 * start when there is none, until `hasMore` is false. The next page is asked for before one is written; each page and its cursor are one
 * transaction, so that a pass that is cut off at any instant goes on where it was. A cursor that the service refuses begins a new full listing; nothing here is thrown away for it,
 * and what that listing doesn't show any more is marked as removed at its end.
 */
export async function syncPartnerCatalogue(pass: SyncPass): Promise<void> {
  if (!readSyncState(pass.db).complete) beginListing(pass.db)
  let asked: Promise<Page> | null = null
  for (;;) {
    const { cursor } = readSyncState(pass.db)
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
    // A service that answers the same cursor with more to come would be read for ever.
    const ended: boolean = !answer.hasMore || answer.nextCursor === null || answer.nextCursor === cursor
    // The service makes the next page while this one is written.
    asked = ended ? null : askFor(pass, answer.nextCursor)
    asked?.catch(() => {})
    if (!ended) await new Promise((resolve) => { setImmediate(resolve) })
    pass.signal.throwIfAborted()
    if (cursor === null) leaveIndexes(pass.db, answer.total)
    const { state, changed } = writePage(pass, answer, ended)
    pass.page(state, changed)
    if (ended) break
  }
  await finishListing(pass.db, pass.signal)
}

type Page = AnswerBody<'listProducts'>

const askFor = (pass: SyncPass, cursor: string | null): Promise<Page> =>
  pass.line.call('listProducts', { query: { limit: PAGE_LIMIT, includeRemoved: true, ...(cursor === null ? {} : { cursor }) } }, { priority: 'background', signal: pass.signal })

/** One page and the cursor behind it, in one transaction. */
function writePage(pass: SyncPass, answer: Page, ended: boolean): { state: SyncState; changed: boolean } {
  const at = pass.now()
  return pass.db.transaction(() => {
    const before = readSyncState(pass.db)
    const beginsListing = before.cursor === null
    const state: SyncState = {
      ...before,
      cursor: answer.nextCursor ?? before.cursor,
      round: beginsListing ? before.round + 1 : before.round,
      done: (beginsListing || before.complete ? 0 : before.done) + answer.results.length,
      total: answer.total ?? before.total,
      seq: before.seq + 1,
    }
    const writer = productWriter(pass.db)
    const seen = { at, round: state.round, page: null, seq: state.seq }
    let { changed } = writer.put(answer.results.map(partnerFacts), seen)
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
