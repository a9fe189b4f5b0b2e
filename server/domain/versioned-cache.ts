/**
 * A function that remembers what was worked out for a key until the version changes; at most `size` keys, the oldest
 * go first. `version` has to change whenever an answer could.
 */
export function createVersionedCache<Value>(
  version: () => number,
  size: number,
): (key: string, work: () => Value) => Value {
  const kept = new Map<string, Value>()
  let of = version()
  return (key, work) => {
    if (of !== version()) {
      kept.clear()
      of = version()
    }
    const known = kept.get(key)
    if (known !== undefined) return known
    const value = work()
    const oldest = kept.keys().next()
    if (kept.size >= size && !oldest.done) kept.delete(oldest.value)
    kept.set(key, value)
    return value
  }
}
