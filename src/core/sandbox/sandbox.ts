import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Role } from '../../contract/app/accounts.ts'
import type { SandboxDue } from '../../contract/sandbox/sandbox-control.ts'
import type { SandboxAddresses, SandboxSecret } from '../../contract/sandbox/sandbox-addresses.ts'
import type { SandboxState } from '../../contract/sandbox/sandbox.ts'
import type {
  BackendProcesses,
  BackendReady,
  RunningBackend,
} from '../../platform/backends/backend-process.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { JobRegistry } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import type { SettingsStore } from '../settings/settings.ts'
import { addressesOf, secretOf } from './addresses.ts'
import { type Certificate, createCertificate } from './certificate.ts'
import { createDashboard, stoppedFailure } from './dashboard.ts'
import type { Dashboard, DemoKeys } from './dashboard.ts'
import { dueEvents } from './due-events.ts'
import { createPoints, type Points } from './points.ts'
import { createRewind } from './rewind.ts'
import { createWorld } from './world.ts'

export type { Dashboard } from './dashboard.ts'

export interface Sandbox {
  state(): SandboxState
  /**
   * Starts the sandbox and connects its demo accounts, or gives them their new keys. Throws Failure
   * `SANDBOX_FAILED` with the backend's own message.
   */
  start(keep: 'keychain' | 'session'): Promise<SandboxState>
  stop(): Promise<SandboxState>
  /** Its addresses for other programs. Throws Failure `SANDBOX_STOPPED`. */
  addresses(): SandboxAddresses
  /** One of its secrets. Throws Failure `SANDBOX_STOPPED`, or `NOT_FOUND` in an empty world. */
  secret(which: SandboxSecret): string
  /** The dashboard of the running backend. */
  dashboard: Dashboard
  world: ReturnType<typeof createWorld>
  certificate: Certificate
  /** What falls due next in the sandbox, soonest first. */
  due(): Promise<SandboxDue[]>
  /**
   * Replaces the current state by a snapshot, and syncs the accounts connected to the sandbox from
   * the start.
   */
  restore(name: string): Promise<void>
  /** The same for a point; the present state is saved as a point first. */
  goBack(name: string): Promise<void>
  /** Recent states to go back to. */
  points: Points
  /**
   * Resets the sandbox to a new world, and replaces the demo accounts by those of the new world.
   */
  reset(world: {
    seed?: 'demo' | 'empty' | undefined
    products?: number | undefined
  }): Promise<void>
  /** Runs a change in the sandbox, then notifies the screen. */
  changing<T>(work: () => Promise<T>): Promise<T>
  /**
   * Registers a secret the sandbox just created, so that it is masked wherever it would be written.
   */
  learn(secret: string): void
  /**
   * Starts the sandbox together with Keydesk if demo accounts are connected. Doesn't wait; `state`
   * reports a failure.
   */
  begin(): void
  close(): Promise<void>
}

export type SandboxParts = {
  dataDir: string
  backends: BackendProcesses
  accounts: Accounts
  settings: SettingsStore
  clock: Clock
  changes: Changes
  jobs: JobRegistry
  learn: (secret: string) => void
  /** Clears an account's mirror and syncs it again. */
  resync: (accountId: string) => Promise<void>
  report: (where: string, error: unknown) => void
}

/**
 * The setting that stores the port, so that the demo accounts keep their address where possible.
 */
const portSetting = 'sandbox.port'

const POINT_EVERY_MS = 60_000

