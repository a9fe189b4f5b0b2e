import type { Database } from 'better-sqlite3'
import type { Account, Connection } from '../contract/accounts.ts'
import type { ActivityEntry, Job, JobAction, Settings, Topic } from '../contract/app.ts'
import type { Problem } from '../contract/base.ts'
import type { Notice } from '../contract/notices.ts'
import type { Host } from '../platform/host.ts'
import type { AnswerBody, InputOf, OperationId } from '../../server/api/handlers.ts'
import type { Changes } from './changes.ts'
import type { Clock } from './clock.ts'
import type { Randomness } from './randomness.ts'

/** Who waits for a request: a person, a watch over something in front, or background work. */
export type Priority = 'person' | 'watch' | 'background'

export type CallOptions = {
  priority?: Priority
  signal?: AbortSignal
  /** Never repeated when the service may have carried it out: the caller looks first. */
  once?: boolean
  /**
   * Sent as `Idempotency-Key`; a call that moves money, keys or stock is repeated by itself only
   * with one.
   */
  idempotencyKey?: string
}

/**
 * Sends a request with a key to an address, and gives the answer. Throws NetworkError, AnswerError
 * or ServiceError.
 */
export type Perform<Body> = (
  credentials: { key: string; baseUrl: string },
  signal: AbortSignal,
) => Promise<{ status: number; requestId: string | null; body: Body }>

/**
 * One account's line to the service: scheduled under its rates, retried by the API's guidance,
 * recorded in the activity.
 */
export interface ServiceConnection {
  /**
   * Calls one operation of the endpoint table. Throws {@link import('./failure.ts').Failure}: the
   * service's code, or `OFFLINE` (certainly not sent), `ANSWER_LOST` (sent, answer unknown),
   * `KEY_MISSING`, `CANCELLED`.
   */
  call<Op extends OperationId>(
    operation: Op,
    input: InputOf<Op>,
    options?: CallOptions,
  ): Promise<AnswerBody<Op>>
  /**
   * The same where `perform` sends the request, perhaps in another thread: once for each try, when
   * its turn has come.
   */
  send<Body>(operation: OperationId, perform: Perform<Body>, options?: CallOptions): Promise<Body>
  /**
   * Fetches a public picture (https, or loopback for the sandbox; at most 2 MiB; png, jpeg, gif,
   * webp by magic bytes). Null when it can't be had.
   */
  picture(url: string, signal?: AbortSignal): Promise<{ contentType: string; bytes: Buffer } | null>
  state(): Pick<Connection, 'state' | 'since' | 'nextTryAt' | 'problem' | 'budget'>
  /**
   * Resolves when a call may succeed again (online, key accepted), or rejects when `signal` aborts.
   */
  ready(signal: AbortSignal): Promise<void>
}

export interface AccountRegistry {
  list(): Account[]
  /** Throws Failure `NOT_FOUND`. */
  get(accountId: string): Account
  /**
   * Whether the service takes an Idempotency-Key on seller calls that move keys (`GET /seller/me`,
   * Decision 29).
   */
  takesIdempotencyKeys(accountId: string): boolean
  /**
   * Called before an account's files are closed (it is removed, or its mirror is begun anew): end
   * work on them and drop what holds them open.
   */
  onRelease(task: (accountId: string) => Promise<void> | void): void
  /**
   * Called for each account at start and after each connect: start the account's background work.
   * Ends by `signal`.
   */
  onReady(task: (account: Account, signal: AbortSignal) => void): void
  /** Called when a person asks to sync now: begin at once what is due. */
  onSyncNow(task: (accountId: string) => void): void
  /** Adds what a feature knows to what the status bar tells of an account; must be cheap. */
  describe(teller: (account: Account) => ConnectionFacts): void
}

/** What features tell of an account for the status bar. The latest `lastSyncAt` wins. */
export type ConnectionFacts = {
  lastSyncAt?: number | null
  balance?: Connection['balance']
  counts?: Partial<Connection['counts']>
}

