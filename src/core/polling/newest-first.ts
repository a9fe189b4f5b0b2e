/**
 * Position in a list that the service returns newest first. A pass reads from the top down to rows
 * that an earlier pass has seen.
 */
export type ListingState = { nextPage: number; complete: boolean; pass: number }

export type Listing<Row> = {
  state(): ListingState
  page(page: number): Promise<{ rows: readonly Row[]; last: boolean }>
  /**
   * Writes rows, and the state if one is given, in one transaction. `fresh` is the number of rows
   * that no completed pass has seen. New rows are written as seen in the current pass.
   */
  take(rows: readonly Row[], next: ListingState | null): { fresh: number; changed: boolean }
  end(state: ListingState): void
}

/**
 * Reads new rows and returns whether anything changed. The first pass reads all pages and resumes
 * after the last page written. Later passes read from the top to a page that holds only rows of
 * completed passes. New rows push the others down, so a page can repeat rows but never skips any.
 * An interrupted pass doesn't count: its rows don't stop the next one.
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
