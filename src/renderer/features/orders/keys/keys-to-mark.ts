import type { KeyRef, StoredKey } from '../../../../contract/order-records.ts'

/**
 * The keys to offer for “Mark as handed over” after an order's keys were copied: those not marked
 * yet, without pictures, which can't be copied as text.
 */
export const copiedKeysToMark = (orderId: string, keys: readonly StoredKey[]): KeyRef[] =>
  keys
    .filter(({ handedAt, contentType }) => handedAt === null && !contentType.startsWith('image/'))
    .map(({ keyId }) => ({ orderId, keyId }))
