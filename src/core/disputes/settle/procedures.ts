import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { DisputeDetail } from '../../../contract/disputes/dispute-records.ts'
import type { Contract } from '../../../contract/index.ts'
import type { DisputeAccess } from '../access.ts'
import { actionJournal } from './action-journal.ts'
import type { ActionJournal } from './action-journal.ts'
import type { SettleChecks } from './checks.ts'
import { sendAction } from './send-action.ts'

type Inputs = InferContractRouterInputs<Contract['disputes']>
type Outputs = InferContractRouterOutputs<Contract['disputes']>

/** Previews, checks and sends replacements and refunds. */
export function createSettleProcedures(access: DisputeAccess, checks: SettleChecks) {
  const { context, dependencies, accountOf, find, detail, notifyChanged } = access
  const actionsOf = (accountId: string): ActionJournal =>
    actionJournal(context.mirrors.database(accountId))

  return {
    effects: ({ accountId, disputeId, kind }: Inputs['effects']): Promise<Outputs['effects']> =>
      checks.effects(accountId, disputeId, kind),
    checkKey({ accountId, disputeId, key }: Inputs['checkKey']): Outputs['checkKey'] {
      const account = accountOf(accountId)
      const { blocked, findings } = checks.checkKey(account, find(account, disputeId), key)
      return { blocked, findings }
    },
    async act(input: Inputs['act']): Promise<DisputeDetail> {
      const { accountId, disputeId, kind, key, typed, seen } = input
      const account = accountOf(accountId)
      const row = find(account, disputeId)
      checks.assertTyped(await checks.assertNoAlarm(accountId, disputeId, kind), typed)
      const wanted = checks.requested(account, row, { kind, key })
      try {
        await account.serial(disputeId, () =>
          sendAction(account, actionsOf(accountId), disputeId, wanted, seen),
        )
      } finally {
        notifyChanged(accountId, disputeId)
        if (kind === 'replace-stock') dependencies.offersChanged(accountId)
      }
      return detail(accountId, disputeId)
    },
    async dismissAction({
      accountId,
      disputeId,
      actionId,
    }: Inputs['dismissAction']): Promise<DisputeDetail> {
      if (actionsOf(accountId).find(actionId)?.disputeId === disputeId)
        actionsOf(accountId).dismiss(actionId)
      context.changes.notify('disputes', accountId, disputeId)
      return detail(accountId, disputeId)
    },
  }
}
