/** The service's dashboard, with the few calls that a scenario makes. */
import { setTimeout as after } from 'node:timers/promises'
import { createClient } from '../../../server/api/client/client.ts'
import type { Client } from '../../../server/api/client/client.ts'
import type { ResponseBody } from '../../../server/api/handlers.ts'
import { fetchTransport } from '../../../server/fetch-transport.ts'
import { startTestBackend } from '../../../src/core/testing/backend.ts'
import type { TestBackend } from '../../../src/core/testing/backend.ts'
import type { Receiver } from './receivers.ts'

type Page = NonNullable<ResponseBody<'listDeliveries'>['results']>
export type Delivery = Page[number]

export interface DashboardClient {
  readonly backend: TestBackend
  dashboard(): Client<AbortSignal>
  client(key: string): Client<AbortSignal>
  /** An account whose events go to the receiver. */
  partner(receiver: Receiver): Promise<string>
  /** Sends an account's events there from now on, with a new secret. */
  point(partnerId: string, receiver: Receiver): Promise<void>
  /** Queues a test event. */
  fire(partnerId: string): Promise<{ deliveryId: string; eventId: string }>
  /** All deliveries of an account, newest first. */
  deliveries(partnerId: string): Promise<Page>
  /** Moves the service's clock and performs everything due. */
  advance(ms: number): Promise<void>
  stop(): Promise<void>
}

const POLL_MS = 20
const PATIENCE_MS = 60_000

/** Polls until there is a value, and returns it. */
export async function until<T>(
  what: string,
  look: () => T | false | Promise<T | false>,
): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await look()
    if (found !== false) return found
    if (performance.now() > end)
      throw new Error(`${what} did not happen within ${PATIENCE_MS / 1000} s`)
    await after(POLL_MS)
  }
}

export async function openDashboard(): Promise<DashboardClient> {
  const backend = await startTestBackend({ seed: 'empty', noLimits: true })
  const client = (key: string) =>
    createClient<AbortSignal>({ baseUrl: backend.ready.baseUrl, key, send: fetchTransport })
  const dashboard = () => client(backend.ready.dashboardToken)

  const desk: DashboardClient = {
    backend,
    client,
    dashboard,
    async partner(receiver) {
      const {
        body: { id },
      } = await dashboard().createPartner({ body: { name: 'Receiver' } })
      await desk.point(id, receiver)
      return id
    },
    async point(partnerId, receiver) {
      const {
        body: { secret },
      } = await dashboard().putWebhook({ params: { id: partnerId }, body: { url: receiver.url } })
      receiver.secrets.push(secret)
    },
    fire: async (partnerId) =>
      (await dashboard().testPartnerWebhook({ params: { id: partnerId }, body: { mode: 'live' } }))
        .body,
    async deliveries(partnerId) {
      const all: Page = []
      for (let page = 1; ; page += 1) {
        const { body } = await dashboard().listDeliveries({
          params: { id: partnerId },
          query: { page, limit: 100 },
        })
        all.push(...(body.results ?? []))
        if (body.hasMore !== true) return all
      }
    },
    async advance(ms) {
      await dashboard().advanceClock({ body: { ms } })
    },
    stop: () => backend.stop(),
  }
  return desk
}
