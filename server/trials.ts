/** Services with a copy of the present data, on which the explanation of a refusal tries requests. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { workFolder } from './data-folder.ts'
import type { Random } from './domain/ports/environment.ts'
import type { Store } from './domain/ports/store.ts'
import { createIds } from './domain/environment/ids.ts'
import { createService, type ServiceOptions } from './domain/service.ts'
import { createApp } from './http/app.ts'
import { PendingWaits } from './http/call.ts'
import type { StartTrial, TrialService } from './http/why/trial.ts'
import { createRequestLog } from './http/request-log/request-log.ts'
import { openTrialStore } from './store/store.ts'

/** Nothing leaves a trial: no webhook, no e-mail. */
const nowhere: ServiceOptions['webhookNetwork'] = {
  send: () =>
    Promise.resolve({ status: null, error: 'nothing is sent from a trial', durationMs: 0 }),
  loopback: true,
}

type Base = Pick<ServiceOptions, 'clock' | 'log' | 'seedWorld' | 'simulateMarket'> & {
  readonly random: Random
}

type Original = Pick<Store['snapshots'], 'copy'> & Pick<Store, 'version'>

export type Trials = {
  readonly start: StartTrial
  stop(): Promise<void>
}

/** Sends requests to a service without a connection. */
export const sendTo =
  (app: Pick<FastifyInstance, 'inject'>): TrialService['send'] =>
  async ({ method, url, headers, payload, address }) => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers,
      remoteAddress: address,
      ...(payload === undefined ? {} : { payload }),
    })
    const body: unknown = answer.body === '' ? null : JSON.parse(answer.body)
    return {
      status: answer.statusCode,
      requestId: String(answer.headers['x-request-id'] ?? ''),
      body,
    }
  }

/** A service on a copy that is used for one trial after another. */
type Copied = Omit<TrialService, 'end'> & {
  /** Whether the data is a copy of the present state again. */
  refresh(): boolean
  stop(): Promise<void>
}

function createCopy(base: Base, original: Original, origin: () => string): Copied {
  const folder = workFolder(null)
  let version = original.version()
  const store = openTrialStore(folder.path, original.copy())
  const ids = createIds(base.clock, base.random)
  const service = createService({ ...base, store, ids, webhookNetwork: nowhere })
  const dashboardToken = randomBytes(32).toString('base64url')
  const waits = new PendingWaits()
  // Orders are accepted and not delivered, so no request waits for its order.
  waits.stop()
  const requestLog = createRequestLog(() => service.clock.now())
  const app = createApp({
    handlers: { ...service.handlers, ...requestLog.handlers },
    requestLog: null,
    faults: service.faults,
    access: service.access,
    rates: null,
    dashboardToken,
    pictures: () => null,
    log: base.log,
    newRequestId: () => ids.next('req'),
    now: () => service.clock.now(),
    origin,
    prove: () => ({ hmac: '', publicKey: '', signature: '' }),
    waits,
  })
  return {
    dashboardToken,
    send: sendTo(app),
    holder(api, sha256) {
      if (api === 'seller') {
        const holder = service.access.seller(sha256, '')
        return holder === null ? null : { api, id: holder.caller.sellerId }
      }
      const holder = service.access.partner(sha256, '')
      if (holder === null) return null
      const { partnerId: id, mode, scopes } = holder.caller
      return { api, id, mode, scopes }
    },
    refresh() {
      // A restore or a reset that was tried has also started due work.
      if (store.replaced) return false
      for (const { name } of store.snapshots.list()) store.snapshots.remove(name)
      const present = original.version()
      if (present === version) store.rewind()
      else store.show(original.copy())
      version = present
      service.faults.set([])
      service.reload()
      return true
    },
    async stop() {
      await app.close()
      await service.stop()
      store.close()
      folder.leave()
    },
  }
}

/**
 * Trials take turns on one copy, which returns to the present state between them, because a copy
 * of a service takes longer than most trials.
 *
 * @param original the present state
 * @param origin scheme and authority of the service, for addresses in responses
 */
export function createTrials(base: Base, original: Original, origin: () => string): Trials {
  let copy: Copied | null = null
  let turn: Promise<void> = Promise.resolve()

  async function present(): Promise<Copied> {
    if (copy?.refresh() === true) return copy
    await copy?.stop()
    copy = createCopy(base, original, origin)
    return copy
  }

  return {
    async start() {
      const { promise, resolve } = Promise.withResolvers<void>()
      const before = turn
      turn = promise
      await before
      try {
        const { dashboardToken, send, holder } = await present()
        return { dashboardToken, send, holder, end: resolve }
      } catch (error) {
        resolve()
        throw error
      }
    },
    async stop() {
      await turn
      await copy?.stop()
    },
  }
}
