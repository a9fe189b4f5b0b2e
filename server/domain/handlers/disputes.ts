import { type Handlers, withFieldCheck } from '../../api/handlers.ts'
import { envelopeOf, type PageQuery, pageOf } from '../../api/schemas/paging.ts'
import { instantText, instantTextOrNull } from '../context.ts'
import { checkedKey, keyProblems } from '../stock/key-rules.ts'
import type { DisputeFilter, DisputeRecord, MessageRecord } from '../ports/selling/disputes.ts'
import type { Parts } from './parts.ts'

/** Disputes on the Seller API, and claims and support on the dashboard interface. */
export function disputeHandlers({ context, disputes, idempotency, settlement }: Parts) {
  const { store, clock } = context

  const withMessages = (dispute: DisputeRecord) => ({
    ...disputeView(dispute),
    messages: store.disputes.messages(dispute.no).map(messageView),
  })
  function page(filter: DisputeFilter, query: PageQuery) {
    const { offset, limit } = pageOf(query)
    const results = store.disputes.page(filter, offset, limit).map(disputeView)
    return { status: 200 as const, body: envelopeOf(query, store.disputes.count(filter), results) }
  }

  return {
    listDisputes: ({ caller: { sellerId } }, { query }) =>
      page({ sellerId, status: query.status }, query),
    getDispute: ({ caller }, { params }) => ({
      status: 200,
      body: withMessages(disputes.own(caller.sellerId, params.id)),
    }),
    answerDispute: (call, { params, body }) =>
      idempotency.runOnce(call, 'answerDispute', () => {
        const dispute = disputes.own(call.caller.sellerId, params.id)
        const message = disputes.addMessage(dispute, 'seller', body.body, clock.now())
        return { status: 201 as const, body: messageView(message) }
      }),
    replaceKey: withFieldCheck<'replaceKey'>(
      ({ body }) => keyProblems('key', body?.key),
      (call, { params, body }) => {
        // Like the rest of the body, the key is checked before the Idempotency-Key is looked up and
        // before the dispute is checked (Decision 7).
        const by =
          body.key === undefined
            ? { fromStock: true as const }
            : { key: checkedKey(body.key, 'key') }
        return idempotency.runOnce(call, 'replaceKey', () => {
          settlement.replace(disputes.own(call.caller.sellerId, params.id), by, clock.now())
          return { status: 200 as const, body: withMessages(disputes.any(params.id)) }
        })
      },
    ),
    refundDispute: (call, { params }) =>
      idempotency.runOnce(call, 'refundDispute', () => {
        settlement.refund(disputes.own(call.caller.sellerId, params.id), clock.now())
        return { status: 200 as const, body: withMessages(disputes.any(params.id)) }
      }),
    createClaim: withFieldCheck<'createClaim'>(
      ({ body }) => disputes.claimProblems(body),
      (_call, { body }) => ({
        status: 201,
        body: { disputeId: disputes.claim(body, clock.now()).id },
      }),
    ),
    listAllDisputes: (_call, { query }) => page({}, query),
    addOutsideMessage: (_call, { params, body }) => ({
      status: 201,
      body: messageView(
        disputes.addMessage(disputes.any(params.id), body.author, body.body, clock.now()),
      ),
    }),
    escalateDispute: (_call, { params, body }) => ({
      status: 200,
      body: withMessages(disputes.escalate(params.id, body.reason, clock.now())),
    }),
    rejectDispute: (_call, { params, body }) => ({
      status: 200,
      body: withMessages(disputes.reject(params.id, body.reason, clock.now())),
    }),
  } satisfies Handlers
}

function disputeView(dispute: DisputeRecord) {
  const {
    id,
    saleId,
    offerId,
    orderId,
    keyId,
    productId,
    name,
    status,
    reason,
    resolution,
    resolvedAt,
  } = dispute
  return {
    id,
    saleId,
    offerId,
    orderId,
    keyId,
    productId,
    name,
    status,
    reason,
    openedAt: instantText(dispute.openedAt),
    updatedAt: instantText(dispute.updatedAt),
    escalatesAt: instantTextOrNull(dispute.escalatesAt),
    keySha256: Buffer.from(dispute.keySha256).toString('hex'),
    resolution:
      resolution === null || resolvedAt === null
        ? null
        : {
            type: resolution,
            at: instantText(resolvedAt),
          },
  }
}

const messageView = ({ createdAt, ...message }: MessageRecord) => ({
  ...message,
  createdAt: instantText(createdAt),
})
