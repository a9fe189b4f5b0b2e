import { expect, test } from 'vitest'
import { CLAIM_WINDOW_MS } from '../../../server/api/limits.ts'
import type { ClaimDetail } from '../../contract/claims.ts'
import { problemOfFailure } from '../testing/failures.ts'
import { createDrafts } from './drafts.ts'

const accountId = 'account'
const deliveredAt = Date.UTC(2026, 0, 5)

/** Claims of an account whose service has this time, and the ids of the written ones. */
function draftsAt(now: number) {
  const written: string[] = []
  const key = {
    keyId: 'k1',
    line: 1,
    productId: 'p1',
    deliveredAt,
    claimUntil: deliveredAt + CLAIM_WINDOW_MS,
  }
  const drafts = createDrafts({
    context: {
      accounts: { serviceNow: () => now },
      vault: { assertUnlocked: () => {}, seal: () => Buffer.alloc(0) },
      random: { id: () => 'claim' },
      clock: { now: () => 0 },
      changes: { notify: () => {} },
    },
    orders: { keysOf: () => [key], order: () => null },
    storeOf: () => ({
      ofKey: () => null,
      write: ({ claimId }: { claimId: string }) => written.push(claimId),
    }),
    views: { detail: (_account: string, claimId: string) => ({ claimId }) as ClaimDetail },
  } as unknown as Parameters<typeof createDrafts>[0])
  return {
    written,
    create: async () => drafts.create({ accountId, orderId: 'o1', keyId: 'k1' }),
  }
}

test('prepares a claim until 7 days after delivery, like the service', async () => {
  const { create, written } = draftsAt(deliveredAt + CLAIM_WINDOW_MS)
  expect(await create()).toEqual({ claimId: 'claim' })
  expect(written).toEqual(['claim'])
})

test('rejects a claim 1 ms after the claim window', async () => {
  const { create, written } = draftsAt(deliveredAt + CLAIM_WINDOW_MS + 1)
  expect(await problemOfFailure(create())).toMatchObject({
    code: 'CLAIM_WINDOW_CLOSED',
    what: 'The 7-day claim window of this key has closed.',
    effect: 'No claim was made.',
  })
  expect(written).toEqual([])
})
