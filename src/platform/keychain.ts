/** What the console knows of the OS keychain on this machine. */
export type KeychainProbe = {
  available: boolean
  /** What people call it: "GNOME Keyring", "Keychain", "Windows Credential Manager". */
  name: string
  /** Why it can't be used, in one sentence; null when it can. */
  reason: string | null
}

/**
 * The OS keychain: the only place that outlives the process where an API key or a data key may be.
 * `get` answers null only for "absent": where no service answers, `get`, `set` and `delete` throw,
 * so that absence and failure are never mixed up.
 */
export interface Keychain {
  /**
   * Proves by set, get and delete of a throw-away entry that secrets can be kept; asks again at
   * each call.
   */
  probe(): Promise<KeychainProbe>
  get(entry: string): Promise<string | null>
  set(entry: string, secret: string): Promise<void>
  delete(entry: string): Promise<void>
}
