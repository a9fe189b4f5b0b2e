import type { Database } from 'better-sqlite3'
import type { Account, Connection } from '../contract/app/accounts.ts'
import type { ActivityEntry, Job, JobAction, Settings, Topic } from '../contract/app/app.ts'
import type { Problem } from '../contract/base.ts'
import type { Notice } from '../contract/app/notices.ts'
import type { Host } from '../platform/host.ts'
import type { ResponseBody, InputOf, OperationId } from '../../server/api/handlers.ts'
import type { Changes } from './changes.ts'
import type { Clock } from './clock.ts'
import type { Randomness } from './randomness.ts'

/** The origin of a request: a person, a poll of something on screen, or background work. */
export type Priority = 'person' | 'watch' | 'background'

export type CallOptions = {
  priority?: Priority
  signal?: AbortSignal
  /** Never repeat the call when the service may have executed it: the caller checks first. */
  once?: boolean
  /**
   * For a change that can be queued instead: wait briefly, and never try again. A read that gets no
   * response of the service within 1.5 s fails with `OFFLINE`, because nothing was sent.
   */
  quick?: boolean
  /**
   * Sent as `Idempotency-Key`. Without one, a call that moves money, keys or stock is never
   * repeated automatically.
   */
  idempotencyKey?: string
}

/**
 * Sends a request with a key to an address and returns the response. Throws NetworkError,
 * AnswerError or ServiceError.
 */
export type Perform<Body> = (
  credentials: { key: string; baseUrl: string },
  signal: AbortSignal,
) => Promise<{ status: number; requestId: string | null; body: Body }>

/**
 * One account's connection to the service: scheduled within its rate limits, retried as the API's
 * guidance says, recorded in the activity.
 */
export interface ServiceConnection {
  /**
   * Calls one operation of the endpoint table. Throws {@link import('./failure.ts').Failure} with
   * the service's code, or `OFFLINE` (not sent), `ANSWER_LOST` (sent, outcome unknown),
   * `KEY_MISSING` or `CANCELLED`. Its `certainty` says whether the call was executed.
   */
  call<Op extends OperationId>(
    operation: Op,
    input: InputOf<Op>,
    options?: CallOptions,
  ): Promise<ResponseBody<Op>>
  /**
   * Like `call`, with `perform` sending the request, perhaps in another thread. It runs once per
   * try, when the schedule allows it.
   */
  send<Body>(operation: OperationId, perform: Perform<Body>, options?: CallOptions): Promise<Body>
  /**
   * Fetches a public picture (https, or loopback for the sandbox; at most 2 MiB; png, jpeg, gif or
   * webp by magic bytes). Null when it is unavailable.
   */
  picture(url: string, signal?: AbortSignal): Promise<{ contentType: string; bytes: Buffer } | null>
  state(): Pick<Connection, 'state' | 'since' | 'nextTryAt' | 'problem' | 'budget'>
  /**
   * Resolves when a call may succeed again (online, key accepted), or rejects when `signal` aborts.
   */
  ready(signal: AbortSignal): Promise<void>
}

export interface AccountRegistry {
  /** The accounts, or those of a role or at an address. */
  list(only?: Partial<Pick<Account, 'role' | 'baseUrl'>>): Account[]
  /** Throws Failure `NOT_FOUND`. */
  get(accountId: string): Account
  /**
   * Whether the service accepts an Idempotency-Key on seller calls that move keys (`GET
   * /seller/me`, Decision 29).
   */
  acceptsIdempotencyKeys(accountId: string): boolean
  /**
   * The current time of the account's service, in milliseconds since 1970. Compare it with times
   * that the service reports: deadlines, releases, sales. A sandbox can be days ahead, and this
   * computer's clock can be wrong. Throws Failure `NOT_FOUND`.
   */
  serviceNow(accountId: string): number
  /**
   * Called before an account's files are closed, because it is removed or its mirror is rebuilt.
   * Stop work on them and release what keeps them open.
   */
  onRelease(task: (accountId: string) => Promise<void> | void): void
  /**
   * Called for each account at the start and after each connect: start the account's background
   * work, until `signal` aborts.
   */
  onReady(task: (account: Account, signal: AbortSignal) => void): void
  /** Called when a person requests a sync: start what is due now. */
  onSyncNow(task: (accountId: string) => void): void
  /** Whether the account's files are closed until its next turn: there are more than can be open. */
  isAsleep(accountId: string): boolean
  /** Opens an account's files for work of another account, and keeps them open during it. */
  hold<Result>(accountId: string, work: () => Result | Promise<Result>): Promise<Result>
  /**
   * Declares a value that is known of every account, also while its files are closed. It is stored
   * as JSON under `name`; `empty` is the value of an account without files.
   */
  summary<Value>(
    name: string,
    empty: Value,
    read: (accountId: string) => Value,
  ): (accountId: string) => Value
}

/**
 * Why an account should keep working although others wait: `stay` until this work is done, or `soon`
 * to get the next turn earlier.
 */
export type Duty = 'stay' | 'soon' | null

/** A feature's facts for the status bar. */
export type ConnectionFacts = {
  synced?: Connection['synced']
  balance?: Connection['balance']
  counts?: Partial<Connection['counts']>
}

