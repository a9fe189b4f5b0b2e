import type { Account } from '../../contract/accounts.ts'
import type { Problem } from '../../contract/base.ts'
import { failure } from '../failure.ts'
import type { AccountConnection, Credentials } from '../service-client/service-client.ts'
import type { AccountRecord } from './store.ts'

/** Whether this desk's own sandbox can be spoken to. */
export type SandboxPhase = 'stopped' | 'starting' | 'running'

/**
 * An account in use: its record, its key while there is one, and what the service last said of it.
 */
export type LiveAccount = {
  record: AccountRecord
  key: string | null
  /** The keychain has not answered yet. */
  loading: boolean
  /** Why the keychain gave no key; null when it simply has none. */
  keychainProblem: Problem | null
  refusal: { problem: Problem; since: number } | null
  /** Ends the background work; null while none runs. */
  work: AbortController | null
  /** Its files are being closed: no work begins. */
  paused: boolean
  /** Ends the wait for another look at a refusal. */
  cancelLook: () => void
  line: AccountConnection
}

const refusedStates: Record<string, Account['state']> = {
  UNAUTHORIZED: 'key-refused',
  ACCOUNT_NOT_ACTIVE: 'not-active',
  IP_NOT_ALLOWED: 'address-refused',
}

/**
 * The keys of the own sandbox come anew with each of its starts, so a demo account never waits for
 * a person to enter one.
 */
const hasKey = ({ record, key, loading }: LiveAccount): boolean =>
  key !== null || loading || record.demo !== null

/** Whether background work makes sense: there is a key and the service has not refused it. */
export const mayWork = (live: LiveAccount): boolean =>
  hasKey(live) && !live.loading && live.refusal === null && !live.paused

export function accountOf(live: LiveAccount): Account {
  const { id, name, role, mode, baseUrl, maskedKey, kept, serviceAccountId, createdAt } =
    live.record
  const state = !hasKey(live)
    ? 'key-missing'
    : live.refusal === null
      ? 'ready'
      : (refusedStates[live.refusal.problem.code] ?? 'key-refused')
  return {
    id,
    name,
    role,
    mode,
    baseUrl,
    maskedKey,
    keyKept: hasKey(live) ? kept : 'missing',
    state,
    serviceAccountId,
    createdAt,
  }
}

/** @param sandboxSince when the own sandbox came to its present phase */
export function credentialsOf(
  live: LiveAccount,
  sandbox: SandboxPhase,
  sandboxSince: number,
): Credentials {
  if (live.record.demo !== null && (sandbox !== 'running' || live.key === null)) {
    return sandbox === 'stopped'
      ? { state: 'offline', absent: sandboxStopped, since: sandboxSince }
      : { state: 'starting', absent: sandboxStarting }
  }
  if (live.key !== null) return { key: live.key, baseUrl: live.record.baseUrl }
  if (live.loading) return { state: 'starting', absent: keychainBusy }
  return { state: 'refused', absent: live.keychainProblem ?? keyMissing }
}

const problemOf = (code: string, what: string, next: string): Problem =>
  failure(code, what, next, { effect: 'Nothing was sent.' }).problem
const sandboxStarting = problemOf('OFFLINE', 'The sandbox is starting.', 'Wait a moment.')
const sandboxStopped = problemOf(
  'OFFLINE',
  'The sandbox is stopped.',
  'Start it to go on; what was loaded stays readable.',
)
const keychainBusy = problemOf(
  'KEY_MISSING',
  'The keychain has not given out the key yet.',
  'Unlock the keychain if it asks.',
)
const keyMissing = problemOf(
  'KEY_MISSING',
  'The key of this account is not on this machine.',
  'Enter the key again.',
)
