import { useCallback } from 'react'
import { problemOf } from '../../../lib/core/problem.ts'
import { toastProblem } from '../../feedback/toasts.tsx'
import { type SelectableList, useListSelection } from './use-list-selection.ts'

const noRows: ReadonlySet<string> = new Set()

/** The checked rows of a list, by their keys. See {@link useListSelection}. */
export function useCheckedRows(list: SelectableList) {
  const { selected, select, keep, selectRead, whenSelected, ...others } = useListSelection(
    list,
    noRows,
  )
  /** Reads rows and checks them, unless the list or the selection changes before they arrive. */
  const checkRead = useCallback(
    (rows: Promise<ReadonlySet<string>>): void =>
      void selectRead(rows).catch((error: unknown) => toastProblem(problemOf(error), null)),
    [selectRead],
  )
  /** Unchecks rows that an action was done with. Rows that were checked since it began stay. */
  const uncheck = useCallback(
    (rows: Iterable<string>): void => keep((checked) => checked.difference(new Set(rows))),
    [keep],
  )
  return {
    ...others,
    checked: selected,
    check: select,
    checkRead,
    uncheck,
    whenChecked: whenSelected,
  }
}
