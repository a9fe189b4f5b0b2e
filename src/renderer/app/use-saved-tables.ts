import { useEffect } from 'react'
import { problemOf } from '../lib/core/problem.ts'
import { rpc } from '../lib/core/rpc.ts'
import { rememberTables } from '../ui/table/saved/remember-tables.ts'
import { toastProblem } from '../ui/feedback/toasts.tsx'

/**
 * Restores column and sort choices of tables. The core saves them for all windows of this data
 * folder.
 */
export function useSavedTables(): void {
  useEffect(() => {
    let end = (): void => {}
    let unmounted = false
    const save = (tableId: string, choice: string): void => {
      rpc.app.saveTable({ tableId, choice }).catch((error: unknown) => {
        toastProblem(problemOf(error), null)
      })
    }
    rpc.app.tables().then(
      (kept) => {
        if (!unmounted) end = rememberTables(kept, save)
      },
      () => {
        // Without the core there are no saved choices. The page already reports the lost
        // connection.
      },
    )
    return () => {
      unmounted = true
      end()
    }
  }, [])
}
