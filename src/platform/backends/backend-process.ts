import { backendEnvironment } from '../environment.ts'

/** The ready line of the bundled backend. */
export type BackendReady = {
  baseUrl: string
  sellerUrl: string
  dashboardUrl: string
  dashboardToken: string
  /** Keys of the demo accounts, new at each start; null for an empty world. */
  demo: { partnerTestKey: string; partnerLiveKey: string; sellerKey: string } | null
}

export type BackendOptions = {
  /**
   * The folder of its database, kept between starts. Null for a temporary service in memory with no
   * rate limits.
   */
  dataDir: string | null
  /** 0 for any free port. */
  port: number
  seed: 'demo' | 'empty'
  products?: number
  /**
   * For a service in memory: derives its ids, keys and times from this text, so that the same
   * requests get the same answers. Who knows the text knows the keys.
   */
  repeatable?: string
}

/** The command line of a backend, and the variables that it needs. */
export function backendStart(
  { dataDir, port, seed, products, repeatable }: BackendOptions,
  env: NodeJS.ProcessEnv,
): { args: string[]; env: Record<string, string> } {
  const kept = dataDir === null ? ['--memory', '--no-limits'] : ['--data', dataDir]
  return {
    args: [
      '--port',
      String(port),
      ...kept,
      '--seed',
      seed,
      ...(products === undefined ? [] : ['--products', String(products)]),
      // Without webhooks it doesn't record its requests either.
      ...(repeatable === undefined ? [] : ['--no-webhooks']),
    ],
    env: {
      ...backendEnvironment(env),
      // Other users of this computer can read command lines.
      ...(repeatable === undefined ? {} : { KEYDESK_SANDBOX_REPEATABLE: repeatable }),
    },
  }
}

export type BackendLimits = {
  /** How long a backend has to become ready, in milliseconds. After that it is stopped. */
  readyMs: number
  /** How long it has to exit before it is killed, in milliseconds. */
  stopMs: number
}

/**
 * Starting takes a second or two; checking a large world takes longer, especially on a busy
 * computer.
 */
export const defaultLimits: BackendLimits = { readyMs: 180_000, stopMs: 2000 }

export interface RunningBackend {
  readonly ready: BackendReady
  /** Stops it. Resolves when the process has exited; it is killed after 2 s. */
  stop(): Promise<void>
  /**
   * Resolves with the exit status and the last lines of stderr, whenever and however the process
   * exits.
   */
  readonly ended: Promise<{ code: number | null; lastWords: string }>
}

/**
 * Starts bundled backend processes. Only the host can fork (Electron: `utilityProcess`; browser
 * host: Node), so the core asks the host. A backend never outlives the console: it exits when its
 * standard input closes.
 */
export interface BackendProcesses {
  /**
   * Resolves at the ready line. Rejects with the last lines of stderr when the process exits before
   * that, or is stopped because it took too long.
   */
  start(options: BackendOptions): Promise<RunningBackend>
}
