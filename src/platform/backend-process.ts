/** The ready line of the bundled backend. */
export type BackendReady = {
  baseUrl: string
  sellerUrl: string
  dashboardUrl: string
  dashboardToken: string
  /** Keys of the demo accounts, new at each start; null in an empty world. */
  demo: { partnerTestKey: string; partnerLiveKey: string; sellerKey: string } | null
}

export type BackendOptions = {
  /**
   * Folder of its database; kept between starts. Null: nothing is kept, and request rates are off:
   * a service of one's own for a while.
   */
  dataDir: string | null
  /** 0: any free port. */
  port: number
  seed: 'demo' | 'empty'
  products?: number
}

export type BackendLimits = {
  /** How long a backend may take to be ready, in milliseconds; one that isn't by then is ended. */
  readyMs: number
  /** How long it has to end by itself before it is killed, in milliseconds. */
  endMs: number
}

/** To be ready takes a second or two; a large world is checked longer, on a busy machine. */
export const usualLimits: BackendLimits = { readyMs: 180_000, endMs: 2000 }

export interface RunningBackend {
  readonly ready: BackendReady
  /** Ends it: resolves when the process is gone, by force after 2 s. */
  stop(): Promise<void>
  /**
   * Resolves with the exit status and the last lines it wrote to stderr, whenever and however the
   * process ends.
   */
  readonly ended: Promise<{ code: number | null; lastWords: string }>
}

/**
 * Starts bundled backend processes. Only the host may fork (Electron: `utilityProcess`; browser
 * host: Node), so the core asks it. A backend never outlives the console: it ends when its standard
 * input closes.
 */
export interface BackendProcesses {
  /**
   * Resolves at the ready line; rejects with the process's own last words when it ends before, or
   * is ended because it took too long.
   */
  start(options: BackendOptions): Promise<RunningBackend>
}
