export interface RowWindow {
  offset: number
  limit: number
}
export interface RowPage<Row> {
  total: number
  rows: readonly Row[]
}

/** Number of times that a list is read while its rows move between two windows. */
const MOST_ATTEMPTS = 4

/**
 * The first rows of a list, read in windows of `size`. A row that arrives, leaves or moves between
 * two windows would leave out or repeat others, so the list is then read again. After the last
 * attempt, each row is returned once, as last read.
 *
 * @param keyOf Identifies a row, also after its content changed.
 */
export async function readWindows<Row>(
  read: (window: RowWindow) => Promise<RowPage<Row>>,
  { keyOf, size, most = Infinity }: { keyOf: (row: Row) => string; size: number; most?: number },
): Promise<Row[]> {
  for (let attempt = 1; ; attempt += 1) {
    const found = new Map<string, Row>()
    let offset = 0
    let isSame = true
    let total: number | null = null
    do {
      const page: RowPage<Row> = await read({ offset, limit: size })
      isSame &&= total === null || page.total === total
      total = page.total
      for (const row of page.rows) found.set(keyOf(row), row)
      offset += page.rows.length
      isSame &&= found.size === offset
      if (page.rows.length === 0) break
    } while (offset < Math.min(total, most))
    if (isSame || attempt === MOST_ATTEMPTS) return [...found.values()].slice(0, most)
  }
}
