import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Claim, ClaimDetail } from '../../contract/claims.ts'
import type { Contract } from '../../contract/index.ts'
import { localized } from '../../contract/localization/localized.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import { Failure, failure } from '../failure.ts'
import { sendJournaled } from '../journaled-send/journaled-send.ts'
import { createAccountScopes, defineFeature } from '../lifecycle/lifecycle.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import type { OrdersAccess } from '../orders/orders.ts'
import { pictureType } from '../picture-type.ts'
import type { Dashboard } from '../sandbox/sandbox.ts'
import type { ClaimsContext } from './context.ts'
import { createFollowing, followIntervalMs } from './following.ts'
import { initialMessage, letterOf } from './letter.ts'
import { createSandboxClaims } from './sandbox-claims.ts'
import type { ClaimRecords } from './records.ts'
import { claimRecordNames } from './schema.ts'
import type { ClaimRecord, DisputeState } from './store.ts'

type Inputs = InferContractRouterInputs<Contract['claims']>
type Outputs = InferContractRouterOutputs<Contract['claims']>

/** Largest screenshot, in bytes. */
const maxScreenshotBytes = 5 * 1024 * 1024
/**
 * Claims on delivered units: prepared within the window, filed once where Keydesk can file them,
 * followed to a replacement or credit.
 */
function createClaims(
  context: ClaimsContext,
  {
    claimRecords,
    orders: { access: orders },
    dashboard,
  }: { claimRecords: ClaimRecords; orders: { access: OrdersAccess }; dashboard: Dashboard },
  scope: Scope,
) {
  const { clock, vault } = context
  const sandbox = createSandboxClaims(dashboard)
  const storeOf = claimRecords.of
  createAccountScopes<null>(context, scope, {
    role: 'partner',
    open: () => null,
    start: (_state, work) =>
      work.every(followIntervalMs, () => following.followOpenClaims(work.accountId)),
  })
  const filesHere = (accountId: string): boolean =>
    dashboard.serves(context.accounts.get(accountId).baseUrl)
  const following = createFollowing({
    context,
    orders,
    sandbox,
    storeOf,
    filesHere,
    toClaim,
    note: recordActivity,
  })

  function recordActivity(
    accountId: string,
    what: Localized,
    { orderId, keyId }: Pick<ClaimRecord, 'orderId' | 'keyId'>,
  ): void {
    context.activity.add({
      accountId,
      what,
      detail: localized('claims.key', { keyId, orderId }),
      outcome: 'ok',
      code: null,
      status: null,
      requestId: null,
      durationMs: null,
    })
  }

  function toClaim(accountId: string, record: ClaimRecord): Claim {
    const order = orders.order(accountId, record.orderId)
    const key = orders.keysOf(accountId, record.orderId).find(({ keyId }) => keyId === record.keyId)
    const { message: _sealed, ...rest } = record
    return {
      ...rest,
      externalId: order?.row.externalId ?? record.orderId,
      line: key?.line ?? 0,
      name: order?.items.find(({ line }) => line === key?.line)?.name ?? key?.productId ?? '',
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
  const assertDraft = ({ state }: ClaimRecord): void => {
    if (state !== 'draft' && state !== 'refused')
      throw failure('CONFLICT', 'This claim was already sent.', 'Check its result.', {
        effect: 'Nothing was changed.',
      })
  }

  return {
    list({ accountId, view = 'all' }: Inputs['list']): Outputs['list'] {
      const all = storeOf(accountId)
        .all()
        .map((record) => toClaim(accountId, record))
      const of = {
        all,
        draft: all.filter(isDraft),
        waiting: all.filter((claim) => !isDraft(claim) && claim.outcome === null),
        settled: all.filter(({ outcome }) => outcome !== null),
      }
      return {
        rows: of[view],
        counts: {
          all: all.length,
          draft: of.draft.length,
          waiting: of.waiting.length,
          settled: of.settled.length,
        },
      }
    },
    claim: ({ accountId, claimId }: Inputs['claim']): ClaimDetail => detail(accountId, claimId),
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
      if (key.claimUntil <= context.accounts.serviceNow(accountId))
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
    async file({ accountId, claimId }: Inputs['file']): Promise<ClaimDetail> {
      const store = storeOf(accountId)
      const claim = detail(accountId, claimId)
      if (claim.files !== 'here')
        throw failure(
          'BY_HAND',
          'The API doesn’t accept claims.',
          'Send the prepared text and the screenshot to the service’s support.',
          { effect: 'No claim was made.' },
        )
      assertDraft(recordOf(accountId, claimId))
      const kept = store.screenshot(claimId)
      const screenshot =
        kept === null
          ? null
          : vault
              .open(accountId, claimRecordNames.screenshot(claimId), kept.sealed)
              .toString('base64')
      const { orderId, keyId, message } = claim
      await sendJournaled<DisputeState>({
        write() {
          store.become(claimId, 'sending', null, clock.now())
          context.changes.notify('orders', accountId, orderId)
          following.inFlight.add(claimId)
        },
        send: () =>
          sandbox.file({ orderId, keyId, message, screenshot }).catch((error: unknown) => {
            if (error instanceof Failure) throw error
            throw new Failure(context.report('claim', error), {
              certainty: 'unknown',
              retry: 'ask',
            })
          }),
        settle(outcome) {
          if (outcome.state === 'done') {
            store.follow(claimId, outcome.result)
            return recordActivity(accountId, localized('claims.filed'), claim)
          }
          const state = outcome.state === 'unknown' ? 'unknown' : 'refused'
          store.become(claimId, state, outcome.failure.problem, null)
        },
      }).finally(() => following.inFlight.delete(claimId))
      context.changes.notify('orders', accountId, claim.orderId)
      return detail(accountId, claimId)
    },
    recordByHand({ accountId, claimId, told, outcome }: Inputs['recordByHand']): ClaimDetail {
      const store = storeOf(accountId)
      const record = recordOf(accountId, claimId)
      if (record.state === 'filed')
        throw failure(
          'CONFLICT',
          'The service reports the result of this claim.',
          'Wait for its decision.',
          { effect: 'Nothing was changed.' },
        )
      if (told === true) store.become(claimId, 'told', null, clock.now())
      if (outcome !== undefined)
        store.setOutcome(claimId, outcome, outcome === null ? null : clock.now())
      if (told === true) recordActivity(accountId, localized('claims.sent-to-support'), record)
      context.changes.notify('orders', accountId, record.orderId)
      return detail(accountId, claimId)
    },
    async settleAsSupplier({
      accountId,
      claimId,
      how,
    }: Inputs['settleAsSupplier']): Promise<ClaimDetail> {
      const { disputeId } = recordOf(accountId, claimId)
      if (disputeId === null || !filesHere(accountId))
        throw failure(
          'CONFLICT',
          'Only a filed claim in the sandbox can be settled here.',
          'File the claim first.',
          { effect: 'Nothing was changed.' },
        )
      await sandbox.settle(disputeId, how)
      await following.checkOpenClaims(accountId)
      return detail(accountId, claimId)
    },
  }

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
}
export type Claims = ReturnType<typeof createClaims>

export const claimsFeature = defineFeature({
  name: 'claims',
  schemas: [],
  start: createClaims,
  unfinished: (claims, { id, role }) =>
    role === 'partner' ? { unsentClaims: claims.list({ accountId: id }).counts.draft } : {},
})

const isDraft = ({ state }: Claim): boolean => state === 'draft' || state === 'refused'
