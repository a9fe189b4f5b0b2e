import { createHash, randomBytes } from 'node:crypto'

/** How long an opened address can be exchanged for a session, in milliseconds. */
export const tokenLifetimeMs = 60_000

/** Access to the core: the tokens of opened addresses, and the sessions they were exchanged for. */
export interface Sessions {
  /** A new single-use token, valid for {@link tokenLifetimeMs} from now. */
  issueToken(): string
  /**
   * A new session key in exchange for a token, once; null for an unknown, used or expired token.
   */
  exchange(token: string): string | null
  isSession(key: string): boolean
}

/**
 * Sessions in memory, which end with the process. It stores only hashes, and a lookup takes the
 * same time for any wrong key.
 */
export function createSessions(now: () => number): Sessions {
  const tokens = new Map<string, number>()
  const sessions = new Set<string>()
  const secret = (): string => randomBytes(32).toString('base64url')
  const digest = (value: string): string => createHash('sha256').update(value).digest('hex')
  return {
    issueToken() {
      for (const [hash, until] of tokens) if (until <= now()) tokens.delete(hash)
      const token = secret()
      tokens.set(digest(token), now() + tokenLifetimeMs)
      return token
    },
    exchange(token) {
      const hash = digest(token)
      const until = tokens.get(hash)
      tokens.delete(hash)
      if (until === undefined || until <= now()) return null
      const key = secret()
      sessions.add(digest(key))
      return key
    },
    isSession: (key) => sessions.has(digest(key)),
  }
}
