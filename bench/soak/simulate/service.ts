import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createIds } from '../../../server/domain/environment/ids.ts'
import { createRateLimiter } from '../../../server/domain/limits/rate-limiter.ts'
import { createService } from '../../../server/domain/service.ts'
import type { DemoKeys } from '../../../server/domain/access/demo-keys.ts'
import { createApp } from '../../../server/http/app.ts'
import { simulateMarket } from '../../../server/market/simulation/simulation.ts'
import { seedDemoData } from '../../../server/market/seed-demo-data.ts'
import { createProver } from '../../../server/proof.ts'
import { databaseFile } from '../../../server/store/database/database.ts'
import { openStore } from '../../../server/store/store.ts'
import type { SeededBytes } from './seeded-bytes.ts'
import type { VirtualTime } from './virtual-time.ts'

/** When every day starts: 2026-01-05T07:00Z. */
export const dayStart = 1_767_596_400_000
export const servicePort = 4600
const origin = `http://127.0.0.1:${servicePort}`
const dashboardToken = 'simulated-dashboard-token'
const PRODUCTS = 40

/** The complete service in this process. Requests reach it without a socket. */
export interface SimulatedService {
  readonly app: FastifyInstance
  /** The same service without request rates, for everyone but the console. */
  readonly others: FastifyInstance
  /** The path of its database. */
  readonly database: string
  readonly demo: DemoKeys
  /** Errors that it logged. */
  readonly errors: readonly string[]
  stop(): Promise<void>
}

const addressesAt = (at: string) => ({
  baseUrl: `${at}/v1`,
  sellerUrl: `${at}/v1/seller`,
  dashboardUrl: `${at}/dashboard`,
  dashboardToken,
})
/** How the console reaches the service: through the simulated network. */
export const serviceAddress = addressesAt(origin)
/** How everyone else reaches it: without faults and limits. */
export const otherAddress = addressesAt('http://service.simulated')

export async function startSimulatedService(
  folder: string,
  time: VirtualTime,
  bytes: SeededBytes,
): Promise<SimulatedService> {
  mkdirSync(folder, { recursive: true })
  const store = openStore(folder, { durable: false })
  const errors: string[] = []
  const log = {
    info: () => {},
    error: (message: string, fields?: object) =>
      void errors.push(`${message} ${JSON.stringify(fields)}`),
  }
  const random = { bytes: (count: number) => bytes.take(count) }
  const ids = createIds(time, random)
  const service = createService({
    store,
    clock: time,
    ids,
    random,
    log,
    seedWorld: seedDemoData,
    simulateMarket,
    webhookNetwork: {
      send: async () => ({ status: null, error: 'no receiver', durationMs: 0 }),
      loopback: true,
    },
  })
  const prover = createProver(folder, null)
  const [app, others] = [createRateLimiter(service.clock), null].map((rates) =>
    createApp({
      handlers: service.handlers,
      requestLog: null,
      faults: service.faults,
      access: service.access,
      rates,
      dashboardToken,
      pictures: () => null,
      log,
      newRequestId: () => ids.next('req'),
      now: () => service.clock.now(),
      origin: () => origin,
      prove: prover.prove,
    }),
  ) as [FastifyInstance, FastifyInstance]
  await app.ready()
  await others.ready()
  const { demo } = service.start({ seed: 'demo', products: PRODUCTS })
  if (demo === null) throw new Error('the demo world has no accounts')
  return {
    app,
    others,
    database: join(folder, databaseFile),
    demo,
    errors,
    async stop() {
      await Promise.all([app.close(), others.close()])
      await service.stop()
      store.close()
    },
  }
}
