import { PAGE_LIMIT } from './page-source.ts'
import type { SyncPass } from './partner-sync.ts'

/**
 * Pages per pass after the first listing: half a minute's worth at 600 requests a minute, at most
 * once every five minutes.
 */
const ROTATION_PAGES = 300

export type SellerPass = SyncPass & {
  /** Pages that hold own offers, in order. */
  pagesOfOwnOffers: () => number[]
  /** Called with products that are new in the mirror. */
  added: (productIds: string[]) => void
}

/**
 * Reads the seller's view of the catalogue page by page (Seller API, GET /products, which has no
 * cursor). The first listing runs to the end and resumes at the page where it was interrupted.
 * Later passes read the pages with own offers first, then continue the rotation where the last pass
 * stopped. A page and the position of the next are one transaction. Products can move between pages
 * during a listing, so a product is marked as removed only after two full rounds without it.
 */
export async function syncSellerCatalogue(pass: SellerPass): Promise<void> {
  const { complete, page } = await pass.execute({ do: 'start' }, pass.signal)
  if (complete) for (const own of pass.pagesOfOwnOffers()) await readPage(pass, own, false)
  for (let read = 0, next = page; !complete || read < ROTATION_PAGES; read += 1) {
    const outcome = await readPage(pass, next, true)
    if (outcome.ended) break
    next = outcome.next
  }
  if (complete) await pass.execute({ do: 'finish-seller-pass', at: pass.now() }, pass.signal)
  await pass.execute({ do: 'finish' }, pass.signal)
}

async function readPage(
  pass: SellerPass,
  number: number,
  inRotation: boolean,
): Promise<{ ended: boolean; next: number }> {
  const page = await pass.pages.seller(number, pass.signal)
  pass.signal.throwIfAborted()
  // The envelope isn't certain (Decision 33), so a page that isn't full is always the last one.
  const ended = page.hasMore === null ? page.count < PAGE_LIMIT : !page.hasMore
  const { state, changed, added } = await pass.execute(
    { do: 'seller', page, number, inRotation, ended, at: pass.now() },
    pass.signal,
  )
  if (added.length > 0) pass.added(added)
  pass.page(state, changed)
  return { ended, next: state.page }
}
