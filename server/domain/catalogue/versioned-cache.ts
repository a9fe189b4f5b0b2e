/** How many requested keys are remembered for each cached value. */
const REQUESTED_PER_VALUE = 8

/**
 * A function that caches the value of each key until the version changes. It holds at most `size`
 * values and evicts the oldest first. `version` must change whenever a response could change. With
 * `fromSecond`, only values that are requested a second time are cached: values read once, such as
 * the pages of a listing, then evict nothing and are garbage collected early.
 */
export function createVersionedCache<Value>(
  version: () => string | number,
  size: number,
  { fromSecond = false }: { fromSecond?: boolean } = {},
): (key: string, work: () => Value) => Value {
  const values = new Map<string, Value>()
  const requested = new Set<string>()
  let of = version()

  /** Whether a key was requested before. Remembers the request. */
  function wasRequested(key: string): boolean {
    if (requested.delete(key)) return true
    requested.add(key)
    const [oldest] = requested
    if (requested.size > size * REQUESTED_PER_VALUE && oldest !== undefined)
      requested.delete(oldest)
    return false
  }

  return (key, work) => {
    if (of !== version()) {
      values.clear()
      requested.clear()
      of = version()
    }
    const known = values.get(key)
    if (known !== undefined) return known
    const value = work()
    if (fromSecond && !wasRequested(key)) return value
    const oldest = values.keys().next()
    if (values.size >= size && !oldest.done) values.delete(oldest.value)
    values.set(key, value)
    return value
  }
}
