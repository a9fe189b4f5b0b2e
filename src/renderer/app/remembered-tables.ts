import { useEffect } from 'react'
import { problemOf } from '../lib/problem.ts'
import { rpc } from '../lib/rpc.ts'
import { rememberTables } from '../ui/table/remember.ts'
import { toastProblem } from '../ui/toasts.tsx'

/**
 * Tables look as they did when Keydesk was last used: what people chose for them is kept by the
 * core, for every window of this desk.
 */
export function useRememberedTables(): void {
  useEffect(() => {
    let end = (): void => {}
    let gone = false
    const keep = (tableId: string, choice: string): void => {
      rpc.app.keepTable({ tableId, choice }).catch((error: unknown) => {
        toastProblem(problemOf(error))
      })
    }
    rpc.app.tables().then(
      (kept) => {
        if (!gone) end = rememberTables(kept, keep)
      },
      () => {
        // Without the core there is nothing to remember by; the page tells that itself.
      },
    )
    return () => {
      gone = true
      end()
    }
  }, [])
}
