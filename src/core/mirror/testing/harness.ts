import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Account } from '../../../contract/app/accounts.ts'
import type { Job, Topic } from '../../../contract/app/app.ts'
import type { CoreContext, ServiceConnection } from '../../context.ts'
import { isDiskFull } from '../../disk-full.ts'
import { failure } from '../../failure.ts'
import { systemClock } from '../../clock.ts'
import type { Clock } from '../../clock.ts'
import { createAttention } from '../../polling/polling.ts'
import { systemRandomness } from '../../randomness.ts'
import { createServiceClient } from '../../service-client/service-client.ts'
import { defaultSettings } from '../../settings/settings.ts'
import { createMirrors } from '../files/mirrors.ts'
import type { FeatureSchema } from '../schema.ts'

export type TestAccount = { id: string; role: 'partner' | 'seller'; baseUrl: string; key: string }

/**
 * The dependencies of a core feature, with real mirror files and real service connections. Accounts
 * start working when `begin` is called.
 */
export function createMirrorHarness(options: {
  schemas: readonly FeatureSchema[]
  dataDir?: string
  clock?: Clock
  wrap?: (line: ServiceConnection) => Partial<ServiceConnection>
}) {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'keydesk-harness-'))
  const clock = options.clock ?? systemClock
  const mirrors = createMirrors(dataDir, options.schemas)
  const client = createServiceClient({
    clock,
    random: systemRandomness,
    activity: { add: () => {} },
    rates: null,
  })
  const accounts = new Map<
    string,
    {
      account: Account
      line: ServiceConnection & { close?: () => void }
      work: AbortController | null
    }
  >()
  const ready: ((account: Account, signal: AbortSignal) => void)[] = []
  const removing: ((accountId: string) => Promise<void> | void)[] = []
  const told: { topic: Topic; accountId: string | null; id: string | null }[] = []
  const jobs = new Map<string, Job>()
  const paused = new Set<string>()
  const reports: unknown[] = []
  const notices: Parameters<CoreContext['notices']['notify']>[0][] = []

  const get = (accountId: string) => {
    const found = accounts.get(accountId)
    if (found === undefined) throw failure('NOT_FOUND', 'No such account.', 'Choose another.')
    return found
  }
  const notHere = (): never => {
    throw new Error('this test has none')
  }
  const context: CoreContext = {
    host: {
      kind: 'browser',
      version: '0.0.0',
      dataDir,
      sandboxKeysDir: dataDir,
      workerPath: notHere,
      backends: { start: notHere },
      keychain: { probe: notHere, get: notHere, set: notHere, delete: notHere },
    },
    clock,
    random: systemRandomness,
    mirrors,
    changes: {
      notify: (topic, accountId = null, id = null) => void told.push({ topic, accountId, id }),
      listen: notHere,
    },
    accounts: {
      list: ({ role, baseUrl } = {}) =>
        [...accounts.values()]
          .map(({ account }) => account)
          .filter(
            (account) =>
              (role ?? account.role) === account.role &&
              (baseUrl ?? account.baseUrl) === account.baseUrl,
          ),
      get: (accountId) => get(accountId).account,
      acceptsIdempotencyKeys: () => true,
      serviceNow: () => clock.now(),
      onRelease: (task) => void removing.push(task),
      onReady: (task) => void ready.push(task),
      onSyncNow: () => {},
      isAsleep: () => false,
      hold: async (_accountId, work) => await work(),
      summary: (_name, _empty, read) => read,
    },
    vault: {
      assertUnlocked: notHere,
      seal: notHere,
      open: notHere,
      fingerprint: notHere,
      material: notHere,
      holdUnlocked: notHere,
    },
    jobs: {
      set: (job) => void jobs.set(job.id, { ...job, can: [] }),
      end: (jobId) => void jobs.delete(jobId),
      list: () => [...jobs.values()],
      isPaused: (jobId) => paused.has(jobId),
      setPaused: (jobId, on) => void (on ? paused.add(jobId) : paused.delete(jobId)),
    },
    activity: { add: () => {} },
    settings: { get: () => ({ ...defaultSettings, lockMinutes: 0 }) },
    notices: { notify: (notice) => void notices.push(notice) },
    attention: createAttention(clock),
    connection: (accountId) => get(accountId).line,
    diskSpace: { isFull: () => false, isCausedBy: isDiskFull },
    report(_where, error) {
      reports.push(error)
      return failure('INTERNAL', 'A defect.', 'Report it.').problem
    },
  }

  return {
    context,
    told,
    jobs,
    notices,
    reports,
    dataDir,
    add({ id, role, baseUrl, key }: TestAccount): void {
      const line = client.connect({
        accountId: id,
        baseUrl: () => baseUrl,
        credentials: () => ({ key, baseUrl }),
        takesIdempotencyKeys: () => true,
        refusal: () => null,
        refused: () => {},
        accepted: () => {},
        dated: () => {},
        changed: () => {},
        probe: async (each) => void (await each.call(role === 'seller' ? 'getSeller' : 'ping', {})),
      })
      const account: Account = {
        id,
        name: `Account ${id}`,
        role,
        mode: 'sandbox',
        baseUrl,
        maskedKey: '',
        keyKept: 'session',
        state: 'ready',
        serviceAccountId: null,
        createdAt: accounts.size,
        clockOffsetMs: 0,
      }
      accounts.set(id, { account, line: { ...line, ...options.wrap?.(line) }, work: null })
    },
    /** Starts the background work of an account, after stopping any that already runs. */
    begin(accountId: string): void {
      const live = get(accountId)
      live.work?.abort()
      live.work = new AbortController()
      for (const task of ready) task(live.account, live.work.signal)
    },
    /** Ends what features have open of the account, and lets it work again, as a restart does. */
    async reopen(accountId: string): Promise<void> {
      const live = get(accountId)
      live.work?.abort()
      for (const task of removing) await task(accountId)
      live.work = new AbortController()
      for (const task of ready) task(live.account, live.work.signal)
    },
    async remove(accountId: string): Promise<void> {
      get(accountId).work?.abort()
      for (const task of removing) await task(accountId)
      accounts.delete(accountId)
      mirrors.remove(accountId)
    },
    /** Stops everything and deletes the data folder, unless the test supplied it. */
    async close(...features: { close(): Promise<void> }[]): Promise<void> {
      for (const { work } of accounts.values()) work?.abort()
      await Promise.all(features.map((feature) => feature.close()))
      for (const { line } of accounts.values()) line.close?.()
      mirrors.close()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
export type MirrorHarness = ReturnType<typeof createMirrorHarness>
