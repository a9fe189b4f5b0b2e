import { useQueries, useQueryClient, type UseQueryOptions } from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { readWindows } from './read-windows.ts'
import type { RowPage, RowWindow } from './read-windows.ts'

export interface PagedRows<Row, Page> {
  total: number
  /** Identifies the list that the rows belong to. */
  list: string
  /** The function changes only when other rows were loaded. */
  getRow: (index: number) => Row | undefined
  onRange: (first: number, last: number) => void
  /** The most recently fetched page of the current list, with the other data of its response. */
  page: Page | undefined
  /** No rows have ever been loaded. */
  loading: boolean
  /** The rows still belong to the previous list. */
  stale: boolean
  /**
   * Why no row of the current list is loaded. It replaces the rows of the previous list; rows of the
   * current one stay when another read of them fails.
   */
  error: Error | null
  retry: () => void
  /**
   * The first `most` rows of the list; rows that aren't loaded are fetched. The function never
   * changes.
   */
  read: (most: number) => Promise<Row[]>
}

/** Rows per request when all rows are fetched. */
export const rowsPerRequest = 500

/** Number of windows kept in addition to the visible ones. */
const cachedWindows = 40

/**
 * Adds a window as the most recent one. Drops the least recently used window when there are too
 * many.
 */
export function cacheWindow<Page>(pages: Map<number, Page>, offset: number, page: Page): void {
  pages.delete(offset)
  pages.set(offset, page)
  if (pages.size > cachedWindows)
    for (const oldest of pages.keys()) return void pages.delete(oldest)
}

export type ScrollDirection = 'up' | 'down' | null

/**
 * The windows that contain the rows `first` to `last`, and the next one in the scroll direction, so
 * that its rows are loaded before they become visible.
 */
export function visibleWindows(
  first: number,
  last: number,
  size: number,
  heading: ScrollDirection = null,
  total = Infinity,
): RowWindow[] {
  const begin = Math.max(0, Math.floor(first / size) - (heading === 'up' ? 1 : 0))
  const end = Math.max(
    begin,
    Math.min(
      Math.floor(last / size) + (heading === 'down' ? 1 : 0),
      Math.floor((total - 1) / size),
    ),
  )
  return Array.from({ length: end - begin + 1 }, (_, index) => ({
    offset: (begin + index) * size,
    limit: size,
  }))
}

interface FetchedPage<Page> {
  page: Page
  /** When the page was fetched, in milliseconds since 1970. */
  fetchedAt: number
}

/**
 * The most recently fetched page. Pages of the same list can have different totals while the list
 * grows, and only the newest total is right: a window that becomes visible again first has the page
 * of its last fetch.
 *
 * @param loaded The pages of the visible windows.
 * @param before The newest page so far; null if another list was visible.
 */
export function newestPage<Page>(
  loaded: readonly FetchedPage<Page>[],
  before: FetchedPage<Page> | null,
): FetchedPage<Page> | null {
  let newest: FetchedPage<Page> | null = null
  for (const each of loaded) if (newest === null || each.fetchedAt > newest.fetchedAt) newest = each
  if (newest === null || before === null) return newest ?? before
  return newest.fetchedAt >= before.fetchedAt ? newest : before
}

/** The pages of one list, and access to a row by its index. */
interface Loaded<Row, Page> {
  listKey: string
  pages: Map<number, Page>
  newest: FetchedPage<Page> | null
  getRow: (index: number) => Row | undefined
}

const rowsIn =
  <Row, Page extends RowPage<Row>>(pages: ReadonlyMap<number, Page>, size: number) =>
  (index: number): Row | undefined => {
    const offset = Math.floor(index / size) * size
    return pages.get(offset)?.rows[index - offset]
  }

/**
 * Rows of a long list, fetched in windows of `size` as they become visible. `queryOf` returns the
 * query of one window (with oRPC: `(window) => rpc.offers.list.queryOptions({ input: { …, window }
 * })`). `listKey` identifies the list (its filters and order), and `keyOf` a row, as in the table.
 * While a new list loads, the old rows stay.
 */
export function usePagedRows<Row, Page extends RowPage<Row>>(
  listKey: string,
  queryOf: (window: RowWindow) => Pick<UseQueryOptions<Page, Error, Page>, 'queryKey' | 'queryFn'>,
  keyOf: (row: Row) => string,
  size = 100,
): PagedRows<Row, Page> {
  const client = useQueryClient()
  const [range, setRange] = useState<{ first: number; last: number; heading: ScrollDirection }>({
    first: 0,
    last: 0,
    heading: null,
  })
  const latest = useRef(range)
  const old = useRef<Loaded<Row, Page>>({
    listKey,
    pages: new Map(),
    newest: null,
    getRow: () => undefined,
  })
  const known = useRef({ first: 0, total: 0 })
  const windows = visibleWindows(range.first, range.last, size, range.heading, known.current.total)
  const results = useQueries({
    queries: windows.map((window) => ({ ...queryOf(window), staleTime: 0 })),
  })
  const loaded = results.flatMap(({ data, dataUpdatedAt }, index) =>
    data === undefined
      ? []
      : [{ offset: windows[index]?.offset ?? 0, page: data, fetchedAt: dataUpdatedAt }],
  )
  if (loaded.length > 0) {
    const { pages, newest, getRow } =
      old.current.listKey === listKey
        ? old.current
        : { pages: new Map<number, Page>(), newest: null, getRow: null }
    const isSame = loaded.every(({ offset, page }) => pages.get(offset) === page)
    for (const { offset, page } of loaded) cacheWindow(pages, offset, page)
    old.current = {
      listKey,
      pages,
      newest: newestPage(loaded, newest),
      getRow: isSame && getRow !== null ? getRow : rowsIn(pages, size),
    }
  }
  const page = old.current.newest?.page
  const total = page?.total ?? 0
  known.current.total = total
  // Only another window or another direction changes the state, so scrolling within a window
  // renders only rows.
  const onRange = useCallback(
    (first: number, last: number) => {
      const moved = first - known.current.first
      known.current.first = first
      const seen = latest.current
      const heading = moved === 0 ? seen.heading : moved > 0 ? 'down' : 'up'
      if (
        heading === seen.heading &&
        Math.floor(seen.first / size) === Math.floor(first / size) &&
        Math.floor(seen.last / size) === Math.floor(last / size)
      )
        return
      latest.current = { first, last, heading }
      setRange(latest.current)
    },
    [size],
  )
  const asked = useRef({ queryOf, keyOf })
  useLayoutEffect(() => {
    asked.current = { queryOf, keyOf }
  })
  const read = useCallback(
    (most: number) => {
      const { queryOf: query, keyOf: key } = asked.current
      return readWindows<Row>(
        (window) => client.fetchQuery({ ...query(window), staleTime: 0, gcTime: 0 }),
        { keyOf: key, size: rowsPerRequest, most },
      )
    },
    [client],
  )
  const stale = old.current.listKey !== listKey
  const isMissing = stale || page === undefined
  return {
    stale,
    total,
    list: old.current.listKey,
    getRow: old.current.getRow,
    onRange,
    page,
    loading: page === undefined && results.some((result) => result.isPending),
    error: isMissing ? (results.find((result) => result.error !== null)?.error ?? null) : null,
    read,
    retry: () => {
      for (const result of results) void result.refetch()
    },
  }
}
