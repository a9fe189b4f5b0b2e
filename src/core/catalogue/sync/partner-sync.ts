import { Failure } from '../../failure.ts'
import type { Execute } from '../records/commands.ts'
import type { PageSource, PartnerPage } from './page-source.ts'
import type { SyncState } from './sync-state.ts'

/**
 * Maximum number of pages to read ahead of the writer. They are written together if the service is
 * faster than the writer.
 */
const MAX_PAGES_AHEAD = 20
/** Maximum number of characters in those pages. */
const MAX_CHARACTERS_AHEAD = 8_000_000

export type SyncPass = {
  pages: PageSource
  execute: Execute
  now: () => number
  signal: AbortSignal
  /** Called after each commit of pages. `changed`: whether the user could see a difference. */
  page: (state: SyncState, changed: boolean) => void
}

/**
 * Syncs a partner's mirror by keyset (Partner API, GET /products rules 2, 3 and 5): from the stored
 * cursor, or from the start if there is none, until `hasMore` is false. It reads pages while it
 * writes others. Pages that arrive during a write are written together with the cursor behind them
 * in one transaction, so an interrupted pass resumes where it stopped. A cursor that the service
 * rejects starts a new full listing. That deletes nothing; products that the listing no longer
 * shows are marked as removed at its end.
 */
export async function syncPartnerCatalogue(pass: SyncPass): Promise<void> {
  const { cursor } = await pass.execute({ do: 'start' }, pass.signal)
  if ((await listFrom(pass, cursor)) === 'refused') {
    await pass.execute({ do: 'restart-listing' }, pass.signal)
    if ((await listFrom(pass, null)) === 'refused')
      throw new Error('a listing without a cursor was rejected for its cursor')
  }
  await pass.execute({ do: 'finish' }, pass.signal)
}

async function listFrom(pass: SyncPass, cursor: string | null): Promise<'ended' | 'refused'> {
  const stop = new AbortController()
  const reading = readAhead(pass.pages, cursor, AbortSignal.any([pass.signal, stop.signal]))
  try {
    for (;;) {
      const arrived = await reading.come()
      pass.signal.throwIfAborted()
      if (arrived.pages.length > 0) {
        const { state, changed } = await pass.execute(
          { do: 'partner', pages: arrived.pages, ended: arrived.next === 'ended', at: pass.now() },
          pass.signal,
        )
        pass.page(state, changed)
      }
      if (arrived.next === 'ended') return 'ended'
      if (arrived.next === 'more') continue
      if (
        arrived.next.cursor !== null &&
        arrived.next.error instanceof Failure &&
        arrived.next.error.problem.code === 'VALIDATION_ERROR'
      )
        return 'refused'
      throw arrived.next.error
    }
  } finally {
    stop.abort()
  }
}

/**
 * Pages that have arrived, and what follows: more pages, none, or a failure to read the page behind
 * `cursor`.
 */
type Arrived = {
  pages: PartnerPage[]
  next: 'more' | 'ended' | { error: unknown; cursor: string | null }
}

/** A page requested before the page in front of it had arrived. */
type Early = { cursor: string; page: Promise<PartnerPage>; stop: () => void }

/**
 * Reads page after page, requesting each as soon as its cursor is reported, until the limit of
 * waiting pages is reached. `come` returns the waiting pages: at least one, if there are more.
 */
function readAhead(
  pages: PageSource,
  from: string | null,
  signal: AbortSignal,
): { come(): Promise<Arrived> } {
  let waiting: PartnerPage[] = []
  let next: Arrived['next'] = 'more'
  let news = Promise.withResolvers<void>()
  let room = Promise.withResolvers<void>()
  let early: Early | null = null
  const isFull = (coming: number): boolean =>
    waiting.length + coming >= MAX_PAGES_AHEAD ||
    waiting.reduce((sum, { size }) => sum + size, 0) > MAX_CHARACTERS_AHEAD

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
      // A failure counts only when it is this page's turn.
      page.catch(() => {})
      early = { cursor: next, page, stop: () => stop.abort() }
    })

  async function read(): Promise<void> {
    for (let cursor = from; ;) {
      try {
        const page = await ask(cursor)
        waiting.push(page)
        // Otherwise a service that returns the same cursor with more pages would be read forever.
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
