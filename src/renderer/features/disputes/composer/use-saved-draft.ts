import { useEffect, useRef } from 'react'
import type { ReplyOutcome } from '../../../../contract/disputes/dispute-replies.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'

/** An answer that is being written, and what is sent with it. */
export interface WrittenAnswer {
  text: string
  outcome: ReplyOutcome
  /** The outcome that the template promises in the text; null if none is promised. */
  promise: ReplyOutcome | null
}

const SAVE_AFTER_MS = 400

/** Saves a draft shortly after each change, and when the field is left or removed. */
export function useSavedDraft(accountId: string, disputeId: string) {
  const unsaved = useRef<{ draft: WrittenAnswer; timer: ReturnType<typeof setTimeout> } | null>(
    null,
  )
  const flush = (): Promise<void> => {
    if (unsaved.current === null) return Promise.resolve()
    const { draft, timer } = unsaved.current
    clearTimeout(timer)
    unsaved.current = null
    return rpc.disputes
      .draft({ accountId, disputeId, ...draft })
      .catch((error: unknown) => void toastProblem(problemOf(error), `Draft for ${disputeId}`))
  }
  const latest = useRef(flush)
  latest.current = flush
  useEffect(() => () => void latest.current(), [])
  return {
    saveLater(draft: WrittenAnswer): void {
      if (unsaved.current !== null) clearTimeout(unsaved.current.timer)
      unsaved.current = { draft, timer: setTimeout(() => void latest.current(), SAVE_AFTER_MS) }
    },
    flush,
  }
}
