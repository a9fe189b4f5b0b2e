import { useCallback } from 'react'
import { problemOf } from '../../../lib/core/problem.ts'
import { toastProblem } from '../../feedback/toasts.tsx'
import { useListSelection } from './use-list-selection.ts'

const noRows: ReadonlySet<string> = new Set()

/**
 * The checked rows of a list, by their keys. See {@link useListSelection}.
 *
 * @param list Identifies the list: its account, view and filter.
 * @param showList Shows this list again, with its view and filter.
 */
export function useCheckedRows(list: string, showList: () => void) {
  const { selected, select, clear, selectRead, whenSelected } = useListSelection(
    list,
    noRows,
    showList,
  )
  /** Reads rows and checks them, unless the list or the selection changes before they arrive. */
  const checkRead = useCallback(
    (rows: Promise<ReadonlySet<string>>): void =>
      void selectRead(rows).catch((error: unknown) => toastProblem(problemOf(error), null)),
    [selectRead],
  )
  return { checked: selected, check: select, checkRead, clear, whenChecked: whenSelected }
}
