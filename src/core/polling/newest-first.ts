/**
 * How far a list that the service gives newest first was read. A pass is one reading from the top
 * down to what an earlier pass has seen.
 */
export type ListingState = { nextPage: number; complete: boolean; pass: number }

export type Listing<Row> = {
  state(): ListingState
  page(page: number): Promise<{ rows: readonly Row[]; last: boolean }>
  /**
   * Writes rows, and the state when one is given, in one transaction. `fresh`: how many of the rows
   * no completed pass has seen; new rows are written as seen in the present pass.
   */
  take(rows: readonly Row[], next: ListingState | null): { fresh: number; changed: boolean }
  end(state: ListingState): void
}

/**
 * Reads what is new; gives whether anything changed. The first time all pages, going on at the page
 * after the last one written; after that from the top to a page that holds nothing but rows of
 * completed passes. New rows push the others down, so a page may repeat rows, and never leaves any
 * out. A pass that was cut off doesn't count: its rows are no reason for the next one to stop.
 */
export async function readNewest<Row>(listing: Listing<Row>): Promise<boolean> {
  const { nextPage, complete, pass } = listing.state()
  const whole: ListingState = { nextPage: 1, complete: true, pass: pass + 1 }
  let changed = false
  for (let page = complete ? 1 : nextPage; ; page += 1) {
    const { rows, last } = await listing.page(page)
    const taken = listing.take(
      rows,
      complete ? null : last ? whole : { nextPage: page + 1, complete: false, pass },
    )
    changed ||= taken.changed
    if (complete && (last || taken.fresh === 0)) {
      if (taken.fresh > 0 || changed) listing.end(whole)
      return changed
    }
    if (last) return changed
  }
}
