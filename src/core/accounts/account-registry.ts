import type { Account, Connection } from '../../contract/app/accounts.ts'
import type { ConnectionFacts } from '../context.ts'
import { createEmitter } from '../lifecycle/lifecycle.ts'
import { Failure, failure } from '../failure.ts'
import type { AccountConnection } from '../service-client/service-client.ts'
import { createAccountChecks } from './checks/account-checks.ts'
import type { createKeyStore } from './key-store.ts'
import { accountOf, credentialsOf, canWork, shownOnly } from './live-account.ts'
import type { LiveAccount, SandboxPhase } from './live-account.ts'
import type { AccountsParts } from './parts.ts'
import { createServiceTime } from './checks/service-time.ts'
import type { AccountRecord, createAccountStore } from './store.ts'

/**
 * How long the start waits for the keychain, in milliseconds. Keys that arrive later are used when
 * they arrive.
 */
const keychainWaitMs = 1500

type RegistryParts = AccountsParts & {
  /** Whether an account that is added works immediately or waits for its turn. */
  worksAtOnce: (accountId: string) => boolean
  store: ReturnType<typeof createAccountStore>
  keys: ReturnType<typeof createKeyStore>
}

/**
 * The accounts in use: each with its key, its service connection, its background work and its state
 * on the service.
 */
