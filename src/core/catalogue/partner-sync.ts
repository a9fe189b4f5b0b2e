import { Failure } from '../failure.ts'
import type { CarryOut } from './deeds.ts'
import type { CataloguePages, PartnerPage } from './pages.ts'
import type { SyncState } from './sync-state.ts'

/**
 * Pages that are read before they are written, at most, and written together where the service
 * gives them faster than that.
 */
const MOST_AHEAD = 20
/** Letters of them, from which on none is read ahead. */
const MOST_LETTERS = 8_000_000

export type SyncPass = {
  pages: CataloguePages
  carryOut: CarryOut
  now: () => number
  signal: AbortSignal
  /** After each commit of pages: whether a person could see a difference. */
  page: (state: SyncState, changed: boolean) => void
}

/**
 * Brings a partner's mirror up to date by keyset (Partner API, GET /products rules 2, 3 and 5):
 * from the stored cursor, or from the start when there is none, until `hasMore` is false. Pages are
 * read while others are written; what has come meanwhile is written together, with the cursor
 * behind it in one transaction, so that a pass that is cut off at any instant goes on where it was.
 * A cursor that the service refuses begins a new full listing; nothing here is thrown away for it,
 * and what that listing doesn't show any more is marked as removed at its end.
 */
export async function syncPartnerCatalogue(pass: SyncPass): Promise<void> {
  const { cursor } = await pass.carryOut({ do: 'begin' }, pass.signal)
  if ((await listFrom(pass, cursor)) === 'refused') {
    await pass.carryOut({ do: 'anew' }, pass.signal)
    if ((await listFrom(pass, null)) === 'refused')
      throw new Error('a listing without a cursor has none to be refused')
  }
  await pass.carryOut({ do: 'finish' }, pass.signal)
}

async function listFrom(pass: SyncPass, cursor: string | null): Promise<'ended' | 'refused'> {
  const stop = new AbortController()
  const reading = readAhead(pass.pages, cursor, AbortSignal.any([pass.signal, stop.signal]))
  try {
    for (;;) {
      const come = await reading.come()
      pass.signal.throwIfAborted()
      if (come.pages.length > 0) {
        const { state, changed } = await pass.carryOut(
          { do: 'partner', pages: come.pages, ended: come.next === 'ended', at: pass.now() },
          pass.signal,
        )
        pass.page(state, changed)
      }
      if (come.next === 'ended') return 'ended'
      if (come.next === 'more') continue
      if (
        come.next.cursor !== null &&
        come.next.error instanceof Failure &&
        come.next.error.problem.code === 'VALIDATION_ERROR'
      )
        return 'refused'
      throw come.next.error
    }
  } finally {
    stop.abort()
  }
}

/**
 * Pages that have come, and what comes after them: more, nothing, or a failure to read what is
 * behind `cursor`.
 */
type Come = {
  pages: PartnerPage[]
  next: 'more' | 'ended' | { error: unknown; cursor: string | null }
}

/** A page that was asked for before the one in front of it was there. */
type Early = { cursor: string; page: Promise<PartnerPage>; stop: () => void }

/**
 * Reads page after page, each asked for as soon as its cursor is told, until so many wait to be
 * taken. `come` takes those that wait, at least one where there are more.
 */
function readAhead(
  pages: CataloguePages,
  from: string | null,
  signal: AbortSignal,
): { come(): Promise<Come> } {
  let waiting: PartnerPage[] = []
  let next: Come['next'] = 'more'
  let news = Promise.withResolvers<void>()
  let room = Promise.withResolvers<void>()
  let early: Early | null = null
  const isFull = (coming: number): boolean =>
    waiting.length + coming >= MOST_AHEAD ||
    waiting.reduce((sum, { size }) => sum + size, 0) > MOST_LETTERS

  function ask(cursor: string | null): Promise<PartnerPage> {
    const begun = early
    early = null
    if (begun?.cursor === cursor) return begun.page
    begun?.stop()
    return askFor(cursor, signal)
  }
  const askFor = (cursor: string | null, until: AbortSignal): Promise<PartnerPage> =>
    pages.partner(cursor, until, (next) => {
      if (next === cursor || early !== null || isFull(1)) return
      const stop = new AbortController()
      const page = askFor(next, AbortSignal.any([signal, stop.signal]))
      // A failure counts when it is this page's turn, and not when that never comes.
      page.catch(() => {})
      early = { cursor: next, page, stop: () => stop.abort() }
    })

  async function read(): Promise<void> {
    for (let cursor = from; ;) {
      try {
        const page = await ask(cursor)
        waiting.push(page)
        // A service that answers the same cursor with more to come would be read for ever.
        if (!page.hasMore || page.nextCursor === null || page.nextCursor === cursor) next = 'ended'
        else cursor = page.nextCursor
      } catch (error) {
        next = { error, cursor }
      }
      news.resolve()
      if (next !== 'more') return early?.stop()
      if (isFull(0)) await room.promise
    }
  }
  void read()

  return {
    async come() {
      await news.promise
      news = Promise.withResolvers()
      if (next !== 'more') news.resolve()
      const taken = waiting
      waiting = []
      room.resolve()
      room = Promise.withResolvers()
      return { pages: taken, next }
    },
  }
}
