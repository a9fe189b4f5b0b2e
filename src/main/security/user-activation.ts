/** How long a click or key press of a person allows one link to open, in milliseconds. */
const lifetimeMs = 5000
/** How long a link waits for the report of the click that opened it, in milliseconds. */
const reportMs = 500

export type UserActivation = {
  /** The preload saw a click or key press of a person. */
  report(): void
  /** Runs a task if a person has just acted. Each action allows one task. */
  use(task: () => void): void
}

/**
 * Whether a person caused a request of the page. Electron doesn't report this for new windows, and
 * the report of a click can arrive after the request that the click caused.
 */
export function createUserActivation(now: () => number): UserActivation {
  let actedAt = -Infinity
  let waiting: { task: () => void; since: number } | null = null
  return {
    report() {
      const { task, since } = waiting ?? { task: null, since: 0 }
      waiting = null
      if (task !== null && now() - since <= reportMs) return task()
      actedAt = now()
    },
    use(task) {
      const allowed = now() - actedAt <= lifetimeMs
      actedAt = -Infinity
      waiting = allowed ? null : { task, since: now() }
      if (allowed) task()
    },
  }
}
