import { type Handlers, withFieldCheck } from '../../api/handlers.ts'
import { envelopeOf, pageOf } from '../../api/schemas/paging.ts'
import { demoSettings } from '../access/demo-keys.ts'
import { instantText, instantTextOrNull } from '../context.ts'
import type { Parts } from './parts.ts'

/** How to set the endpoint that the demo partner lacks at first (Decision 47). */
const hintFor = (partnerId: string): string =>
  `No endpoint is set. PUT /dashboard/partners/${partnerId}/webhook with {"url": "https://…"}, or ` +
  'http on this computer. The response has the signing secret.'

/** Webhook endpoints, their deliveries, and the test event of both interfaces. */
export function webhookHandlers({ context, accounts, webhooks }: Parts) {
  const { store } = context
  return {
    testWebhook: ({ caller: { partnerId, mode } }) => ({
      status: 202,
      body: { queued: true, ...webhooks.test(partnerId, mode) },
    }),
    putWebhook: withFieldCheck<'putWebhook'>(
      ({ body }) => webhooks.urlProblems(body?.url),
      (_call, { params, body }) => {
        const { url, secret } = webhooks.setEndpoint(accounts.partner(params.id).id, body.url)
        return { status: 200, body: { url, secret } }
      },
    ),
    getWebhook(_call, { params }) {
      const { id } = accounts.partner(params.id)
      const isDemo = store.settings.get(demoSettings.partner) === id
      if (isDemo && store.webhooks.endpoint(id) === undefined)
        return { status: 200, body: { url: null, createdAt: null, hint: hintFor(id) } }
      const { url, createdAt } = webhooks.endpoint(id)
      return { status: 200, body: { url, createdAt: instantText(createdAt) } }
    },
    deleteWebhook(_call, { params }) {
      webhooks.removeEndpoint(accounts.partner(params.id).id)
      return { status: 204 }
    },
    testPartnerWebhook: (_call, { params, body }) => ({
      status: 202,
      body: webhooks.test(accounts.partner(params.id).id, body.mode),
    }),
    listDeliveries(_call, { params, query }) {
      const { id } = accounts.partner(params.id)
      const { offset, limit } = pageOf(query)
      const results = store.webhooks
        .page(id, offset, limit)
        .map(({ nextAttemptAt, attempts, ...delivery }) => ({
          ...delivery,
          attempts: attempts.map(({ at, ...attempt }) => ({ at: instantText(at), ...attempt })),
          nextAttemptAt: instantTextOrNull(nextAttemptAt),
        }))
      return { status: 200, body: envelopeOf(query, store.webhooks.count(id), results) }
    },
    resendDelivery: (_call, { params }) => ({
      status: 202,
      body: webhooks.resend(accounts.partner(params.id).id, params.deliveryId),
    }),
  } satisfies Handlers
}
