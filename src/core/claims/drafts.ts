import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import { isClaimable } from '../../../server/api/limits.ts'
import type { ClaimDetail } from '../../contract/claims.ts'
import type { Contract } from '../../contract/index.ts'
import { failure } from '../failure.ts'
import type { OrdersAccess } from '../orders/orders.ts'
import { pictureType } from '../picture-type.ts'
import type { ClaimsContext } from './context.ts'
import { initialMessage } from './letter.ts'
import { claimRecordNames } from './schema.ts'
import type { ClaimRecord, ClaimStore } from './store.ts'
import type { ClaimViews } from './views.ts'

type Inputs = InferContractRouterInputs<Contract['claims']>
type Outputs = InferContractRouterOutputs<Contract['claims']>

/** Largest screenshot, in bytes. */
const maxScreenshotBytes = 5 * 1024 * 1024

type Parts = {
  context: ClaimsContext
  orders: OrdersAccess
  storeOf: (accountId: string) => ClaimStore
  views: Pick<ClaimViews, 'recordOf' | 'detail'>
}

/** Throws Failure `CONFLICT` if the claim was sent. */
export const assertDraft = ({ state }: ClaimRecord): void => {
  if (state !== 'draft' && state !== 'refused')
    throw failure('CONFLICT', 'This claim was already sent.', 'Check its result.', {
      effect: 'Nothing was changed.',
    })
}

/** Prepares claims before they are sent: the message and the screenshot, sealed by the vault. */
export function createDrafts({ context, orders, storeOf, views: { recordOf, detail } }: Parts) {
  const { clock, vault } = context

  function sealScreenshot(
    accountId: string,
    claimId: string,
    { contentType, base64 }: { contentType: string; base64: string },
  ): { sealed: Buffer; contentType: string; bytes: number } {
    const bytes = Buffer.from(base64, 'base64')
    if (pictureType(bytes) !== contentType || bytes.length > maxScreenshotBytes) {
      throw failure(
        'INVALID_INPUT',
        'This file can’t be used as a screenshot.',
        'Choose a PNG, JPEG or GIF of at most 5 MB.',
        { effect: 'Nothing was changed.' },
      )
    }
    return {
      sealed: vault.seal(accountId, claimRecordNames.screenshot(claimId), bytes),
      contentType,
      bytes: bytes.length,
    }
  }

  return {
    screenshot({ accountId, claimId }: Inputs['screenshot']): Outputs['screenshot'] {
      const kept = storeOf(accountId).screenshot(claimId)
      vault.assertUnlocked()
      return kept === null
        ? null
        : {
            contentType: kept.contentType as 'image/png',
            base64: vault
              .open(accountId, claimRecordNames.screenshot(claimId), kept.sealed)
              .toString('base64'),
          }
    },
    create({ accountId, orderId, keyId }: Inputs['create']): ClaimDetail {
      const store = storeOf(accountId)
      const known = store.ofKey(keyId)
      if (known !== null) return detail(accountId, known.claimId)
      const key = orders.keysOf(accountId, orderId).find((each) => each.keyId === keyId)
      if (key === undefined)
        throw failure(
          'NOT_FOUND',
          'This key isn’t stored on this computer.',
          'Download the keys of the order first.',
        )
      if (!isClaimable(key.claimUntil, context.accounts.serviceNow(accountId)))
        throw failure(
          'CLAIM_WINDOW_CLOSED',
          'The 7-day claim window of this key has closed.',
          'The key can no longer be claimed.',
          { effect: 'No claim was made.' },
        )
      vault.assertUnlocked()
      const claimId = context.random.id()
      const name =
        orders.order(accountId, orderId)?.items.find(({ line }) => line === key.line)?.name ??
        key.productId
      store.write({
        claimId,
        orderId,
        keyId,
        message: vault.seal(
          accountId,
          claimRecordNames.message(claimId),
          Buffer.from(initialMessage(name)),
        ),
        at: clock.now(),
      })
      context.changes.notify('orders', accountId, orderId)
      return detail(accountId, claimId)
    },
    save({ accountId, claimId, message, screenshot }: Inputs['save']): ClaimDetail {
      const store = storeOf(accountId)
      assertDraft(recordOf(accountId, claimId))
      vault.assertUnlocked()
      const sealed = vault.seal(accountId, claimRecordNames.message(claimId), Buffer.from(message))
      const picture =
        screenshot == null ? screenshot : sealScreenshot(accountId, claimId, screenshot)
      store.transaction(() => {
        store.setMessage(claimId, sealed)
        if (picture !== undefined) store.setScreenshot(claimId, picture)
      })
      context.changes.notify('orders', accountId)
      return detail(accountId, claimId)
    },
    discard({ accountId, claimId }: Inputs['discard']): void {
      assertDraft(recordOf(accountId, claimId))
      storeOf(accountId).drop(claimId)
      context.changes.notify('orders', accountId)
    },
  }
}
