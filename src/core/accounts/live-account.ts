import type { Account } from '../../contract/app/accounts.ts'
import type { Problem } from '../../contract/base.ts'
import type { ProblemCode } from '../../contract/problem-codes.ts'
import { failure } from '../failure.ts'
import type { AccountConnection, Credentials } from '../service-client/service-client.ts'
import type { ServiceTime } from './checks/service-time.ts'
import type { AccountRecord } from './store.ts'

/** Whether this data folder's sandbox accepts requests. */
export type SandboxPhase = 'stopped' | 'starting' | 'running'

/**
 * An account in use: its record, its key if there is one, and the service's latest response about
 * it.
 */
export type LiveAccount = {
  record: AccountRecord
  key: string | null
  /** The keychain hasn't responded yet. */
  loading: boolean
  /** Why the keychain returned no key; null when it simply has none. */
  keychainProblem: Problem | null
  /** The address before a restore that changed it, until a person confirms the new one. */
  addressBefore: string | null
  rejection: { problem: Problem; since: number } | null
  /** Stops the background work; null while none runs. */
  work: AbortController | null
  /** Its files are being closed: start no work. */
  paused: boolean
  /** It waits for its next turn: start no work. */
  asleep: boolean
  /** Cancels the scheduled retry after a rejection. */
  cancelRecheck: () => void
  connection: AccountConnection
  time: ServiceTime
}

const rejectedStates: Readonly<Partial<Record<ProblemCode, Account['state']>>> = {
  UNAUTHORIZED: 'key-refused',
  ACCOUNT_NOT_ACTIVE: 'not-active',
  IP_NOT_ALLOWED: 'address-refused',
}

/** Each start of the sandbox creates new keys, so a demo account never asks a person for one. */
const hasKey = ({ record, key, loading, addressBefore }: LiveAccount): boolean =>
  addressBefore === null && (key !== null || loading || record.demo !== null)

/** Whether background work can run in its turn: there is a key that the service hasn't rejected. */
export const canTakeTurn = (live: LiveAccount): boolean =>
  hasKey(live) && !live.loading && live.rejection === null && !live.paused
/** Whether to run background work. */
export const canWork = (live: LiveAccount): boolean => canTakeTurn(live) && !live.asleep

export function accountOf(live: LiveAccount): Account {
  const { id, name, role, mode, baseUrl, maskedKey, kept, serviceAccountId, createdAt } =
    live.record
  const state =
    live.addressBefore !== null
      ? 'address-unconfirmed'
      : !hasKey(live)
        ? 'key-missing'
        : live.rejection === null
          ? 'ready'
          : (rejectedStates[live.rejection.problem.code] ?? 'key-refused')
  return {
    id,
    name,
    role,
    mode,
    baseUrl,
    maskedKey,
    keyKept: hasKey(live) || live.addressBefore !== null ? kept : 'missing',
    addressBefore: live.addressBefore,
    state,
    serviceAccountId,
    createdAt,
    clockOffsetMs: live.time.offsetMs(),
  }
}

/** @param sandboxSince when the sandbox entered its current phase */
export function credentialsOf(
  live: LiveAccount,
  sandbox: SandboxPhase,
  sandboxSince: number,
): Credentials {
  if (live.addressBefore !== null) return { state: 'refused', absent: addressUnconfirmed }
  if (live.record.demo !== null && (sandbox !== 'running' || live.key === null)) {
    return sandbox === 'stopped'
      ? { state: 'offline', absent: sandboxStopped, since: sandboxSince }
      : { state: 'starting', absent: sandboxStarting }
  }
  if (live.key !== null) return { key: live.key, baseUrl: live.record.baseUrl }
  if (live.loading) return { state: 'starting', absent: keychainLoading }
  return { state: 'refused', absent: live.keychainProblem ?? keyMissing }
}

const problemOf = (code: ProblemCode, what: string, next: string): Problem =>
  failure(code, what, next, { effect: 'Nothing was sent.' }).problem
const sandboxStarting = problemOf('OFFLINE', 'The sandbox is starting.', 'Wait a moment.')
const sandboxStopped = problemOf(
  'OFFLINE',
  'The sandbox is stopped.',
  'Start it to continue. Loaded data stays readable.',
)
const keychainLoading = problemOf(
  'KEY_MISSING',
  'The keychain hasn’t provided the key yet.',
  'Unlock the keychain if it asks.',
)
const addressUnconfirmed = problemOf(
  'KEY_MISSING',
  'A restored backup changed this account’s address.',
  'Confirm the address, or enter the key again.',
)
const keyMissing = problemOf(
  'KEY_MISSING',
  'This account’s key isn’t on this computer.',
  'Enter the key again.',
)

/** Instead of credentials, while a copy of the data is open for reading. */
export const shownOnly: Credentials = {
  state: 'offline',
  absent: problemOf(
    'READ_ONLY',
    'Keydesk is open read-only.',
    'Choose how to continue with your data first.',
  ),
}
