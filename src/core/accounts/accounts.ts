import { keyKind } from '../../../server/api/key-prefix.ts'
import type { Account, Connection, KeyCheck, Removal } from '../../contract/app/accounts.ts'
import type { AccountRegistry, ConnectionFacts, Duty, ServiceConnection } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import { normalizeBaseUrl } from './base-url.ts'
import { checkKey, maskedKey } from './checks/key-check.ts'
import { createKeyStore } from './key-store.ts'
import { accountOf, canTakeTurn } from './live-account.ts'
import type { SandboxPhase } from './live-account.ts'
import type { AccountsParts } from './parts.ts'
import { createRegistry } from './account-registry.ts'
import { createAccountStore } from './store.ts'
import type { AccountRecord } from './store.ts'
import { createSummaries } from './turns/summaries.ts'
import { createTurns } from './turns/turns.ts'
export type { SandboxPhase } from './live-account.ts'
export { createHeldAddresses, holdAddress } from './held-address.ts'
export { accountsSchema } from './schema.ts'
export { createAccountStore, storedAccountIds } from './store.ts'
export type { AccountRecord } from './store.ts'
export { openAccounts } from './turns/open-accounts.ts'
export { createSandboxProof } from './checks/sandbox-proof.ts'

type KeyStorage = 'keychain' | 'session'
export type DemoAccount = {
  demo: 'seller' | 'partner'
  name: string
  key: string
  baseUrl: string
  keep: KeyStorage
}

export interface Accounts extends AccountRegistry {
  has(accountId: string): boolean
  check(key: string, baseUrl: string): Promise<KeyCheck>
  connect(given: { key: string; baseUrl: string; name: string; keep: KeyStorage }): Promise<Account>
  rename(accountId: string, name: string): Account
  /** Uses the address that a restored backup changed. */
  confirmAddress(accountId: string): Promise<Account>
  rekey(accountId: string, key: string, keep: KeyStorage): Promise<Account>
  /**
   * Deletes an account and its data from this computer.
   *
   * @param removal what it deletes, for the activity, which is kept. Null when its sandbox has a
   *   new world: then its activity is deleted too.
   */
  remove(accountId: string, removal: Removal | null): Promise<void>
  /**
   * Stops the account's work, makes every feature release its files, runs `between`, and starts the
   * work again.
   */
  restart(accountId: string, between: () => void): Promise<void>
  /**
   * Runs a person's request on an account with its files open. It waits while they are being closed,
   * or while the most accounts that can be open are in use.
   *
   * @param wakes whether the account starts working if it is asleep
   */
  use<Result>(
    accountId: string,
    wakes: boolean,
    work: () => Result | Promise<Result>,
  ): Promise<Result>
  /** Says which accounts should keep working although others wait for their turn. */
  onDuty(duty: (account: Account) => Duty): void
  /** An account's entry in the status bar, with the facts of all features. */
  connection(accountId: string, facts: readonly ConnectionFacts[]): Connection
  syncNow(accountId: string): Promise<void>
  serviceConnection(accountId: string): ServiceConnection
  /** The demo accounts of this data folder's sandbox. */
  demoAccounts(): Account[]
  /** Connects a demo account of the sandbox, or updates its key and address. */
  connectDemo(given: DemoAccount): Promise<Account>
  setSandboxPhase(phase: SandboxPhase): void
  /**
   * Reads the keys and starts the background work of every account. Resolves when the keychain has
   * responded, or after a short wait without it.
   */
  start(): Promise<void>
  /** Lists the accounts without their keys. Their calls fail, and no background work starts. */
  showOnly(): void
  close(): void
  /**
   * Stores the summaries of the accounts that are open, so that the next start doesn't have to open
   * them. Call it when their work has ended.
   */
  keepSummaries(): void
}

