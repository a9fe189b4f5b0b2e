/** The state of this computer's OS keychain. */
export type KeychainProbe = {
  available: boolean
  /** The name people know: "GNOME Keyring", "Keychain", "Windows Credential Manager". */
  name: string
  /** Why it can't be used, in one sentence; null when it can. */
  reason: string | null
}

/**
 * The OS keychain: the only persistent place for an API key or a data key. `get` returns null only
 * for "absent". When no service responds, `get`, `set` and `delete` throw, so that absence and
 * failure are never confused.
 */
export interface Keychain {
  /**
   * Proves that secrets can be stored by setting, reading and deleting a temporary entry. Checks
   * again at each call.
   */
  probe(): Promise<KeychainProbe>
  get(entry: string): Promise<string | null>
  set(entry: string, secret: string): Promise<void>
  delete(entry: string): Promise<void>
}