export function createRegistry(parts: RegistryParts) {
  const { clock, changes, store, keys } = parts
  const accounts = new Map<string, LiveAccount>()
  const starters: ((account: Account, signal: AbortSignal) => void)[] = []
  const syncRequested = createEmitter<[accountId: string]>()
  let sandbox: SandboxPhase = 'stopped'
  let sandboxSince = parts.clock.now()
  let started = false
  let isShownOnly = false
  const checks = createAccountChecks({
    clock,
    store,
    report: parts.report,
    isPresent: (live) => accounts.get(live.record.id) === live,
    proveSandbox: parts.proveSandbox,
    changed: (live) => changes.notify('accounts', live.record.id),
  })

  function get(accountId: string): LiveAccount {
    const live = accounts.get(accountId)
    if (live === undefined)
      throw failure('NOT_FOUND', 'Account not found on this computer.', 'Choose another account.')
    return live
  }

  /**
   * Starts or stops the background work according to the current state, and makes waiting calls
   * check again.
   */
  function applyState(live: LiveAccount): void {
    if (canWork(live) && live.work === null && started) {
      const work = new AbortController()
      live.work = work
      for (const start of starters) start(accountOf(live), work.signal)
      void checks.checkWhenReady(live, work.signal)
    } else if (!canWork(live) && live.work !== null) {
      live.work.abort()
      live.work = null
    }
    live.connection.wake()
    changes.notify('accounts', live.record.id)
    changes.notify('connection', live.record.id)
  }

  function create(record: AccountRecord, key: string | null): LiveAccount {
    const time = createServiceTime(clock, record.clockOffsetMs, (clockOffsetMs) => {
      live.record = { ...live.record, clockOffsetMs }
      store.put(live.record)
      changes.notify('accounts', record.id)
    })
    const line: AccountConnection = parts.client.connect({
      accountId: record.id,
      baseUrl: () => live.record.baseUrl,
      credentials: () => (isShownOnly ? shownOnly : credentialsOf(live, sandbox, sandboxSince)),
      takesIdempotencyKeys: () => live.record.idempotency,
      refusal: () => live.rejection,
      refused: (problem) => {
        live.rejection = { problem, since: live.rejection?.since ?? clock.now() }
        applyState(live)
        checks.scheduleRecheck(live)
      },
      accepted: () => {
        live.rejection = null
        applyState(live)
      },
      dated: time.observe,
      changed: () => changes.notify('connection', record.id),
      probe: () => checks.check(live, 'watch'),
    })
    const live: LiveAccount = {
      record,
      key,
      loading: false,
      keychainProblem: null,
      addressBefore: parts.heldAddresses.before(record.id),
      rejection: null,
      work: null,
      paused: false,
      asleep: !parts.worksAtOnce(record.id),
      cancelRecheck: () => {},
      connection: line,
      time,
    }
    accounts.set(record.id, live)
    return live
  }

  async function load(live: LiveAccount): Promise<void> {
    if (live.addressBefore !== null) return
    live.loading = true
    try {
      const key = await keys.read(live.record.id)
      if (live.key === null && key !== null) {
        parts.registerSecret(key)
        live.key = key
      }
      live.keychainProblem = null
    } catch (error) {
      live.keychainProblem = error instanceof Failure ? error.problem : null
    } finally {
      live.loading = false
      applyState(live)
    }
  }

  return {
    get,
    has: (accountId: string): boolean => accounts.has(accountId),
    all: (): LiveAccount[] => [...accounts.values()],
    onReady: (task: (account: Account, signal: AbortSignal) => void): void =>
      void starters.push(task),
    onSyncNow: syncRequested.listen,
    /** Adds an account, or changes its key and address. */
    put(record: AccountRecord, key: string): LiveAccount {
      store.put(record)
      parts.heldAddresses.confirm(record.id)
      const live = accounts.get(record.id) ?? create(record, key)
      const fresh: Partial<LiveAccount> = {
        record,
        key,
        loading: false,
        keychainProblem: null,
        addressBefore: null,
        rejection: null,
      }
      Object.assign(live, fresh)
      applyState(live)
      return live
    },
    /** Uses the address that a restored backup changed, and reads the key. */
    async confirmAddress(accountId: string): Promise<LiveAccount> {
      const live = get(accountId)
      parts.heldAddresses.confirm(accountId)
      live.addressBefore = null
      if (live.record.kept === 'keychain') await load(live)
      else applyState(live)
      return live
    },
    /** Stops the background work until {@link resume}. */
    pause(accountId: string): void {
      const live = get(accountId)
      live.work?.abort()
      live.work = null
      live.paused = true
    },
    resume(accountId: string): void {
      const live = get(accountId)
      live.paused = false
      applyState(live)
    },
    /** Starts the background work of an account whose turn it is. */
    wake(accountId: string): void {
      const live = get(accountId)
      live.asleep = false
      applyState(live)
    },
    /** Leaves the account without background work until {@link wake}. */
    sleep(accountId: string): void {
      const live = get(accountId)
      live.work?.abort()
      live.work = null
      live.asleep = true
      changes.notify('connection', accountId)
    },
    remove(accountId: string): void {
      const live = get(accountId)
      live.cancelRecheck()
      live.connection.close()
      accounts.delete(accountId)
      store.remove(accountId)
    },
    connection(accountId: string, facts: readonly ConnectionFacts[]): Connection {
      const live = get(accountId)
      return {
        accountId,
        ...live.connection.state(),
        synced: Object.assign({}, ...facts.map((fact) => fact.synced ?? {})),
        balance: facts.find((fact) => fact.balance != null)?.balance ?? null,
        counts: Object.assign(
          { offers: null, orders: null, products: null, sales: null, disputes: null },
          ...facts.map((fact) => fact.counts ?? {}),
        ),
      }
    },
    async syncNow(accountId: string): Promise<void> {
      const live = get(accountId)
      if (live.key === null && live.record.kept === 'keychain' && live.record.demo === null)
        await load(live)
      await checks.check(live, 'person')
      syncRequested.emit(accountId)
    },
    setSandboxPhase(phase: SandboxPhase): void {
      if (phase !== sandbox) sandboxSince = parts.clock.now()
      sandbox = phase
      for (const live of accounts.values()) {
        if (live.record.demo === null) continue
        // Each start of the sandbox revokes its previous keys.
        if (phase === 'stopped') live.key = null
        applyState(live)
      }
    },
    showOnly(): void {
      isShownOnly = true
      // An account that waits for its key does no work, and its page shows the stored data.
      for (const record of store.all()) create(record, null).loading = true
    },
    async start(): Promise<void> {
      for (const record of store.all()) create(record, null)
      const loading = [...accounts.values()]
        .filter(({ record }) => record.kept === 'keychain' && record.demo === null)
        .map(load)
      let cancel = (): void => {}
      const timeout = new Promise<void>((resolve) => {
        cancel = clock.after(keychainWaitMs, resolve)
      })
      if (loading.length > 0) await Promise.race([Promise.all(loading), timeout])
      cancel()
      started = true
      for (const live of accounts.values()) applyState(live)
    },
  }
}
