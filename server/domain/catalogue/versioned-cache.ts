/** How many requested keys are remembered for each cached value. */
const ASKED_FOR_EACH = 8

/**
 * A function that caches the value of each key until the version changes. It holds at most `size`
 * values and evicts the oldest first. `version` must change whenever an answer could change. With
 * `fromSecond`, only values that are requested a second time are cached: values read once, such as
 * the pages of a listing, then evict nothing and are garbage collected early.
 */
export function createVersionedCache<Value>(
  version: () => number,
  size: number,
  { fromSecond = false }: { fromSecond?: boolean } = {},
): (key: string, work: () => Value) => Value {
  const kept = new Map<string, Value>()
  const asked = new Set<string>()
  let of = version()

  /** Whether a key was requested before. Remembers the request. */
  function isAgain(key: string): boolean {
    if (asked.delete(key)) return true
    asked.add(key)
    const [oldest] = asked
    if (asked.size > size * ASKED_FOR_EACH && oldest !== undefined) asked.delete(oldest)
    return false
  }

  return (key, work) => {
    if (of !== version()) {
      kept.clear()
      asked.clear()
      of = version()
    }
    const known = kept.get(key)
    if (known !== undefined) return known
    const value = work()
    if (fromSecond && !isAgain(key)) return value
    const oldest = kept.keys().next()
    if (kept.size >= size && !oldest.done) kept.delete(oldest.value)
    kept.set(key, value)
    return value
  }
}