export interface Vault {
  /**
   * Throws Failure `VAULT_LOCKED` or `VAULT_UNSET` with the next step. Call it before requesting
   * keys from the service.
   */
  assertUnlocked(): void
  /**
   * Encrypts one value (AES-256-GCM, fresh nonce; associated data = account + record ID).
   * Synchronous, so that it works inside a transaction.
   */
  seal(accountId: string, recordId: string, value: Uint8Array): Buffer
  open(accountId: string, recordId: string, sealed: Uint8Array): Buffer
  /**
   * Keyed fingerprint of a game key: HMAC-SHA-256 over the key's SHA-256, with its own key derived
   * from the data key.
   */
  fingerprint(keySha256: Uint8Array): Buffer
  /** Key material for a worker that seals and fingerprints in bulk. Transferred, never written. */
  material(): { seal: Buffer; fingerprint: Buffer }
  /**
   * Runs work that receives keys only once and must store them. Throws as {@link assertUnlocked}
   * does. While it runs, {@link seal} works even if the vault is locked.
   */
  holdUnlocked<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * Encrypts a value again under the vault's current key; null when it already is. Throws Failure
 * `VAULT_DAMAGED` when neither the current nor the previous key opens it, `VAULT_LOCKED` when the
 * vault is locked.
 */
export type Reencrypt = (accountId: string, recordId: string, sealed: Uint8Array) => Buffer | null
/** Encrypts again the values that a feature stores in an account's files of its own. */
export type ReencryptFiles = (
  dataDir: string,
  accountId: string,
  reseal: Reencrypt,
) => { values: number; unreadable: number }

export interface Mirrors {
  /**
   * The database of an account (open, migrated, WAL): its mirror `mirrors/<accountId>.db`, with its
   * catalogue `catalogues/<accountId>.db`, which only the catalogue's writer changes, and its
   * journal `journals/<accountId>.db` (synchronous FULL) attached. Request it for each use, or
   * release it in {@link AccountRegistry.onRelease}: a damaged mirror is rebuilt.
   */
  database(accountId: string): Database
  /** Reads an account's database. Files that were closed are closed again afterwards. */
  glance<Result>(accountId: string, read: (database: Database) => Result): Result
  /** Paths of the three files, for workers that open them themselves. */
  path(accountId: string): string
  cataloguePath(accountId: string): string
  journalPath(accountId: string): string
}

/** Long work that the status bar shows. */
export interface JobRegistry {
  /** Adds or updates a job. It offers the actions that have controls. */
  set(job: Omit<Job, 'can'>, controls?: JobControls): void
  end(jobId: string): void
  list(): Job[]
  /** Whether a person paused this job. A restart does not change it. */
  isPaused(jobId: string): boolean
  setPaused(jobId: string, paused: boolean): void
}

/** The actions that a person can take on a job. */
export type JobControls = { [Action in JobAction]?: () => Promise<void> | void }

export interface ActivityLog {
  add(entry: Omit<ActivityEntry, 'id' | 'at'>): void
}

/** Notifies people when something happens. */
export interface Notifier {
  /** Notifies once; never with a secret. */
  notify(notice: Omit<Notice, 'noticeId' | 'at' | 'seen'>): void
}

/** The small file with the data that can't be rebuilt when the data folder's database is lost. */
export interface SafetyCopy {
  /** Call it after an account or the vault's key was stored. */
  update(): void
  /**
   * Call it before an account is removed, so that the copy never lists an account that was removed
   * on purpose.
   */
  leaveOut(accountId: string): void
}

export interface SettingsReader {
  get(): Settings
}

/** The records that people are viewing. */
export interface Attention {
  /** A window shows these records, or has requested them. */
  markViewed(accountId: string, topic: Topic): void
  isForeground(accountId: string, topic: Topic): boolean
  /** No window shows anything: all are hidden, idle or closed. */
  isHidden(): boolean
  /** A person is typing, and results update with each keystroke. */
  markTyping(): void
  /**
   * Resolves when no one has typed for some seconds, at the latest after a minute, or when `signal`
   * aborts. For CPU-intensive work that can be postponed.
   */
  whenIdle(signal: AbortSignal): Promise<void>
  /** Calls the task when records come to the foreground that weren't there before. */
  onForeground(task: (accountId: string, topic: Topic) => void, signal: AbortSignal): void
}

/**
 * Everything the core provides to each feature. A feature uses nothing else from the core, and
 * declares the members it uses as a type of its own, such as `OffersContext`.
 */
export interface CoreContext {
  readonly host: Host
  readonly clock: Clock
  readonly random: Randomness
  readonly changes: Changes
  readonly accounts: AccountRegistry
  readonly vault: Vault
  readonly mirrors: Mirrors
  readonly jobs: JobRegistry
  readonly activity: ActivityLog
  readonly settings: SettingsReader
  readonly notices: Notifier
  /** The records that people are viewing: they are polled more often. */
  readonly attention: Attention
  /** An account's connection to the service. Throws Failure `NOT_FOUND`. */
  connection(accountId: string): ServiceConnection
  /** Records an error that no caller handles in the log and the activity, never with a secret. */
  report(where: string, error: unknown): Problem
  /** Whether the disk is full; `isCausedBy` says whether an error means that it is. */
  diskSpace: { isFull(): boolean; isCausedBy(error: unknown): boolean }
}
