import { expect, it } from 'vitest'
import type { StoredKey } from '../../../../contract/order-records.ts'
import { copiedKeysToMark } from './keys-to-mark.ts'

const key = (keyId: string, changes: Partial<StoredKey> = {}): StoredKey => ({
  keyId,
  line: 1,
  productId: 'p1',
  deliveryType: 'key',
  contentType: 'text/plain',
  masked: '•••••',
  deliveredAt: 0,
  claimUntil: 0,
  replacement: false,
  seenAt: null,
  handedAt: null,
  handedNote: '',
  ...changes,
})

it('offers to mark the copied keys, without pictures and keys that are already marked', () => {
  const keys = [
    key('text'),
    key('picture', { contentType: 'image/png' }),
    key('handed', { handedAt: 1 }),
  ]
  expect(copiedKeysToMark('ord_1', keys)).toEqual([{ orderId: 'ord_1', keyId: 'text' }])
})
