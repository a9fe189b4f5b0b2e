import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UseQueryOptions } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Problem } from '../../contract/base.ts'
import { problemOf } from './problem.ts'

/** Rows that are asked for at once. */
const windowSize = 100

export type RowWindow = { offset: number; limit: number }

export interface Rows<Row, Answer> {
  /** The first window's whole answer: totals and counts stand in it. Undefined before the first answer. */
  answer: Answer | undefined
  total: number
  /** For a DataTable. */
  getRow: (index: number) => Row | undefined
  onRange: (first: number, last: number) => void
  loading: boolean
  problem: Problem | null
  retry: () => void
}

/**
 * A long list read window by window, for a DataTable: the first window (with total and counts) and those in view. While the question changes
 * (a letter more in the search) the rows before stay until the new ones are here.
 *
 * @param queryFor the query of one window, such as `(window) => api.offers.list.queryOptions({ input: { accountId, window } })`
 */
export function useRows<Row, Answer extends { total: number; rows: readonly Row[] }>(queryFor: (window: RowWindow) => UseQueryOptions<Answer>): Rows<Row, Answer> {
  const [seen, setSeen] = useState({ from: 0, to: 0 })
  const queryAt = (number: number): UseQueryOptions<Answer> => queryFor({ offset: number * windowSize, limit: windowSize })
  const head = useQuery({ ...queryAt(0), placeholderData: keepPreviousData })
  const upper = useQuery({ ...queryAt(seen.from), enabled: seen.from > 0 })
  const lower = useQuery({ ...queryAt(seen.to), enabled: seen.to > seen.from && seen.to > 0 })
  const total = head.data?.total ?? 0

  const getRow = (index: number): Row | undefined => {
    const number = Math.floor(index / windowSize)
    const answer = number === 0 ? head.data : number === seen.from ? upper.data : number === seen.to ? lower.data : undefined
    return answer?.rows[index % windowSize]
  }
  const onRange = useCallback((first: number, last: number) => {
    const from = Math.floor(first / windowSize)
    const to = Math.floor(last / windowSize)
    setSeen((before) => (before.from === from && before.to === to ? before : { from, to }))
  }, [])
  return {
    answer: head.data, total, getRow, onRange, loading: head.isPending, problem: head.data === undefined && head.isError ? problemOf(head.error) : null,
    retry: () => void head.refetch(),
  }
}
