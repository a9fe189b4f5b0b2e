/** Assembles the service from store, domain, market and HTTP, and starts it. */
import { hash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createBranches } from './branches.ts'
import { createCertificates } from './certify/certificates.ts'
import { startOrders } from './certify/orders.ts'
import { type WorkFolder, workFolder } from './data-folder.ts'
import { createIds } from './domain/environment/ids.ts'
import { createRateLimiter } from './domain/limits/rate-limiter.ts'
import { reachCrashPoint } from './domain/crash-points.ts'
import type { Log } from './domain/ports/environment.ts'
import type { SendWebhook } from './domain/ports/ordering/webhooks.ts'
import { createService, type Service } from './domain/service.ts'
import { type Environment, repeatableEnvironment, systemEnvironment } from './environment.ts'
import { createApp } from './http/app.ts'
import { createRequestLog } from './http/request-log/request-log.ts'
import type { TrialService } from './http/why/trial.ts'
import { whyHandlers } from './http/why/why.ts'
import { createTrials, sendTo } from './trials.ts'
import { createWebhookSender } from './http/webhook-sender.ts'
import { simulateMarket } from './market/simulation/simulation.ts'
import { seedDemoData } from './market/seed-demo-data.ts'
import type { Options } from './options.ts'
import { createProver } from './proof.ts'
import { createPictures } from './pictures.ts'
import { createSmtpPost } from './smtp-post.ts'
import type { Store } from './domain/ports/store.ts'
import { openStore } from './store/store.ts'
import type { Ready, Sandbox } from './sandbox-types.ts'
import { worldHandlers } from './worlds/handlers.ts'
import { createRecorder } from './worlds/recorder.ts'
import { openWorld } from './worlds/replay.ts'

/** Time for running requests to finish; the rest of the 2 s is for the database. */
const GRACE_MS = 1200

/** The outcome of every attempt where no webhook is sent. */
const sendNothing: SendWebhook = () =>
  Promise.resolve({ status: null, error: 'webhooks are off', durationMs: 0 })

function originOf(host: string, port: number): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

const addressesAt = (origin: string) => ({
  ready: true as const,
  baseUrl: `${origin}/v1`,
  sellerUrl: `${origin}/v1/seller`,
  dashboardUrl: `${origin}/dashboard`,
})

/**
 * Closes connections that outlive the grace period, so that a stalled client can't keep the process
 * alive.
 */
async function closeApp(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), GRACE_MS)
  await app.close()
  clearTimeout(timer)
}

async function listen(app: FastifyInstance, { host, port }: Options): Promise<string> {
  await app.listen({ host, port })
  return originOf(host, (app.server.address() as AddressInfo).port)
}

/**
 * Starts the service. Throws StoreOpenError (folder in use, unreadable, newer), LedgerBrokenError,
 * or the system's own error if listening fails; everything opened is closed again. Consoles find
 * its public key in `keysFolder` (Decision 48); null publishes none.
 */
export const startSandbox = (
  options: Options,
  log: Log,
  keysFolder: string | null = null,
): Promise<Sandbox> => {
  const { repeatable, dataFolder } = options
  const environment = repeatable === null ? systemEnvironment : repeatableEnvironment(repeatable)
  return startIn(workFolder(dataFolder), options, log, keysFolder, environment)
}

/** Steps that close everything that was opened, the latest first. */
type Undo = (() => unknown)[]

/** Opens the store of the folder and the service on it. */
async function openService(
  folder: WorkFolder,
  options: Options,
  log: Log,
  { clock, random, monotonic }: Environment,
  undo: Undo,
): Promise<{ store: Store; service: Service }> {
  const store = openStore(folder.path, { durable: folder.durable })
  undo.unshift(() => store.close())
  const loopback = !options.allowRemote
  const send = options.webhooks ? createWebhookSender(loopback, undefined, monotonic) : sendNothing
  const post = options.smtp === null ? null : await createSmtpPost(options.smtp, log)
  if (post !== null) undo.unshift(() => post.close())
  const service = createService({
    store,
    clock,
    receiverClock: systemEnvironment.clock,
    ids: createIds(clock, random),
    random,
    log,
    seedWorld: seedDemoData,
    program: programId,
    simulateMarket,
    webhookNetwork: { send, loopback },
    ...(post !== null && { post }),
  })
  return { store, service }
}

