/** Services with a copy of the present data, on which the explanation of a refusal tries requests. */
import { randomBytes } from 'node:crypto'
import { workFolder } from './data-folder.ts'
import type { Random } from './domain/ports/environment.ts'
import { createIds } from './domain/environment/ids.ts'
import { createService, type ServiceOptions } from './domain/service.ts'
import { createApp } from './http/app.ts'
import { PendingWaits } from './http/call.ts'
import type { StartTrial, TrialRequest } from './http/why/trial.ts'
import { createRequestLog } from './http/request-log/request-log.ts'
import { openStore } from './store/store.ts'

/** Nothing leaves a trial: no webhook, no e-mail. */
const nowhere: ServiceOptions['webhookNetwork'] = {
  send: () =>
    Promise.resolve({ status: null, error: 'nothing is sent from a trial', durationMs: 0 }),
  loopback: true,
}

type Base = Pick<ServiceOptions, 'clock' | 'random' | 'log' | 'seedWorld' | 'simulateMarket'>

/**
 * @param copyTo copies the present data into an empty folder
 * @param origin scheme and authority of the service, for addresses in responses
 */
export function createTrials(
  base: Base & { readonly random: Random },
  copyTo: (folder: string) => void,
  origin: () => string,
): StartTrial {
  return () => {
    const folder = workFolder(null)
    copyTo(folder.path)
    const store = openStore(folder.path, { durable: false })
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
      async send({ method, url, headers, payload, address }: TrialRequest) {
        const answer = await app.inject({
          method: method as 'GET',
          url,
          headers,
          remoteAddress: address,
          ...(payload === undefined ? {} : { payload }),
        })
        const body: unknown = answer.body === '' ? null : JSON.parse(answer.body)
        return { status: answer.statusCode, body }
      },
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
      async end() {
        await app.close()
        await service.stop()
        store.close()
        folder.leave()
      },
    }
  }
}
