/** Reads of which only the latest one counts, such as the rows that **Select all** checks. */
export interface LatestRead<Value> {
  /** Resolves to the result; null if another read was started or this one was dropped before it. */
  take: (read: Promise<Value>) => Promise<Value | null>
  /** Ignores the result or failure of a read in progress. */
  drop: () => void
  /**
   * Calls `use` with the result of the read in progress, unless it is dropped or fails. Only the
   * last `use` of a read is called.
   *
   * @returns Whether a read is in progress.
   */
  whenRead: (use: (value: Value) => void) => boolean
}

export function latestRead<Value>(): LatestRead<Value> {
  let latest: { taken: Promise<Value | null>; use: ((value: Value) => void) | null } | null = null
  /** Whether this read still counts. It is no longer in progress then. */
  const end = (taken: Promise<Value | null>): boolean => {
    if (latest?.taken !== taken) return false
    latest = null
    return true
  }
  return {
    take(read) {
      const taken: Promise<Value | null> = read.then(
        (value) => (end(taken) ? value : null),
        (error: unknown) => {
          if (end(taken)) throw error
          return null
        },
      )
      latest = { taken, use: null }
      return taken
    },
    drop() {
      latest = null
    },
    whenRead(use) {
      const current = latest
      if (current === null) return false
      if (current.use === null)
        void current.taken.then(
          (value) => {
            if (value !== null) current.use?.(value)
          },
          () => {},
        )
      current.use = use
      return true
    },
  }
}