const oneRun = randomUUID()
/** The same for every run of a build, whose files have their contents in their names. */
const programId = (): string =>
  import.meta.filename.endsWith('.ts') ? oneRun : hash('sha256', readFileSync(import.meta.filename))

/** Fails the deliveries that were pending when a branch was copied: the original sends them. */
function failPendingDeliveries({ webhooks }: Store, { clock }: Service): void {
  for (const partnerId of webhooks.partnersWithPending())
    webhooks.failPending(partnerId, clock.now())
}

async function startIn(
  folder: WorkFolder,
  options: Options,
  log: Log,
  keysFolder: string | null,
  environment: Environment,
  kind: 'original' | 'branch' = 'original',
): Promise<Sandbox> {
  const undo: Undo = [folder.leave]
  try {
    const { store, service } = await openService(folder, options, log, environment, undo)
    if (kind === 'branch') failPendingDeliveries(store, service)
    const { clock, monotonic, tick } = environment
    const requestIds = createIds(clock, environment.requestRandom)
    const prover = createProver(folder.path, keysFolder, folder.durable)
    undo.unshift(() => prover.withdraw())
    const dashboardToken = randomBytes(32).toString('base64url')
    const isRecorded = tick !== null && kind === 'original' && options.webhooks
    const recorder = isRecorded ? createRecorder(dashboardToken) : null
    let origin = ''
    const branches = createBranches(
      store.snapshots.copyTo,
      (copy, no) => {
        const own = { ...options, port: 0, smtp: null }
        return startIn(copy, own, log, keysFolder, environment.branch(no), 'branch')
      },
      (file) => openWorld(file, startSandbox, log),
      () => service.clock.now(),
    )
    const certificates = createCertificates(() => startOrders(startSandbox))
    const trials = createTrials(
      { clock, random: environment.trialRandom, log, seedWorld: seedDemoData, simulateMarket },
      { copy: store.snapshots.copy, version: store.version },
      () => origin,
    )
    undo.unshift(() => trials.stop())
    const requestLog = createRequestLog(() => service.clock.now(), tick === null)
    const here = (): TrialService => ({
      dashboardToken,
      send: sendTo(app),
      holder: () => null,
      end: () => undefined,
    })
    const app: FastifyInstance = createApp({
      handlers: {
        ...service.handlers,
        ...requestLog.handlers,
        ...branches.handlers,
        ...certificates.handlers,
        ...whyHandlers(requestLog.refused, trials.start, here, monotonic),
        ...worldHandlers(options, recorder, startSandbox, log),
      },
      requestLog,
      faults: service.faults,
      access: service.access,
      rates: options.limits ? createRateLimiter(service.clock, service.clock.offset) : null,
      dashboardToken,
      pictures: createPictures(store.catalogue),
      log,
      newRequestId: () => requestIds.next('req'),
      now: () => service.clock.now(),
      origin: () => origin,
      prove: prover.prove,
      recorder: recorder ?? undefined,
      ...(tick !== null && { beginRequest: () => service.settle().then(tick) }),
    })
    const { demo } = service.start(options.world)
    undo.unshift(() => service.stop())
    origin = await listen(app, options)
    const ready: Ready = { ...addressesAt(origin), dashboardToken, demo }
    recorder?.ready(ready)
    return {
      ready,
      async stop() {
        await Promise.all([branches.stop(), certificates.stop()])
        await closeApp(app)
        reachCrashPoint('stop.closed')
        for (const step of undo) await step()
      },
    }
  } catch (error) {
    for (const step of undo) await step()
    throw error
  }
}
