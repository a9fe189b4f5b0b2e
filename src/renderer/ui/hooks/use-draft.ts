import { useState } from 'react'

interface Draft<Value> {
  typed: string
  /** Why it isn't valid; null if it is. */
  wrong: string | null
  before: Value
  /** The formatted value after it was typed; null until the next render. */
  text: string | null
}

export interface DraftField<Value> {
  /** The text of the field: as typed, or the formatted value. */
  typed: string
  wrong: string | null
  /** The value when the field got the focus. */
  before: Value
  /** The field gets the focus. */
  begin: () => void
  /** A character is typed. Call it together with the change of the value. */
  type: (typed: string, wrong: string | null) => void
  /** Shows the formatted value again. */
  end: () => void
}

/**
 * The text of a field whose value changes with every character. It stays as typed, also where the
 * value is rounded, until `end` is called or the value changes for another reason.
 */
export function useDraft<Value>(value: Value, format: (value: Value) => string): DraftField<Value> {
  const [draft, setDraft] = useState<Draft<Value> | null>(null)
  const text = format(value)
  if (draft?.text === null) setDraft({ ...draft, text })
  const isOwn = draft !== null && (draft.text ?? text) === text
  const { typed, wrong, before } = isOwn ? draft : { typed: text, wrong: null, before: value }
  return {
    typed,
    wrong,
    before,
    begin: () => {
      if (!isOwn) setDraft({ typed: text, wrong: null, before: value, text })
    },
    type: (next, why) => setDraft({ typed: next, wrong: why, before, text: null }),
    end: () => setDraft(null),
  }
}
