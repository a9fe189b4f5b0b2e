/** The result for one part of an installation. */
export type Check = {
  ok: boolean
  /** The part's result, or why it doesn't work. */
  detail: string
  /** Duration in milliseconds. */
  ms: number
}

/** The parts that the core's process uses. */
export type CoreChecks = Record<'window' | 'worker' | 'keychain' | 'sandbox', Check>

/** The line that `keydesk --self-check` prints. */
export type SelfCheckReport = {
  ok: boolean
  version: string
  electron: string | undefined
  system: string
  packaged: boolean
  /** Why the check ended early; null if it is complete. */
  failure: string | null
  checks: CoreChecks | null
}

/** The keychain can be missing on a computer without a person, and Keydesk then uses a passphrase. */
export const isSound = ({ keychain: _optional, ...needed }: CoreChecks): boolean =>
  Object.values(needed).every(({ ok }) => ok)