/** The accounts in this data folder. Changes to the registry run one after another. */
export function createAccounts(parts: AccountsParts): Accounts {
  const { clock, changes, client, proveSandbox } = parts
  const store = createAccountStore(parts.database, parts.safetyCopy)
  const keys = createKeyStore(parts.keychain)
  const registry = createRegistry({ ...parts, store, keys, worksAtOnce })
  const summaries = createSummaries({
    database: parts.database,
    isAsleep: (accountId) => turns.isAsleep(accountId),
    hasFiles: parts.files.exist,
  })
  const releaseTasks: ((accountId: string) => Promise<void> | void)[] = []
  let dutyOf: (account: Account) => Duty = () => null
  let closed = false
  const turns = createTurns({
    clock,
    seats: parts.seats,
    ids: () => registry.all().map(({ record }) => record.id),
    opened: parts.files.opened,
    isOpen: parts.files.isOpen,
    canWork: (accountId) => canTakeTurn(registry.get(accountId)),
    isWorking: (accountId) => registry.get(accountId).work !== null,
    idleMs: (accountId) => registry.get(accountId).connection.idleMs(),
    isCurrent: (accountId) => accountId === parts.currentId(),
    duty: (accountId) => dutyOf(accountOf(registry.get(accountId))),
    onOpen: summaries.forget,
    wake: registry.wake,
    rest,
    report: parts.report,
  })
  let last: Promise<unknown> = Promise.resolve()

  function exclusive<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work)
    last = next.catch(() => {})
    return next
  }

  /** Stores a key where the person chose, then uses it. */
  async function settle(record: AccountRecord, key: string): Promise<Account> {
    if (record.kept === 'keychain') await keys.write(record.id, key)
    else await parts.keychain.delete(`account:${record.id}`).catch(() => {})
    return accountOf(registry.put(record, key))
  }

  async function connect(
    given: { key: string; baseUrl: string; name: string; keep: KeyStorage },
    demo: AccountRecord['demo'],
  ): Promise<Account> {
    const baseUrl = normalizeBaseUrl(given.baseUrl)
    parts.registerSecret(given.key)
    const found = await checkKey(client, clock, proveSandbox, { key: given.key, baseUrl })
    const existing = registry
      .all()
      .find(
        ({ record, key }) =>
          record.role === found.role &&
          sameKind(record.maskedKey, given.key) &&
          record.baseUrl === baseUrl &&
          (key === given.key ||
            (found.serviceAccountId !== null &&
              record.serviceAccountId === found.serviceAccountId)),
      )
    if (existing !== undefined) {
      throw failure(
        'CONFLICT',
        `This ${found.role} is already connected as “${existing.record.name}”.`,
        'Use that account. To change its key, enter the new key there.',
        { effect: 'Nothing was added.' },
      )
    }
    return settle(
      {
        id: parts.random.id(),
        name: given.name,
        role: found.role,
        mode: demo === null ? found.mode : 'sandbox',
        baseUrl,
        maskedKey: maskedKey(given.key),
        kept: given.keep,
        serviceAccountId: found.serviceAccountId,
        idempotency: found.idempotency,
        demo,
        createdAt: clock.now(),
        clockOffsetMs: 0,
      },
      given.key,
    )
  }

  async function rekey(
    accountId: string,
    key: string,
    keep: KeyStorage,
    baseUrl: string,
  ): Promise<Account> {
    const { record } = registry.get(accountId)
    parts.registerSecret(key)
    const found = await checkKey(client, clock, proveSandbox, { key, baseUrl })
    if (
      found.role !== record.role ||
      !sameKind(record.maskedKey, key) ||
      (record.serviceAccountId !== null &&
        found.serviceAccountId !== null &&
        record.serviceAccountId !== found.serviceAccountId)
    ) {
      throw failure(
        'CONFLICT',
        `This key belongs to a different account than “${record.name}”.`,
        'Enter a key of the same account and mode, or connect the other account separately.',
        { effect: 'Nothing was changed.' },
      )
    }
    return settle(
      {
        ...record,
        mode: record.demo === null ? found.mode : 'sandbox',
        baseUrl,
        maskedKey: maskedKey(key),
        kept: keep,
        idempotency: found.idempotency,
        serviceAccountId: found.serviceAccountId ?? record.serviceAccountId,
      },
      key,
    )
  }

  async function releaseFiles(accountId: string): Promise<void> {
    for (const task of releaseTasks) await task(accountId)
  }
  async function release(accountId: string): Promise<void> {
    registry.pause(accountId)
    await releaseFiles(accountId)
  }

  function worksAtOnce(accountId: string): boolean {
    const awake = registry.all().filter(({ asleep }) => !asleep).length
    if (awake < turns.most || accountId === parts.currentId()) return true
    turns.begin()
    return false
  }

  /** Ends an account's turn. Its summary is read when its work has settled, so that it stays true. */
  async function rest(accountId: string): Promise<void> {
    registry.sleep(accountId)
    await releaseFiles(accountId)
    if (closed) return
    summaries.keep(accountId)
    await releaseFiles(accountId)
    parts.files.release(accountId)
  }

  async function remove(accountId: string, removal: Removal | null): Promise<void> {
    const live = registry.get(accountId)
    if (live.record.kept === 'keychain') await keys.remove(accountId)
    await release(accountId)
    registry.remove(accountId)
    summaries.forget(accountId)
    parts.deleteData(accountOf(live), removal)
    changes.notify('accounts')
  }

  return {
    list: ({ role, baseUrl } = {}) =>
      registry
        .all()
        .filter(
          ({ record }) =>
            (role ?? record.role) === record.role && (baseUrl ?? record.baseUrl) === record.baseUrl,
        )
        .map(accountOf),
    has: registry.has,
    get: (accountId) => accountOf(registry.get(accountId)),
    acceptsIdempotencyKeys: (accountId) => registry.get(accountId).record.idempotency,
    serviceNow: (accountId) => registry.get(accountId).time.now(),
    onRelease: (task) => void releaseTasks.push(task),
    onReady: registry.onReady,
    onSyncNow: registry.onSyncNow,
    check: (key, baseUrl) =>
      checkKey(client, clock, proveSandbox, { key, baseUrl: normalizeBaseUrl(baseUrl) }),
    connect: (given) => exclusive(() => connect(given, null)),
    rename(accountId, name) {
      const live = registry.get(accountId)
      live.record = { ...live.record, name }
      store.put(live.record)
      changes.notify('accounts', accountId)
      return accountOf(live)
    },
    confirmAddress: (accountId) =>
      exclusive(async () => accountOf(await registry.confirmAddress(accountId))),
    rekey: (accountId, key, keep) =>
      exclusive(() => rekey(accountId, key, keep, registry.get(accountId).record.baseUrl)),
    remove: (accountId, removal) => exclusive(() => remove(accountId, removal)),
    restart: (accountId, between) =>
      exclusive(() =>
        turns.hold(accountId, async () => {
          await release(accountId)
          between()
          // A page can have requested data in between and reopened a file. Close it as well.
          await releaseFiles(accountId)
          registry.resume(accountId)
        }),
      ),
    use: turns.use,
    hold: turns.hold,
    isAsleep: turns.isAsleep,
    summary: summaries.declare,
    onDuty: (duty) => {
      dutyOf = duty
    },
    connection: registry.connection,
    syncNow: registry.syncNow,
    serviceConnection: (accountId) => registry.get(accountId).connection,
    demoAccounts: () =>
      registry
        .all()
        .filter(({ record }) => record.demo !== null)
        .map(accountOf),
    connectDemo: ({ demo, ...given }) =>
      exclusive(async () => {
        const present = registry.all().find(({ record }) => record.demo === demo)
        if (present === undefined) return connect(given, demo)
        try {
          return await rekey(present.record.id, given.key, given.keep, given.baseUrl)
        } catch (error) {
          if (!isConflict(error)) throw error
          // The sandbox started with a new world. Data loaded from the old one belongs to accounts
          // that no longer exist.
          await remove(present.record.id, null)
          return connect(given, demo)
        }
      }),
    setSandboxPhase: registry.setSandboxPhase,
    start: registry.start,
    showOnly: registry.showOnly,
    keepSummaries() {
      if (!turns.isRunning()) return
      for (const accountId of parts.files.opened())
        if (registry.has(accountId)) summaries.keep(accountId)
    },
    close() {
      closed = true
      turns.end()
      for (const live of registry.all()) {
        live.work?.abort()
        live.cancelRecheck()
        live.connection.close()
      }
    },
  }
}

const isConflict = (error: unknown): boolean =>
  error instanceof Failure && error.problem.code === 'CONFLICT'
const sameKind = (masked: string, key: string): boolean =>
  keyKind(masked)?.prefix === keyKind(key)?.prefix