/** The bundled backend on this computer, with its data in `<dataDir>/sandbox`. */
export function createSandbox(parts: SandboxParts): Sandbox {
  const { accounts, clock, changes, settings } = parts
  let backend: RunningBackend | null = null
  /** Keys of its demo accounts. Null in a world without any. */
  let demo: DemoKeys | null = null
  let status: Pick<SandboxState, 'state' | 'since' | 'reason'> = {
    state: 'stopped',
    since: null,
    reason: null,
  }
  let last: Promise<unknown> = Promise.resolve()

  function setStatus(state: SandboxState['state'], reason: string | null = null): void {
    status = { state, since: state === 'stopped' ? null : clock.now(), reason }
    accounts.setSandboxPhase(
      state === 'running' ? 'running' : state === 'starting' ? 'starting' : 'stopped',
    )
    changes.notify('sandbox')
  }
  const state = (): SandboxState => ({
    ...status,
    baseUrl: backend?.ready.baseUrl ?? null,
    accounts: accounts.demoAccounts(),
  })

  /** Runs starts and stops one after the other. */
  function exclusive<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work)
    last = next.catch(() => {})
    return next
  }

  async function launch(): Promise<RunningBackend> {
    const dataDir = join(parts.dataDir, 'sandbox')
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const port = Number(settings.recall(portSetting) ?? 0)
    if (port === 0) return parts.backends.start({ dataDir, port: 0, seed: 'demo' })
    // Another program may use the last port now.
    return parts.backends
      .start({ dataDir, port, seed: 'demo' })
      .catch(() => parts.backends.start({ dataDir, port: 0, seed: 'demo' }))
  }

  async function start(
    keep: 'keychain' | 'session',
    which: readonly Role[],
  ): Promise<SandboxState> {
    const { baseUrl } = (backend ?? (await run())).ready
    const keys = demo
    try {
      // An empty world has no demo accounts; users create accounts on the sandbox's pages.
      if (keys !== null && which.includes('seller'))
        await accounts.connectDemo({
          demo: 'seller',
          name: 'Demo seller',
          key: keys.sellerKey,
          baseUrl,
          keep,
        })
      if (keys !== null && which.includes('partner'))
        await accounts.connectDemo({
          demo: 'partner',
          name: 'Demo partner',
          key: keys.partnerLiveKey,
          baseUrl,
          keep,
        })
    } finally {
      if (backend !== null) setStatus('running')
    }
    return state()
  }

  async function run(): Promise<RunningBackend> {
    setStatus('starting')
    let started: RunningBackend
    try {
      started = await launch()
    } catch (error) {
      const reason = lastLine(error instanceof Error ? error.message : String(error))
      setStatus('failed', reason)
      throw failure(
        'SANDBOX_FAILED',
        `The sandbox didn’t start: ${reason}`,
        'Try again. If it still fails, move the “sandbox” folder out of the data folder.',
      )
    }
    backend = started
    const { dashboardToken, baseUrl } = started.ready
    parts.learn(dashboardToken)
    setDemoKeys(started.ready.demo)
    settings.remember(portSetting, new URL(baseUrl).port)
    savePoints(started)
    void started.ended.then(({ code, lastWords }) => {
      if (backend !== started) return
      backend = null
      setStatus(
        'failed',
        lastLine(lastWords) || `The sandbox exited with status ${code ?? 'none'}.`,
      )
    })
    return started
  }

  function setDemoKeys(keys: DemoKeys | null): void {
    demo = keys
    for (const secret of Object.values(keys ?? {})) parts.learn(secret)
  }

  async function stop(): Promise<void> {
    const running = backend
    backend = null
    await running?.stop()
    if (status.state !== 'stopped') setStatus('stopped')
  }

  const dashboard = createDashboard(() => backend?.ready ?? null, clock)
  const points = createPoints(dashboard, join(parts.dataDir, 'sandbox'), clock)

  /** Saves a point each minute in which something changed, as long as this backend runs. */
  function savePoints(of: RunningBackend): void {
    clock.after(POINT_EVERY_MS, () => {
      if (backend !== of) return
      void exclusive(() => points.offerIfChanged())
        .catch((error: unknown) => parts.report('sandbox', error))
        .finally(() => savePoints(of))
    })
  }

  const travel = createRewind({
    dashboard,
    accounts,
    settings,
    resync: parts.resync,
    baseUrl: () => backend?.ready.baseUrl ?? '',
    setDemoKeys,
  })
  function running(): BackendReady {
    if (backend === null) throw stoppedFailure()
    return backend.ready
  }

  return {
    state,
    addresses: () => addressesOf({ ...running(), demo }),
    secret: (which) => secretOf({ ...running(), demo }, which),
    dashboard,
    world: createWorld(dashboard, () => demo),
    certificate: createCertificate({ ...parts, dashboard }),
    due: () => dueEvents(dashboard, demo?.sellerKey ?? null),
    points,
    restore: (name) => exclusive(() => points.offer('restore').then(() => travel.restore(name))),
    goBack: (name) => exclusive(() => points.save('back', name).then(() => travel.restore(name))),
    reset: (world) => exclusive(() => points.offer('reset').then(() => travel.reset(world))),
    changing: (work) => work().finally(() => changes.notify('sandbox')),
    learn: parts.learn,
    start: (keep) => exclusive(() => start(keep, ['seller', 'partner'])),
    stop: () =>
      exclusive(async () => {
        await stop()
        return state()
      }),
    begin() {
      const present = accounts.demoAccounts()
      if (present.length === 0) return
      setStatus('starting')
      const roles = present.map((account) => account.role)
      void exclusive(async () => {
        try {
          await start(
            present.some((account) => account.keyKept === 'keychain') ? 'keychain' : 'session',
            roles,
          )
        } catch (error) {
          if (!(error instanceof Failure) || error.problem.code !== 'KEYCHAIN_MISSING') throw error
          // The keys are only valid for this run of the sandbox anyway.
          await start('session', roles)
        }
      }).catch((error: unknown) => {
        if (!(error instanceof Failure)) parts.report('sandbox', error)
      })
    },
    close: () => exclusive(stop),
  }
}

/** The last line of the backend's output, as a reason on the screen. */
const lastLine = (words: string): string => words.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
