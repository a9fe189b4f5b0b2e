import type { HandedMark, KeyRef } from '../../../contract/order-records.ts'
import { failure } from '../../failure.ts'
import { decryptKeys } from './delivered-keys.ts'
import type { DecryptedKey, KeyContext } from './delivered-keys.ts'

/** A decrypted key with the order that it belongs to and its mark. */
export type SelectedKey = DecryptedKey &
  HandedMark & {
    externalId: string
    name: string
  }

/** Chosen keys of any orders in plain text, in the order of the selection's orders. */
export function decryptSelection(access: KeyContext, keys: readonly KeyRef[]): SelectedKey[] {
  access.context.vault.assertUnlocked()
  const selected = [...Map.groupBy(keys, ({ orderId }) => orderId)].flatMap(([orderId, wanted]) => {
    const stored = new Set(access.keys.ofOrder(orderId).map(({ keyId }) => keyId))
    const keyIds = wanted.map(({ keyId }) => keyId).filter((keyId) => stored.has(keyId))
    if (keyIds.length === 0) return []
    const order = access.store.order(orderId)
    const names = new Map(order?.items.map((item) => [item.line, item.name]))
    return decryptKeys(access, orderId, keyIds, 'exported').map((key) => ({
      handedAt: null,
      handedNote: '',
      ...access.keys.handedMark({ orderId, keyId: key.keyId }),
      ...key,
      orderId,
      externalId: order?.row.externalId ?? orderId,
      name: names.get(key.line) ?? key.productId,
    }))
  })
  if (selected.length === 0)
    throw failure(
      'NOT_FOUND',
      'None of these keys is stored on this computer.',
      'Download the keys of the order first.',
    )
  return selected
}