export interface Vault {
  /**
   * Throws Failure `VAULT_LOCKED` or `VAULT_UNSET` with what to do; call it before asking the
   * service for keys.
   */
  assertUnlocked(): void
  /**
   * Encrypts one value (AES-256-GCM, fresh nonce; associated data = account + record id).
   * Synchronous: usable inside a transaction.
   */
  seal(accountId: string, recordId: string, value: Uint8Array): Buffer
  open(accountId: string, recordId: string, sealed: Uint8Array): Buffer
  /**
   * Keyed fingerprint of a game key: HMAC-SHA-256 over the key's SHA-256, with a key of its own
   * derived from the data key.
   */
  fingerprint(keySha256: Uint8Array): Buffer
  /**
   * Key material for a worker that seals and fingerprints in bulk; handed over by transfer, never
   * written.
   */
  material(): { seal: Buffer; fingerprint: Buffer }
  /**
   * Does work whose keys come once and must be kept: throws as {@link assertUnlocked} does, and while
   * it runs {@link seal} works even if the vault is locked meanwhile.
   */
  holdUnlocked<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * Seals one value anew under the vault's present key; null when it is already. Throws Failure
 * `VAULT_DAMAGED` when neither the present nor the earlier key opens it, `VAULT_LOCKED` when the
 * vault was locked meanwhile.
 */
export type Reencrypt = (accountId: string, recordId: string, sealed: Uint8Array) => Buffer | null

export interface Mirrors {
  /**
   * The database of an account (open, migrated, WAL): its mirror `mirrors/<accountId>.db`, with its
   * catalogue `catalogues/<accountId>.db`, which only the catalogue's writer writes, and its
   * journal `journals/<accountId>.db` (synchronous FULL) attached. Ask anew for each use, or drop
   * what you hold in {@link AccountRegistry.onRelease}: a damaged mirror is begun anew.
   */
  database(accountId: string): Database
  /** Paths of the three files, for workers that open them themselves. */
  path(accountId: string): string
  cataloguePath(accountId: string): string
  journalPath(accountId: string): string
}

/** Long work that the status bar shows. */
export interface JobRegistry {
  /** Begins or updates a job; it offers the actions for which there are controls. */
  set(job: Omit<Job, 'can'>, controls?: JobControls): void
  end(jobId: string): void
  list(): Job[]
  /** Whether a person paused this job; it survives the process. */
  isPaused(jobId: string): boolean
  setPaused(jobId: string, paused: boolean): void
}

/** What a person may do with a job. */
export type JobControls = { [Action in JobAction]?: () => Promise<void> | void }

export interface ActivityLog {
  add(entry: Omit<ActivityEntry, 'id' | 'at'>): void
}

/** What is told to people as it happens. */
export interface Notifier {
  /** Told once; never with a secret. */
  notify(notice: Omit<Notice, 'noticeId' | 'at' | 'seen'>): void
}

export interface SettingsReader {
  get(): Settings
}

/** What people look at just now. */
export interface Attention {
  /** A window shows these records, or asked for them. */
  markViewed(accountId: string, topic: Topic): void
  isForeground(accountId: string, topic: Topic): boolean
  /** No window shows anything: all are hidden, idle or closed. */
  isHidden(): boolean
  /** Somebody types, and waits for an answer with each letter. */
  markTyping(): void
  /**
   * Resolves when nobody typed for some seconds, after a minute of typing all the same, and when
   * `signal` aborts: for work that can wait and takes much of the processor.
   */
  whenIdle(signal: AbortSignal): Promise<void>
  /** Told when something comes to the front that was not there. */
  onForeground(task: (accountId: string, topic: Topic) => void, signal: AbortSignal): void
}

/** What every feature of the core is given; nothing else of the core is reached. */
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
  /** What people look at just now: it is read more often. */
  readonly attention: Attention
  /** The line to the service of one account. Throws Failure `NOT_FOUND`. */
  connection(accountId: string): ServiceConnection
  /** A defect that nobody waits for: noted in the log and the activity, never with a secret. */
  report(where: string, error: unknown): Problem
  /** Whether there is room on the disk; `noted` says whether an error is that there is none. */
  diskSpace: { isFull(): boolean; isCausedBy(error: unknown): boolean }
}
