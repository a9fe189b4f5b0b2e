import { keyKind } from '../../../server/api/key-prefix.ts'
import type { Account, Connection, KeyCheck, Removal } from '../../contract/app/accounts.ts'
import type { AccountRegistry, ConnectionFacts, ServiceConnection } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import { normalizeBaseUrl } from './base-url.ts'
import { checkKey, maskedKey } from './checks/key-check.ts'
import { createKeyStore } from './key-store.ts'
import { accountOf } from './live-account.ts'
import type { SandboxPhase } from './live-account.ts'
import type { AccountsParts } from './parts.ts'
import { createRegistry } from './account-registry.ts'
import { createAccountStore } from './store.ts'
import type { AccountRecord } from './store.ts'

export type { SandboxPhase } from './live-account.ts'
export { createHeldAddresses, holdAddress } from './held-address.ts'
export { accountsSchema } from './schema.ts'
export { createAccountStore, storedAccountIds } from './store.ts'
export type { AccountRecord } from './store.ts'
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
  /** An account's entry in the status bar, with the facts of all features. */
  connection(
    accountId: string,
    factsOf: (account: Account) => readonly ConnectionFacts[],
  ): Connection
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
}

/** The accounts in this data folder. Changes to the registry run one after another. */
export function createAccounts(parts: AccountsParts): Accounts {
  const { clock, changes, client, proveSandbox } = parts
  const store = createAccountStore(parts.database, parts.safetyCopy)
  const keys = createKeyStore(parts.keychain)
  const registry = createRegistry({ ...parts, store, keys })
  const releaseTasks: ((accountId: string) => Promise<void> | void)[] = []
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

  async function release(accountId: string): Promise<void> {
    registry.pause(accountId)
    for (const task of releaseTasks) await task(accountId)
  }

  async function remove(accountId: string, removal: Removal | null): Promise<void> {
    const live = registry.get(accountId)
    if (live.record.kept === 'keychain') await keys.remove(accountId)
    await release(accountId)
    registry.remove(accountId)
    parts.deleteData(accountOf(live), removal)
    changes.notify('accounts')
  }

  return {
    list: () => registry.all().map(accountOf),
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
      exclusive(async () => {
        await release(accountId)
        between()
        // A page can have requested data in between and reopened a file. Close it as well.
        for (const task of releaseTasks) await task(accountId)
        registry.resume(accountId)
      }),
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
    close() {
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
