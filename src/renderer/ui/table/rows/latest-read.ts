/** Reads of which only the latest one counts, such as the rows that **Select all** checks. */
export interface LatestRead {
  /** Resolves to the result; null if another read was started or this one was dropped before it. */
  take: <Value>(read: Promise<Value>) => Promise<Value | null>
  /** Ignores the result or failure of a read in progress. */
  drop: () => void
}

export function latestRead(): LatestRead {
  let latest: Promise<unknown> | null = null
  return {
    async take(read) {
      latest = read
      try {
        const value = await read
        return latest === read ? value : null
      } catch (error) {
        if (latest !== read) return null
        throw error
      }
    },
    drop() {
      latest = null
    },
  }
}
