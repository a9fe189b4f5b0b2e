import { createHash } from 'node:crypto'
import { userInfo } from 'node:os'
import type { KeyUse } from '../../../contract/order-records.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { failure } from '../../failure.ts'
import type { OrdersContext } from '../context.ts'
import { formOf } from './key-forms.ts'
import type { KeyForm } from './key-forms.ts'
import type { KeyStore, SealedKey } from './key-store.ts'
import { maskValue } from './masking.ts'
import { refreshOrder } from '../sync/order-sync.ts'
import { orderKeyRecord } from '../schema.ts'
import type { OrderStore } from '../store.ts'
import { localEntry } from '../../local-entry.ts'

export type KeyContext = {
  context: OrdersContext
  accountId: string
  store: OrderStore
  keys: KeyStore
}
/** One stored key in plain text. */
export type DecryptedKey = {
  keyId: string
  line: number
  productId: string
  deliveryType: string
  contentType: string
  value: string
}

const useMessages: Record<KeyUse['what'], Localized> = {
  downloaded: localized('orders.keys-downloaded'),
  revealed: localized('orders.key-revealed'),
  copied: localized('orders.keys-copied'),
  message: localized('orders.keys-copied-with-instructions'),
  exported: localized('orders.keys-exported'),
  opened: localized('orders.key-link-opened'),
}

/**
 * Fingerprint of a value: equal for identical units, regardless of surrounding spaces. Requires an
 * open vault.
 */
export const fingerprintOf = (context: Pick<OrdersContext, 'vault'>, value: string): Buffer =>
  context.vault.fingerprint(createHash('sha256').update(value.trim()).digest())

/** The operating system's current user; Keydesk has no users of its own. */
function currentUserName(): string {
  try {
    return userInfo().username
  } catch {
    return 'somebody'
  }
}

/**
 * Records an action on keys, with its time and user, in the order's own history and in the
 * activity.
 */
function recordUse(
  { context, accountId, keys }: KeyContext,
  orderId: string,
  keyIds: readonly string[],
  what: KeyUse['what'],
): void {
  const who = currentUserName()
  keys.note(orderId, keyIds, { what, who, at: context.clock.now() })
  context.activity.add(
    localEntry({
      accountId,
      what: useMessages[what],
      detail:
        keyIds[0] !== undefined && keyIds.length === 1
          ? localized('orders.key', { keyId: keyIds[0], orderId, user: who })
          : localized('orders.keys', { keys: keyIds.length, orderId, user: who }),
    }),
  )
}

/**
 * Downloads every delivered unit of an order into the vault and returns the number of new ones. The
 * first response with a key is the service's proof of delivery (Decision 20), so the vault must be
 * open before the request: a key that can't be stored is never fetched.
 */
export const downloadKeys = (access: KeyContext, orderId: string): Promise<number> =>
  access.context.vault.holdUnlocked(() => download(access, orderId))

async function download(access: KeyContext, orderId: string): Promise<number> {
  const { context, accountId, store, keys } = access
  const answer = await context
    .connection(accountId)
    .call('getOrderKeys', { params: { id: orderId } }, { priority: 'person' })
  const now = context.clock.now()
  const known = new Set(keys.ofOrder(orderId).map(({ keyId }) => keyId))
  const delivered = new Map(
    store.order(orderId)?.items.map((item) => [item.line, item.deliveredQty]),
  )
  const places = new Map<number, number>()
  const kept = answer.keys
    .toSorted((a, b) => a.line - b.line || Date.parse(a.deliveredAt) - Date.parse(b.deliveredAt))
    .map((key): SealedKey => {
      const place = (places.get(key.line) ?? 0) + 1
      places.set(key.line, place)
      return {
        keyId: key.id,
        line: key.line,
        productId: key.productId,
        deliveryType: key.deliveryType,
        contentType: key.contentType,
        masked: maskValue(key.value, key.contentType),
        deliveredAt: Date.parse(key.deliveredAt) || now,
        // A claim's replacement is one unit more than the line's delivered quantity (Decision 20).
        replacement: place > (delivered.get(key.line) ?? Number.POSITIVE_INFINITY),
        sealed: context.vault.seal(
          accountId,
          orderKeyRecord(orderId, key.id),
          Buffer.from(key.value),
        ),
        fingerprint: fingerprintOf(context, key.value),
      }
    })
  if (kept.length === 0) {
    throw failure(
      'NO_KEYS',
      'The service has no keys for this order yet.',
      'Try again when the order is delivered.',
      { effect: 'No download was recorded.' },
    )
  }
  const fresh = kept.filter(({ keyId }) => !known.has(keyId))
  store.transaction(() => {
    keys.keep(orderId, kept, now)
    recordUse(
      access,
      orderId,
      fresh.map(({ keyId }) => keyId),
      'downloaded',
    )
  })
  context.changes.notify('orders', accountId, orderId)
  context.changes.notify('vault')
  await refreshOrder(context, accountId, store, orderId).catch(() => {
    // The keys are stored; the next sync reads the time of the recorded download.
  })
  return fresh.length
}

