import type { ResponseBody } from '../../../../server/api/handlers.ts'
import type { Priority, ServiceConnection } from '../../context.ts'
import { readNewest } from '../../polling/polling.ts'
import type { ListingState } from '../../polling/polling.ts'
import { saleFacts } from './facts.ts'
import type { ServiceSale } from './facts.ts'
import type { SaleStore } from '../store.ts'

const PAGE_LIMIT = 100
/**
 * Pages read in one sync pass for sales with a due change, and by the rotation: more of the latter
 * while the service's count differs from ours.
 */
const MOST_DUE = 10
const ROTATED = { agreeing: 1, differing: 10 }
/** Delay before a sale that wasn't in its expected place is searched again, in milliseconds. */
const NOT_FOUND_MS = 10 * 60_000

export type SalePoll = {
  store: SaleStore
  connection: Pick<ServiceConnection, 'call'>
  now: () => number
  /** The service's current time: a sale's release is compared with it. */
  serviceNow: () => number
  signal: AbortSignal
  /** The keyed fingerprint of a key's SHA-256; null while the vault is locked. */
  fingerprint: (keySha256: string) => Buffer | null
}

type Page = { rows: readonly ServiceSale[]; last: boolean; total: number | null }

const pageOf = (answer: ResponseBody<'listSales'>): Page => {
  const rows = answer.results
  const last =
    answer.hasMore === undefined
      ? rows.length < Math.min(PAGE_LIMIT, answer.limit ?? PAGE_LIMIT)
      : !answer.hasMore
  return { rows, last: last || rows.length === 0, total: answer.total ?? null }
}

/**
 * Reads a seller's sales (Seller API, Endpoints; newest first by Decision 13). At first all pages
 * once, resuming after a kill at the page it had reached. Then the newest sales up to those already
 * known, the pages with due sales, and one more page in rotation, so that no change is missed
 * permanently. Returns whether anything changed.
 */
export async function pollSales(poll: SalePoll): Promise<boolean> {
  const { store } = poll
  const read = async (page: number, priority: Priority): Promise<Page> => {
    const answer = await poll.connection.call(
      'listSales',
      { query: { page, limit: PAGE_LIMIT } },
      { priority, signal: poll.signal },
    )
    poll.signal.throwIfAborted()
    return pageOf(answer)
  }
  const take = (
    rows: readonly ServiceSale[],
    next: ListingState | null = null,
  ): { fresh: number; changed: boolean } => {
    const { pass } = store.listing()
    const now = poll.now()
    return store.transaction(() => {
      const serviceNow = poll.serviceNow()
      let fresh = 0
      let changed = false
      for (const row of rows) {
        const facts = saleFacts(row)
        const put = store.put(
          facts,
          facts.keySha256 === null ? null : poll.fingerprint(facts.keySha256),
          pass,
          now,
          serviceNow,
        )
        changed ||= put.changed
        if (put.pass >= pass) fresh += 1
      }
      if (next !== null) store.setListing(next)
      return { fresh, changed }
    })
  }

  const wasComplete = store.listing().complete
  let changed = await readNewest<ServiceSale>({
    state: store.listing,
    async page(page) {
      const found = await read(page, wasComplete && page === 1 ? 'watch' : 'background')
      if (page === 1) store.setReportedTotal(found.total)
      return found
    },
    take,
    end: store.setListing,
  })
  if (wasComplete) {
    changed = (await lookAtDue()) || changed
    changed = (await rotate()) || changed
  }
  store.setReadAt(poll.now())
  return changed

  /**
   * A sale's place in the list follows from the number of newer ones; new ones may have moved it to
   * the next page in the meantime.
   */
  async function lookAtDue(): Promise<boolean> {
    let found = false
    for (let pages = 0; pages < MOST_DUE;) {
      const due = store.due(poll.serviceNow())
      if (due === null) break
      const page = Math.floor(due.newer / PAGE_LIMIT) + 1
      for (const each of [page, page + 1]) {
        const { rows, last } = await read(each, 'background')
        pages += 1
        found = take(rows).changed || found
        if (last || rows.some((row) => saleFacts(row).saleId === due.saleId)) break
      }
      const after = store.find(due.saleId)
      const now = poll.serviceNow()
      if (after?.look_at != null && after.look_at <= now)
        store.postpone(due.saleId, now + NOT_FOUND_MS)
    }
    return found
  }

  /**
   * Reads pages in turn. After the last one, removes sales that no page showed, provided that the
   * service counts the remaining ones as we do.
   */
  async function rotate(): Promise<boolean> {
    let found = false
    const pages = agrees() ? ROTATED.agreeing : ROTATED.differing
    for (let turn = 0; turn < pages; turn += 1) {
      const { page, began } = store.sweep()
      const since = page === 1 || began === null ? poll.now() : began
      const { rows, last, total } = await read(page, 'background')
      found = take(rows).changed || found
      if (!last) store.setSweep(page + 1, since)
      else {
        const unseen = store.unseenSince(since)
        if (unseen > 0 && total !== null && store.count() - unseen === total) {
          store.dropUnseenSince(since)
          found = true
        }
        store.setSweep(1, null)
        break
      }
    }
    return found
  }

  function agrees(): boolean {
    const told = store.reportedTotal()
    return told === null || told === store.count()
  }
}
