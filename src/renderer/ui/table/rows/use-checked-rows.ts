import { useCallback, useEffect, useState } from 'react'
import { problemOf } from '../../../lib/core/problem.ts'
import { toastProblem } from '../../feedback/toasts.tsx'
import { latestRead } from './latest-read.ts'

/**
 * The checked rows of a list. Another list starts without any, and ignores a **Select all** of the
 * previous one. The functions never change.
 *
 * @param list Identifies the list: its account, view and filter.
 */
export function useCheckedRows(list: string) {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const [reads] = useState(latestRead)
  const check = useCallback(
    (next: ReadonlySet<string>): void => {
      reads.drop()
      setChecked(next)
    },
    [reads],
  )
  const clear = useCallback((): void => {
    reads.drop()
    // An empty set stays the same one, so that typing in a search doesn't render the table again.
    setChecked((before) => (before.size === 0 ? before : new Set()))
  }, [reads])
  useEffect(clear, [clear, list])
  /** Reads rows and checks them, unless the list or the selection changes before they arrive. */
  const checkRead = useCallback(
    (keys: Promise<readonly string[]>, onChecked?: (count: number) => void): void =>
      void reads.take(keys).then(
        (found) => {
          if (found === null) return
          setChecked(new Set(found))
          onChecked?.(found.length)
        },
        (error: unknown) => toastProblem(problemOf(error), null),
      ),
    [reads],
  )
  return { checked, check, checkRead, clear }
}