function decryptKey(
  { context, accountId, keys }: KeyContext,
  orderId: string,
  keyId: string,
): Omit<DecryptedKey, 'line' | 'productId' | 'keyId'> {
  const kept = keys.sealed(orderId, keyId)
  if (kept === null)
    throw failure(
      'NOT_FOUND',
      'This key isn’t stored on this computer.',
      'Download the keys of the order first.',
    )
  context.vault.assertUnlocked()
  return {
    value: context.vault.open(accountId, orderKeyRecord(orderId, keyId), kept.sealed).toString(),
    contentType: kept.content_type,
    deliveryType: kept.delivery_type,
  }
}

/** One stored key in plain text. Works without the service; requires an open vault. */
export function revealKey(
  access: KeyContext,
  orderId: string,
  keyId: string,
  what: 'revealed' | 'copied' | 'opened',
): { value: string; contentType: string } & KeyForm {
  const { value, contentType, deliveryType } = decryptKey(access, orderId, keyId)
  recordUse(access, orderId, [keyId], what)
  access.context.changes.notify('orders', access.accountId, orderId)
  return { value, contentType, ...formOf(value, contentType, deliveryType) }
}

/**
 * Stored keys of an order in plain text, in the order of its lines; all of them if none is named.
 * Pictures can't be copied as text, so `copied` leaves them out and doesn't record them.
 */
export function decryptKeys(
  access: KeyContext,
  orderId: string,
  keyIds: readonly string[] | null,
  what: 'copied' | 'message' | 'exported',
): DecryptedKey[] {
  const wanted = access.keys
    .ofOrder(orderId)
    .filter(({ keyId }) => keyIds === null || keyIds.includes(keyId))
  if (wanted.length === 0)
    throw failure(
      'NOT_FOUND',
      'No keys of this order are stored on this computer.',
      'Download the keys of the order first.',
    )
  const usable =
    what === 'copied'
      ? wanted.filter(({ contentType }) => !contentType.startsWith('image/'))
      : wanted
  if (usable.length === 0) return []
  const opened = usable.map(({ keyId, line, productId }) => ({
    keyId,
    line,
    productId,
    ...decryptKey(access, orderId, keyId),
  }))
  recordUse(
    access,
    orderId,
    opened.map(({ keyId }) => keyId),
    what,
  )
  access.context.changes.notify('orders', access.accountId, orderId)
  return opened
}

/**
 * Adds fingerprints to keys that an earlier Keydesk version stored, in small batches so that other
 * calls aren't delayed. Throws Failure if the vault is locked, also between two batches.
 */
export async function addMissingFingerprints({
  context,
  accountId,
  keys,
  store,
}: KeyContext): Promise<void> {
  for (let some = keys.unmarked(); some.length > 0; some = keys.unmarked()) {
    context.vault.assertUnlocked()
    store.transaction(() => {
      for (const { orderId, keyId, sealed } of some)
        keys.mark(
          orderId,
          keyId,
          fingerprintOfSealed({ context, accountId }, orderId, keyId, sealed),
        )
    })
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}

/** Treat a value that can no longer be decrypted like a missing one. */
function fingerprintOfSealed(
  { context, accountId }: Pick<KeyContext, 'context' | 'accountId'>,
  orderId: string,
  keyId: string,
  sealed: Buffer,
): Buffer {
  try {
    return fingerprintOf(
      context,
      context.vault.open(accountId, orderKeyRecord(orderId, keyId), sealed).toString(),
    )
  } catch {
    return Buffer.alloc(0)
  }
}
