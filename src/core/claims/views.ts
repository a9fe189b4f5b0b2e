import type { Claim, ClaimDetail } from '../../contract/claims.ts'
import { failure } from '../failure.ts'
import type { OrdersAccess } from '../orders/orders.ts'
import type { ClaimsContext } from './context.ts'
import { letterOf } from './letter.ts'
import { claimRecordNames } from './schema.ts'
import type { ClaimRecord, ClaimStore } from './store.ts'

type Parts = {
  vault: ClaimsContext['vault']
  orders: OrdersAccess
  storeOf: (accountId: string) => ClaimStore
  /** Whether claims of the account can be filed from this computer. */
  filesHere: (accountId: string) => boolean
}

/** Claims as the screen shows them, with the facts of their order and key. */
export function createClaimViews({ vault, orders, storeOf, filesHere }: Parts) {
  function toClaim(accountId: string, record: ClaimRecord): Claim {
    const order = orders.order(accountId, record.orderId)
    const key = orders.keysOf(accountId, record.orderId).find(({ keyId }) => keyId === record.keyId)
    const { message: _sealed, ...rest } = record
    const item = order?.items.find(({ line }) => line === key?.line)
    const [variant] = orders.withVariants(accountId, [
      { productId: key?.productId ?? null, ...(item && { deliveryType: item.deliveryType }) },
    ])
    return {
      ...rest,
      externalId: order?.row.externalId ?? record.orderId,
      line: key?.line ?? 0,
      name: item?.name ?? key?.productId ?? '',
      platform: variant?.platform ?? '',
      region: variant?.region ?? '',
      deliveryType: variant?.deliveryType ?? '',
      masked: key?.masked ?? '',
      claimUntil: key?.claimUntil ?? 0,
    }
  }
  function recordOf(accountId: string, claimId: string): ClaimRecord {
    const record = storeOf(accountId).one(claimId)
    if (record === null)
      throw failure('NOT_FOUND', 'Claim not found on this computer.', 'Check the claim list.')
    return record
  }
  function detail(accountId: string, claimId: string): ClaimDetail {
    const record = recordOf(accountId, claimId)
    const claim = toClaim(accountId, record)
    vault.assertUnlocked()
    const message = vault
      .open(accountId, claimRecordNames.message(claimId), record.message)
      .toString()
    const deliveredAt =
      orders.keysOf(accountId, record.orderId).find(({ keyId }) => keyId === record.keyId)
        ?.deliveredAt ?? record.writtenAt
    return {
      ...claim,
      message,
      letter: letterOf({
        ...claim,
        deliveredAt,
        message,
        hasScreenshot: claim.screenshot !== null,
      }),
      files: filesHere(accountId) ? 'here' : 'by-hand',
    }
  }
  return { toClaim, recordOf, detail }
}

export type ClaimViews = ReturnType<typeof createClaimViews>
