import type { InferContractRouterInputs } from '@orpc/contract'
import { order as orderSchema } from '../../../server/api/schemas/order.ts'
import { webhookHeaders } from '../../../server/api/schemas/webhook-event.ts'
import type { Contract } from '../../contract/index.ts'
import { conclusionOf } from '../../contract/webhook-inspector.ts'
import type {
  InspectorEvent,
  InspectorEventDetail,
  Receiver,
} from '../../contract/webhook-inspector.ts'
import type { CoreContext } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import { createAccountScopes, defineFeature } from '../lifecycle/lifecycle.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import type { Dashboard } from '../sandbox/sandbox.ts'
import { compareOrders } from './compare.ts'
import { dataOf, inspect } from './inspect.ts'
import type { Wire } from './inspect.ts'
import { startReceiver } from './receiver.ts'
import type { WebhookReceiver, ReceivedWebhook } from './receiver.ts'
import { envelopeOf, headerOf, readPasted } from './verify.ts'

type WebhookInspectorContext = Pick<
  CoreContext,
  'clock' | 'random' | 'changes' | 'accounts' | 'connection'
>

type Inputs = InferContractRouterInputs<Contract['webhookInspector']>

/** Tolerance in seconds that receivers should allow (Decision 21). */
const usualTolerance = 300
const mostEvents = 500
/** Remembered deliveries, and events; the oldest are dropped. */
const mostRemembered = 10_000

/** One account's inspector. It exists only in memory, because of the signing secret. */
type Bench = {
  receiver: (WebhookReceiver & { secret: string; since: number }) | null
  answer: Receiver['answer']
  toleranceSeconds: number
  otherUrl: string | null
  events: InspectorEventDetail[]
  /** What genuine requests brought that a receiver may have acted on. */
  deliveries: Map<string, number>
  seenEvents: Map<string, { at: number; delivery: string }>
}

/** Keeps the first arrival of a delivery and of its event. */
function remember(bench: Bench, { headers, body }: ReceivedWebhook, at: number): void {
  const delivery = headerOf(headers, webhookHeaders.delivery)
  const event = envelopeOf(body).id
  if (delivery !== null) keepFirst(bench.deliveries, delivery, at)
  if (event !== null) keepFirst(bench.seenEvents, event, { at, delivery: delivery ?? '–' })
}

/** Adds an entry unless its key is known, and drops the oldest entry above the limit. */
function keepFirst<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.has(key)) return
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > mostRemembered && oldest !== undefined) map.delete(oldest)
}

/**
 * The webhook inspector. It receives webhooks from the local sandbox on a loopback port, or takes
 * pasted ones, verifies each step by step and compares it with its order.
 */
