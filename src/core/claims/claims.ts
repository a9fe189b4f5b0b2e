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
import type { Dashboard } from '../sandbox/sandbox.ts'
import type { ClaimsContext } from './context.ts'
import { createFollowing, followIntervalMs } from './following.ts'
import { assertDraft, createDrafts } from './drafts.ts'
import { createSandboxClaims } from './sandbox-claims.ts'
import type { ClaimRecords } from './records.ts'
import { claimRecordNames } from './schema.ts'
import type { ClaimRecord, DisputeState } from './store.ts'
import { createClaimViews } from './views.ts'
import { localEntry } from '../local-entry.ts'

type Inputs = InferContractRouterInputs<Contract['claims']>
type Outputs = InferContractRouterOutputs<Contract['claims']>

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
  const views = createClaimViews({ vault, orders, storeOf, filesHere })
  const { toClaim, recordOf, detail } = views
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
    context.activity.add(
      localEntry({
        accountId,
        what,
        detail: localized('claims.key', { keyId, orderId }),
      }),
    )
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
    ...createDrafts({ context, orders, storeOf, views }),
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
          if (outcome.state === 'unknown') following.flights.note(claimId)
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
