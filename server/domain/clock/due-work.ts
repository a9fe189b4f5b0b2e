/** Work that becomes due at a time on the service's clock. */
export interface DueWork {
  /** When the earliest piece is due; null when nothing is due. */
  nextAt(): number | null
  /** Runs everything that is due at `at`, as of that time. */
  run(at: number): void | Promise<void>
  /**
   * Resolves when everything that `run` started has ended. Only work that continues after `run`
   * returns has it.
   */
  idle?(): Promise<void>
  /**
   * Each piece runs as of its own due time, however late, so the result is the same whether time
   * passed or the clock was moved. `run` awaits nothing.
   */
  readonly punctual?: true
}

export interface Due {
  work: DueWork
  at: number
}

/** The work that is due first, and when; null when nothing is due. */
export function earliest(works: readonly DueWork[]): Due | null {
  let first: Due | null = null
  for (const work of works) {
    const at = work.nextAt()
    if (at !== null && (!first || at < first.at)) first = { work, at }
  }
  return first
}