function createWebhookInspector(
  context: WebhookInspectorContext,
  { dashboard }: { dashboard: Dashboard },
  scope: Scope,
) {
  const { of: benchOf, scope: scopeOf } = createAccountScopes<Bench>(context, scope, {
    role: 'partner',
    otherRole: ['Only partners have webhooks.', 'Choose a partner account.'],
    open({ accountId, onEnd }) {
      const bench: Bench = {
        receiver: null,
        answer: 204,
        toleranceSeconds: usualTolerance,
        otherUrl: null,
        events: [],
        deliveries: new Map(),
        seenEvents: new Map(),
      }
      onEnd(() => stop(accountId, bench))
      return bench
    },
  })
  const partnerOf = (accountId: string): string => {
    const { baseUrl, serviceAccountId } = context.accounts.get(accountId)
    if (!dashboard.serves(baseUrl) || serviceAccountId === null)
      throw failure(
        'BY_HAND',
        'Only the sandbox on this computer can deliver webhooks here.',
        'Paste what your endpoint received.',
        { effect: 'Nothing was changed.' },
      )
    return serviceAccountId
  }
  const shown = (accountId: string): Receiver => {
    const { receiver, answer, toleranceSeconds, otherUrl } = benchOf(accountId)
    return {
      possible: dashboard.serves(context.accounts.get(accountId).baseUrl),
      url: receiver?.url ?? null,
      since: receiver?.since ?? null,
      answer,
      toleranceSeconds,
      otherUrl,
    }
  }

  function note(
    accountId: string,
    request: ReceivedWebhook,
    secret: string,
    from: InspectorEvent['from'],
    now: number | null,
  ): InspectorEventDetail {
    const bench = benchOf(accountId)
    const detail = inspect(request, {
      eventKey: context.random.id(),
      receivedAt: context.clock.now(),
      from,
      answer: bench.answer,
      events: bench.events,
      verification: {
        secret,
        toleranceSeconds: bench.toleranceSeconds,
        now,
        seen: { deliveries: bench.deliveries, events: bench.seenEvents },
      },
    })
    const { signature } = detail.results
    if (signature.result === 'genuine' && conclusionOf(detail.results).process !== 'reject')
      remember(bench, request, detail.receivedAt)
    bench.events = [detail, ...bench.events].slice(0, mostEvents)
    context.changes.notify('webhooks', accountId)
    if (from === 'received' && signature.result === 'genuine' && detail.orderId !== null)
      void readAgain(accountId, detail).catch(() => {})
    return detail
  }

  /**
   * Reads the event's order again (Partner API, Events, rule 3): the order is the source of truth.
   */
  async function readAgain(
    accountId: string,
    detail: InspectorEventDetail,
  ): Promise<InspectorEventDetail> {
    if (detail.orderId === null) return detail
    const order = await context
      .connection(accountId)
      .call('getOrder', { params: { id: detail.orderId } }, { priority: 'watch' })
    // Both sides in wire format: amounts in EUR, times as text.
    detail.compared = {
      orderId: detail.orderId,
      readAt: context.clock.now(),
      fields: compareOrders(dataOf(detail.body), orderSchema.tolerant.encode(order) as Wire),
    }
    context.changes.notify('webhooks', accountId)
    return detail
  }

  function find(accountId: string, eventKey: string): InspectorEventDetail {
    const found = benchOf(accountId).events.find((each) => each.eventKey === eventKey)
    if (found === undefined)
      throw failure(
        'NOT_FOUND',
        'Event not found. It may have been cleared.',
        'Choose another event.',
      )
    return found
  }

  async function start(accountId: string): Promise<void> {
    const id = partnerOf(accountId)
    const bench = benchOf(accountId)
    if (bench.receiver !== null) return
    bench.otherUrl = await dashboard.call('getWebhook', { params: { id } }).then(
      ({ url }) => url,
      () => null,
    )
    let secret = ''
    const hooks = await startReceiver(
      (request) => note(accountId, request, secret, 'received', context.clock.now()).answered,
    )
    try {
      ;({ secret } = await dashboard.call('putWebhook', {
        params: { id },
        body: { url: hooks.url },
      }))
    } catch (error) {
      await hooks.close()
      throw error
    }
    bench.receiver = { ...hooks, secret, since: context.clock.now() }
    context.changes.notify('webhooks', accountId)
  }

  async function stop(accountId: string, bench: Bench): Promise<void> {
    const { receiver } = bench
    bench.receiver = null
    if (receiver === null) return
    const id = context.accounts.get(accountId).serviceAccountId ?? ''
    try {
      const { url } = await dashboard.call('getWebhook', { params: { id } })
      if (url === receiver.url) await dashboard.call('deleteWebhook', { params: { id } })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    } finally {
      await receiver.close()
      context.changes.notify('webhooks', accountId)
    }
  }

  return {
    receiver: ({ accountId }: Inputs['receiver']): Receiver => shown(accountId),
    // In turn: each start and stop depends on the webhook address that the one before has set.
    listen: ({ accountId }: Inputs['listen']): Promise<Receiver> =>
      scopeOf(accountId).serial('receiver', async () => {
        await start(accountId)
        return shown(accountId)
      }),
    stop: ({ accountId }: Inputs['stop']): Promise<Receiver> =>
      scopeOf(accountId).serial('receiver', async () => {
        await stop(accountId, benchOf(accountId))
        return shown(accountId)
      }),
    setAnswer({ accountId, answer }: Inputs['setAnswer']): Receiver {
      benchOf(accountId).answer = answer
      context.changes.notify('webhooks', accountId)
      return shown(accountId)
    },
    setTolerance({ accountId, seconds }: Inputs['setTolerance']): Receiver {
      benchOf(accountId).toleranceSeconds = seconds
      context.changes.notify('webhooks', accountId)
      return shown(accountId)
    },
    async askForTest({ accountId }: Inputs['requestTest']): Promise<{ eventId: string | null }> {
      benchOf(accountId)
      const answer = await context
        .connection(accountId)
        .call('testWebhook', {}, { priority: 'person' })
      return { eventId: answer.eventId ?? null }
    },
    events: ({ accountId }: Inputs['events']): InspectorEvent[] => benchOf(accountId).events,
    event: ({ accountId, eventKey }: Inputs['event']): InspectorEventDetail =>
      find(accountId, eventKey),
    readAgain: ({ accountId, eventKey }: Inputs['refreshOrder']): Promise<InspectorEventDetail> =>
      readAgain(accountId, find(accountId, eventKey)),
    paste({ accountId, request, secret, arrived }: Inputs['paste']): InspectorEventDetail {
      const read = readPasted(request)
      if (read === null)
        throw failure(
          'INVALID_INPUT',
          'No headers were found.',
          'Paste the headers, an empty line, and the body exactly as received.',
          { effect: 'Nothing was checked.' },
        )
      const now = arrived === 'now' ? context.clock.now() : null
      return note(accountId, read, secret ?? '', 'pasted', now)
    },
    clear({ accountId }: Inputs['clear']): void {
      const bench = benchOf(accountId)
      bench.events = []
      bench.deliveries.clear()
      bench.seenEvents.clear()
      context.changes.notify('webhooks', accountId)
    },
  }
}
export type WebhookInspector = ReturnType<typeof createWebhookInspector>

export const webhookInspectorFeature = defineFeature({
  name: 'webhookInspector',
  schemas: [],
  start: createWebhookInspector,
})
