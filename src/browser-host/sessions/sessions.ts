import { createHash, randomBytes } from 'node:crypto'
import type { PageSession, PageSessions } from '../../platform/page-sessions.ts'

/** How long an opened address can be exchanged for a session, in milliseconds. */
export const tokenLifetimeMs = 60_000
/** How long a session lasts without a request or message of its page, in milliseconds. */
export const idleLifetimeMs = 12 * 60 * 60_000

/**
 * `page`: the address has the origin of this start. `entry`: it has the loopback address and is
 * replaced by a `page` token when a browser opens it.
 */
export type TokenKind = 'page' | 'entry'

/** Access to the core: the tokens of opened addresses, and the sessions they were exchanged for. */
export interface Sessions extends PageSessions {
  /**
   * A new single-use token, valid for {@link tokenLifetimeMs} from now. `onSpent` is called when it
   * is used or has expired.
   */
  issueToken(kind: TokenKind, onSpent?: () => void): string
  /** A `page` token in exchange for an `entry` token, once; otherwise null. */
  forward(token: string): string | null
  /**
   * A new session key in exchange for a token, once; null for an unknown, used or expired token. A
   * used token ends the session that it opened.
   */
  exchange(token: string, kinds: readonly TokenKind[], browser: string): string | null
  /** Allows a browser that can't reach the fresh origin to exchange an `entry` token. */
  allowEntry(token: string): void
  /** The id of a session's key, which counts as a use; null if the key is unknown or has expired. */
  use(key: string): string | null
  /** Registers a connection of a session, closed when it ends. The returned function removes it. */
  attach(id: string, close: () => void): () => void
  /** Ends idle sessions, and forgets expired tokens. */
  expire(): void
}

/** An address given to a person. Its token can be replaced once before it opens a session. */
type Grant = { until: number; session: string | null; revoked: boolean; onSpent: () => void }
type Token = { grant: Grant; kind: TokenKind; used: boolean }
type Session = PageSession & { usedAt: number; connections: Set<() => void> }

const secret = (): string => randomBytes(32).toString('base64url')
const digest = (value: string): string => createHash('sha256').update(value).digest('hex')

/**
 * Sessions in memory, which end with the process. It stores only hashes, and a lookup takes the
 * same time for any wrong key.
 *
 * @param monotonic time that no one can set, in milliseconds, which decides about expiry
 * @param now the time of day, for people
 */
export function createSessions(monotonic: () => number, now: () => number): Sessions {
  const tokens = new Map<string, Token>()
  const sessions = new Map<string, Session>()
  /** Session ids by the hash of their key. */
  const keys = new Map<string, string>()
  const listeners = new Set<(event: 'changed' | 'address-reused') => void>()
  const tell = (event: 'changed' | 'address-reused'): void => {
    for (const listener of listeners) listener(event)
  }

  function end(id: string): boolean {
    const session = sessions.get(id)
    if (session === undefined) return false
    sessions.delete(id)
    for (const [hash, owner] of keys) if (owner === id) keys.delete(hash)
    for (const close of session.connections) close()
    tell('changed')
    return true
  }

  function expire(): void {
    for (const [id, { usedAt }] of sessions) if (monotonic() - usedAt >= idleLifetimeMs) end(id)
    for (const [hash, { grant, used }] of tokens) {
      if (grant.session !== null ? sessions.has(grant.session) : grant.until > monotonic()) continue
      tokens.delete(hash)
      if (!used) grant.onSpent()
    }
  }

  function issue(grant: Grant, kind: TokenKind): string {
    const token = secret()
    tokens.set(digest(token), { grant, kind, used: false })
    return token
  }

  /** Marks a token as used and returns its grant. */
  function spend(value: string, kinds: readonly TokenKind[]): Grant | null {
    expire()
    const token = tokens.get(digest(value))
    if (token === undefined) return null
    const { grant, used, kind } = token
    if (used) {
      grant.revoked = true
      if (grant.session !== null) end(grant.session)
      tell('address-reused')
      return null
    }
    if (!kinds.includes(kind) || grant.revoked) return null
    token.used = true
    return grant
  }

  return {
    issueToken(kind, onSpent = () => {}) {
      expire()
      return issue(
        { until: monotonic() + tokenLifetimeMs, session: null, revoked: false, onSpent },
        kind,
      )
    },
    forward(token) {
      const grant = spend(token, ['entry'])
      return grant === null ? null : issue(grant, 'page')
    },
    allowEntry(token) {
      const entry = tokens.get(digest(token))
      if (entry?.used === false) entry.kind = 'page'
    },
    exchange(token, kinds, browser) {
      const grant = spend(token, kinds)
      if (grant === null) return null
      grant.onSpent()
      const id = randomBytes(9).toString('base64url')
      const key = `${id}.${secret()}`
      grant.session = id
      keys.set(digest(key), id)
      sessions.set(id, {
        id,
        browser,
        openedAt: now(),
        lastUsedAt: now(),
        usedAt: monotonic(),
        connected: false,
        connections: new Set(),
      })
      tell('changed')
      return key
    },
    use(key) {
      expire()
      const id = keys.get(digest(key))
      const session = id === undefined ? undefined : sessions.get(id)
      if (session === undefined) return null
      session.usedAt = monotonic()
      session.lastUsedAt = now()
      return session.id
    },
    attach(id, close) {
      const connections = sessions.get(id)?.connections
      connections?.add(close)
      tell('changed')
      return () => {
        if (connections?.delete(close) === true) tell('changed')
      }
    },
    expire,
    list() {
      expire()
      return [...sessions.values()]
        .map(({ usedAt: _usedAt, connections, ...session }) => ({
          ...session,
          connected: connections.size > 0,
        }))
        .toReversed()
    },
    end,
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
