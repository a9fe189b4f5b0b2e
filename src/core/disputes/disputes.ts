import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'
import { createFlights } from '../journaled-send/journaled-send.ts'
import type { ConnectionFacts } from '../context.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { pollSellers } from '../polling/polling.ts'
import { disputableUnits } from '../sales/sales.ts'
import { createAccess } from './access.ts'
import { createAnswerProcedures } from './answers/procedures.ts'
import type { DisputesContext } from './context.ts'
import type { DisputeDependencies } from './settle/effects.ts'
import { createEvidenceProcedures } from './evidence/procedures.ts'
import { countNeedingAnswer } from './list/list.ts'
import { createListProcedures } from './list/procedures.ts'
import { createReportProcedures } from './report/procedures.ts'
import { createBulkJob } from './replies/bulk-job.ts'
import { createBulkProcedures } from './replies/bulk-procedures.ts'
import { createReplyProcedures } from './replies/procedures.ts'
import { createReplyRunner } from './replies/runner.ts'
import { replyStore } from './replies/store.ts'
import { createReplySender } from './replies/send-reply.ts'
import { createSettleChecks } from './settle/checks.ts'
import { createSettleProcedures } from './settle/procedures.ts'
import { disputeStore } from './store.ts'
import { readDisputes } from './sync/read-disputes.ts'
import type { DisputeAccount } from './sync/write-disputes.ts'
import { createTemplateProcedures } from './answers/template-procedures.ts'
import { createSealedTexts } from './sealed-texts.ts'
import { createQueuedAnswers } from './answers/queued-answers.ts'

export type { DisputesContext } from './context.ts'
export { disputesSchemas } from './schema.ts'
export {
  findSoldDispute,
  soldDisputesAfter,
  disputesOfSale,
  disputesOfKey,
  replacementsFromStock,
} from './disputes-on-sales.ts'
export type { Claim } from './disputes-on-sales.ts'
export { soldKey } from './detail/disputed-key.ts'
export type { DisputeDependencies } from './settle/effects.ts'

type Inputs = InferContractRouterInputs<Contract['disputes']>
type Outputs = InferContractRouterOutputs<Contract['disputes']>

/**
 * Disputes of seller accounts with their messages, answers, replacements and refunds, each of which
 * is sent at most once.
 */
export function createDisputes(
  context: DisputesContext,
  { outbox, dependencies }: { outbox: Outbox; dependencies: DisputeDependencies },
  scope: Scope,
) {
  const texts = createSealedTexts(context)
  const accounts = pollSellers<DisputeAccount>(context, scope, {
    topic: 'disputes',
    otherRole: ['Partner accounts don’t have disputes.', 'Choose a seller account.'],
    open: (files) => ({
      accountId: files.accountId,
      context,
      texts,
      flights: createFlights(context.clock),
      store: disputeStore(context.mirrors.database(files.accountId)),
      serial: files.serial,
    }),
    read: readDisputes,
  })
  const { of: accountOf, syncNow } = accounts
  const waiting = createQueuedAnswers(context, outbox, accountOf)
  const access = createAccess({ context, texts, dependencies, waiting, accountOf, syncNow })
  const checks = createSettleChecks(access)
  const showBulk = createBulkJob(access)
  const replies = createReplyRunner({
    access,
    send: createReplySender(access, checks),
    scopeOf: accounts.scope,
    onChanged(accountId, { disputeId, outcome, bulkId }) {
      access.notifyChanged(accountId, disputeId)
      if (bulkId !== null) showBulk(accountId, bulkId)
      if (outcome === 'replace-stock') dependencies.offersChanged(accountId)
    },
  })

  return {
    outboxHandlers: waiting.outboxHandlers,
    ...createListProcedures(access),
    ...createAnswerProcedures(access),
    ...createSettleProcedures(access, checks),
    ...createReplyProcedures(access, checks, { wake: replies.wake, showBulk }),
    ...createBulkProcedures(access, replies.wake),
    ...createTemplateProcedures(context, { accountOf, find: access.find, dependencies }),
    ...createEvidenceProcedures(access),
    ...createReportProcedures(access, accounts.scope),
    async createTestDisputes({
      accountId,
      claims = 8,
    }: Inputs['createTestDisputes']): Promise<Outputs['createTestDisputes']> {
      const units = disputableUnits(
        accountOf(accountId).store.db,
        context.accounts.serviceNow(accountId),
      )
      const made = await dependencies.createTestDisputes(accountId, units, claims)
      if (made > 0) await syncNow(accountId)
      return { claims: made }
    },
    syncNow,
    hasOpenReplies: (accountId: string): boolean =>
      replyStore(accountOf(accountId).store.db).open().length > 0,
    facts(accountId: string): ConnectionFacts {
      const { store } = accountOf(accountId)
      return {
        synced: { disputes: store.readAt() },
        counts: { disputes: countNeedingAnswer(store.db, context.accounts.serviceNow(accountId)) },
      }
    },
  }
}
export type Disputes = ReturnType<typeof createDisputes>
