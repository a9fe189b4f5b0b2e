import { useEffect, useRef } from 'react'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'

const SAVE_AFTER_MS = 400

/** Saves a draft shortly after each change, and when the field is left or removed. */
export function useSavedDraft(accountId: string, disputeId: string) {
  const unsaved = useRef<{ text: string; timer: ReturnType<typeof setTimeout> } | null>(null)
  const flush = (): void => {
    if (unsaved.current === null) return
    const { text, timer } = unsaved.current
    clearTimeout(timer)
    unsaved.current = null
    void rpc.disputes
      .draft({ accountId, disputeId, text })
      .catch((error: unknown) => toastProblem(problemOf(error)))
  }
  const latest = useRef(flush)
  latest.current = flush
  useEffect(() => () => latest.current(), [])
  return {
    saveLater(text: string): void {
      if (unsaved.current !== null) clearTimeout(unsaved.current.timer)
      unsaved.current = { text, timer: setTimeout(() => latest.current(), SAVE_AFTER_MS) }
    },
    flush,
  }
}
