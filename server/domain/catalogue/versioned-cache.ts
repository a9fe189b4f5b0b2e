/** Keys are remembered as asked for, for each value that is kept. */
const ASKED_FOR_EACH = 8

/**
 * A function that remembers what was worked out for a key until the version changes; at most `size`
 * keys, the oldest go first. `version` has to change whenever an answer could. `fromSecond`: only
 * what is asked for again is kept, so that what is read once, such as the pages of a listing,
 * drives out nothing and is cleared up while it is young.
 */
export function createVersionedCache<Value>(
  version: () => number,
  size: number,
  { fromSecond = false }: { fromSecond?: boolean } = {},
): (key: string, work: () => Value) => Value {
  const kept = new Map<string, Value>()
  const asked = new Set<string>()
  let of = version()

  /** Whether a key was asked for before; it is from now on. */
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
