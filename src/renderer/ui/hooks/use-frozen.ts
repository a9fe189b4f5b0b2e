import { useState } from 'react'

export interface Frozen<Value> {
  /** What the person reads and decides on. */
  shown: Value
  /** What is true now, if it differs; null otherwise. A press then does nothing. */
  moved: Value | null
  /** Decides on what is true now. */
  accept: () => void
}

/**
 * Holds on to a value that a person reads before pressing a button, so that data arriving meanwhile
 * never changes silently what the press does.
 *
 * @param live What is true now; null while there is nothing to decide on, which holds nothing.
 * @param subject What the person chose. Another choice shows what is true for it now.
 * @param key Identifies a value: values with the same key say the same.
 * @param read The value that the person read earlier; by default the value when it is shown.
 */
export function useFrozen<Value>(
  live: Value | null,
  subject: string,
  key: (value: Value) => string,
  read: Value | null = live,
): Frozen<Value | null> {
  const [held, setHeld] = useState<{ subject: string; value: Value } | null>(null)
  const isHeld = held !== null && held.subject === subject
  if (live === null && held !== null) setHeld(null)
  if (live !== null && !isHeld) setHeld({ subject, value: read ?? live })
  const shown = live === null || !isHeld ? live : held.value
  return {
    shown,
    moved: live === null || shown === null || key(live) === key(shown) ? null : live,
    accept: () => setHeld(live === null ? null : { subject, value: live }),
  }
}
