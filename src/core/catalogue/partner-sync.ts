import type { Database } from 'better-sqlite3'
import type { ServiceLine } from '../context.ts'
import { Failure } from '../failure.ts'
import { partnerFacts } from './facts.ts'
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
 * start when there is none, until `hasMore` is false. Each page and its cursor are one transaction, so that a pass that is cut off at
 * any instant goes on where it was. A cursor that the service refuses begins a new full listing; nothing here is thrown away for it,
 * and what that listing doesn't show any more is marked as removed at its end.
 */
export async function syncPartnerCatalogue(pass: SyncPass): Promise<void> {
  for (;;) {
    const { cursor } = readSyncState(pass.db)
    const query = { limit: PAGE_LIMIT, includeRemoved: true, ...(cursor === null ? {} : { cursor }) }
    let answer
    try {
      answer = await pass.line.call('listProducts', { query }, { priority: 'background', signal: pass.signal })
    } catch (error) {
      if (cursor === null || !(error instanceof Failure) || error.problem.code !== 'VALIDATION_ERROR') throw error
      beginAnew(pass.db)
      continue
    }
    pass.signal.throwIfAborted()
    // A service that answers the same cursor with more to come would be read for ever.
    const ended = !answer.hasMore || answer.nextCursor === null || answer.nextCursor === cursor
    const at = pass.now()
    let changed = false
    const state = pass.db.transaction(() => {
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
      changed = writer.put(answer.results.map(partnerFacts), seen).changed
      if (ended) {
        if (!before.complete && writer.removeUnseen(state.round, seen) > 0) changed = true
        state.complete = true
        state.lastAt = at
        if (!before.complete) state.total = state.done
      }
      writeSyncState(pass.db, state)
      return state
    })()
    pass.page(state, changed)
    if (ended) return
  }
}

function beginAnew(db: Database): void {
  writeSyncState(db, { ...readSyncState(db), cursor: null, complete: false, done: 0, total: null })
}
