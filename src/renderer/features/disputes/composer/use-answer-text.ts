import { useEffect, useRef, useState } from 'react'
import type { DisputeDetail } from '../../../../contract/disputes/dispute-records.ts'
import type { ReplyOutcome } from '../../../../contract/disputes/dispute-replies.ts'
import { useSavedDraft } from './use-saved-draft.ts'
import type { WrittenAnswer } from './use-saved-draft.ts'

const nothing: WrittenAnswer = { text: '', outcome: 'reply', promise: null }
const fromDraft = (draft: DisputeDetail['draft']): WrittenAnswer =>
  draft === null
    ? nothing
    : { text: draft.text ?? '', outcome: draft.outcome, promise: draft.promise }

/** The answer, saved as a draft, and the messages it was written against. */
export function useAnswerText(
  { accountId, disputeId, draft, messages }: DisputeDetail,
  onStarted: (messages: number | null) => void,
) {
  const [answer, draw] = useState(() => fromDraft(draft))
  /** The answer as last changed, for a template that is filled in while a person writes. */
  const latest = useRef(answer)
  const setAnswer = (next: WrittenAnswer): void => {
    latest.current = next
    draw(next)
  }
  const seen = useRef<number | null>(draft === null ? null : messages)
  const { saveLater, flush } = useSavedDraft(accountId, disputeId)
  /** Whether the field was emptied by sending: an undone answer comes back into it. */
  const sent = useRef(false)
  const setSeen = (count: number | null): void => {
    seen.current = count
    onStarted(count)
  }
  useEffect(() => {
    if (!sent.current || (draft?.text ?? '') === '') return
    sent.current = false
    latest.current = fromDraft(draft)
    draw(latest.current)
    seen.current = messages
  }, [draft, messages])
  const set = (next: WrittenAnswer): void => {
    sent.current = false
    setSeen(next.text === '' ? null : (seen.current ?? messages))
    setAnswer(next)
    saveLater(next)
  }
  return {
    ...answer,
    flush,
    /** Number of messages when writing started. */
    seen: (): number | null => seen.current,
    write: (text: string): void =>
      // A text that was deleted promises nothing.
      set(text.trim() === '' ? { ...nothing, text } : { ...latest.current, text }),
    choose: (outcome: ReplyOutcome): void => set({ ...latest.current, outcome }),
    /** Adds text. `promised`: its template’s promise and the chosen outcome; null if it has none. */
    add(more: string, promised: Pick<WrittenAnswer, 'promise' | 'outcome'> | null): void {
      const { text } = latest.current
      const joined = text.trim() === '' ? more : `${text.trimEnd()}\n\n${more}`
      set({ ...latest.current, ...promised, text: joined })
    },
    markSeen: (): void => setSeen(messages),
    /** Empties the field unless the text changed after it was sent. */
    clear(text: string): void {
      sent.current = true
      if (latest.current.text === text) setAnswer(nothing)
      setSeen(null)
    },
  }
}
export type AnswerText = ReturnType<typeof useAnswerText>
