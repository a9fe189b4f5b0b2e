import { PAGE_LIMIT } from './pages.ts'
import type { SyncPass } from './partner-sync.ts'

/**
 * Pages of one pass after the first listing: at 600 requests a minute half a minute's worth, at
 * most once every five minutes.
 */
const ROTATION_PAGES = 300

export type SellerPass = SyncPass & {
  /** Pages that hold own offers, in order. */
  pagesOfOwnOffers: () => number[]
  /** Told of products that are new here. */
  added: (productIds: string[]) => void
}

/**
 * Reads the seller's view of the catalogue page by page (Seller API, GET /products: no cursor
 * there). The first listing goes through to the end, from the page where it was cut off. Later
 * passes read the pages that hold own offers first, then go on in rotation from where the last one
 * stopped. A page and the place of the next are one transaction. Products move between pages while
 * they are read, so only one that two whole rounds haven't shown is marked as removed.
 */
export async function syncSellerCatalogue(pass: SellerPass): Promise<void> {
  const { complete, page } = await pass.carryOut({ do: 'begin' }, pass.signal)
  if (complete) for (const own of pass.pagesOfOwnOffers()) await readPage(pass, own, false)
  for (let read = 0, next = page; !complete || read < ROTATION_PAGES; read += 1) {
    const outcome = await readPage(pass, next, true)
    if (outcome.ended) break
    next = outcome.next
  }
  if (complete) await pass.carryOut({ do: 'seller-agreed', at: pass.now() }, pass.signal)
  await pass.carryOut({ do: 'finish' }, pass.signal)
}

async function readPage(
  pass: SellerPass,
  number: number,
  inRotation: boolean,
): Promise<{ ended: boolean; next: number }> {
  const page = await pass.pages.seller(number, pass.signal)
  pass.signal.throwIfAborted()
  // The envelope isn't certain (Decision 33): a page that isn't full is the last one in any case.
  const ended = page.hasMore === null ? page.count < PAGE_LIMIT : !page.hasMore
  const { state, changed, added } = await pass.carryOut(
    { do: 'seller', page, number, inRotation, ended, at: pass.now() },
    pass.signal,
  )
  if (added.length > 0) pass.added(added)
  pass.page(state, changed)
  return { ended, next: state.page }
}
