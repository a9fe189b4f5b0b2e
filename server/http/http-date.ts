/**
 * The `Date` header of responses in the service's time, which can be ahead of the machine's. Formats
 * each second once.
 *
 * @param now The service's current time, in milliseconds since 1970.
 */
export function createHttpDate(now: () => number): () => string {
  let second = Number.NaN
  let text = ''
  return () => {
    const current = Math.floor(now() / 1000)
    if (current !== second) {
      second = current
      text = new Date(current * 1000).toUTCString()
    }
    return text
  }
}
