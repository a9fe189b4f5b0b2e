/** A browser tab's access to the core. It contains no secret. */
export type PageSession = {
  id: string
  /** The browser, as it identifies itself: "Firefox on Linux". */
  browser: string
  /** Wall-clock times in milliseconds since 1970. */
  openedAt: number
  lastUsedAt: number
  /** Whether a page is connected with it now. */
  connected: boolean
}

/** The sessions of a host that lets pages in by an address. */
export interface PageSessions {
  /** Newest first. */
  list(): PageSession[]
  /** Ends a session and disconnects its pages. False if it has already ended. */
  end(id: string): boolean
  /**
   * Calls the listener when a session begins or ends, and when someone presents an address that
   * was already used, which ends the session that it opened. The returned function removes it.
   */
  watch(listener: (event: 'changed' | 'address-reused') => void): () => void
}
