import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { DisputeRow } from '../../../contract/disputes/dispute-records.ts'
import { disputeFilterSchema } from '../../../contract/disputes/dispute-records.ts'
import type { Contract } from '../../../contract/index.ts'
import type { DisputesContext } from '../context.ts'
import { keyOfDispute } from '../detail/detail.ts'
import type { DisputeDependencies } from '../settle/effects.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import { bodyFor, fillTemplate, templateStore } from './templates.ts'

type Inputs = InferContractRouterInputs<Contract['disputes']>
type Outputs = InferContractRouterOutputs<Contract['disputes']>
type Parts = {
  accountOf: (accountId: string) => DisputeAccount
  find: (account: DisputeAccount, disputeId: string) => DisputeRow
  dependencies: DisputeDependencies
}

/** Templates and saved views of an account's disputes. */
export function createTemplateProcedures(
  context: DisputesContext,
  { accountOf, find, dependencies }: Parts,
) {
  const bookOf = (accountId: string) => templateStore(accountOf(accountId).store.db)
  return {
    templates: ({ accountId }: Inputs['templates']): Outputs['templates'] =>
      bookOf(accountId).all(),
    saveTemplate({ accountId, template }: Inputs['saveTemplate']): Outputs['saveTemplate'] {
      const saved = {
        ...template,
        outcome: template.outcome ?? 'reply',
        templateId: template.templateId ?? context.random.id(),
      }
      bookOf(accountId).save(saved)
      context.changes.notify('disputes', accountId)
      return saved
    },
    removeTemplate({ accountId, templateId }: Inputs['removeTemplate']): void {
      bookOf(accountId).remove(templateId)
      context.changes.notify('disputes', accountId)
    },
    fillTemplate({
      accountId,
      disputeId,
      templateId,
      language: chosen,
    }: Inputs['fillTemplate']): Outputs['fillTemplate'] {
      const account = accountOf(accountId)
      const row = find(account, disputeId)
      const { body, language } = bodyFor(bookOf(accountId).find(templateId), chosen ?? row.language)
      return {
        ...fillTemplate(body, row, {
          shop: context.accounts.get(accountId).name,
          last4: keyOfDispute(account, row, dependencies)?.last4 ?? null,
        }),
        language,
      }
    },
    savedViews: ({ accountId }: Inputs['savedViews']): Outputs['savedViews'] =>
      bookOf(accountId).views(),
    saveView({ accountId, name, filter }: Inputs['saveView']): Outputs['saveView'] {
      const viewId = context.random.id()
      bookOf(accountId).saveView(viewId, name, disputeFilterSchema.parse(filter))
      context.changes.notify('disputes', accountId)
      return { viewId }
    },
    removeView({ accountId, viewId }: Inputs['removeView']): void {
      bookOf(accountId).removeView(viewId)
      context.changes.notify('disputes', accountId)
    },
  }
}
