import { failure } from '../failure.ts'
import type { CoreContext } from '../context.ts'
import { maskValue } from './masking.ts'
import { refreshOrder } from './order-sync.ts'
import { orderKeyRecord } from './schema.ts'
import type { OrderStore } from './store.ts'

/**
 * Downloads every delivered unit of an order into the vault. The first answer with a key is the service's proof of delivery (Decision 20),
 * so the vault must be open before the service is asked: a key that can't be kept is never fetched.
 */
export async function downloadKeys(context: CoreContext, accountId: string, store: OrderStore, orderId: string): Promise<void> {
  await context.vault.hold(() => download(context, accountId, store, orderId))
}

async function download(context: CoreContext, accountId: string, store: OrderStore, orderId: string): Promise<void> {
  const answer = await context.line(accountId).call('getOrderKeys', { params: { id: orderId } }, { priority: 'person' })
  const now = context.clock.now()
  const kept = answer.keys.map((key) => ({
    keyId: key.id,
    line: key.line,
    productId: key.productId,
    deliveryType: key.deliveryType,
    contentType: key.contentType,
    masked: maskValue(key.value, key.contentType),
    deliveredAt: Date.parse(key.deliveredAt) || now,
    sealed: context.vault.seal(accountId, orderKeyRecord(orderId, key.id), Buffer.from(key.value)),
  }))
  if (kept.length === 0) {
    throw failure('NO_KEYS', 'The service has no keys for this order yet.', 'Try again when the order is delivered.', { effect: 'Nothing was recorded.' })
  }
  store.transaction(() => store.keepKeys(orderId, kept, now))
  context.activity.add({
    accountId, what: 'Keys downloaded', detail: `${kept.length} ${kept.length === 1 ? 'key' : 'keys'} of order ${orderId}, kept in the vault`,
    outcome: 'ok', code: null, status: null, requestId: null, durationMs: null,
  })
  context.changes.tell('orders', accountId, orderId)
  await refreshOrder(context, accountId, store, orderId).catch(() => {
    // The keys are kept; the time of the recorded download comes with the next look.
  })
}

/** One kept key in clear. Works without the service; needs the vault open. */
export function revealKey(context: CoreContext, accountId: string, store: OrderStore, orderId: string, keyId: string): { value: string; contentType: string } {
  const kept = store.sealedKey(orderId, keyId)
  if (kept === null) throw failure('NOT_FOUND', 'This key is not kept on this desk.', 'Download the keys of the order first.')
  context.vault.demandOpen()
  const value = context.vault.open(accountId, orderKeyRecord(orderId, keyId), kept.sealed).toString()
  context.activity.add({
    accountId, what: 'Key revealed', detail: `Key ${keyId} of order ${orderId}`, outcome: 'ok', code: null, status: null, requestId: null, durationMs: null,
  })
  return { value, contentType: kept.content_type }
}
