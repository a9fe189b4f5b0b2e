import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { DisputeDetail } from '../../../contract/disputes/dispute-records.ts'
import type { Contract } from '../../../contract/index.ts'
import { Failure } from '../../failure.ts'
import type { DisputeAccess } from '../access.ts'
import { assertNoReply } from './in-progress.ts'
import { sendAnswer } from './send-answer.ts'
import { disputeJournal } from './journal.ts'
import type { DisputeJournal } from './journal.ts'
import { textRecords } from '../schema.ts'

type Inputs = InferContractRouterInputs<Contract['disputes']>
type Outputs = InferContractRouterOutputs<Contract['disputes']>

/** Saves drafts and sends answers, or queues them while the service can't be reached. */
export function createAnswerProcedures(access: DisputeAccess) {
  const { context, texts, waiting, accountOf, find, detail } = access
  const journalOf = (accountId: string): DisputeJournal =>
    disputeJournal(context.mirrors.database(accountId))
  return {
    draft({
      accountId,
      disputeId,
      text,
      outcome = 'reply',
      promise = null,
    }: Inputs['draft']): void {
      find(accountOf(accountId), disputeId)
      const journal = journalOf(accountId)
      const had = journal.draft(disputeId) !== null
      if (text === '') journal.dropDraft(disputeId)
      else
        journal.putDraft(disputeId, {
          textSealed: texts.seal(accountId, textRecords.draft(disputeId), text),
          writtenAt: context.clock.now(),
          outcome,
          promise,
        })
      if (had !== (text !== '')) context.changes.notify('disputes', accountId, disputeId)
    },
    async answer({
      accountId,
      disputeId,
      text: typed,
      seen = null,
    }: Inputs['answer']): Promise<Outputs['answer']> {
      const account = accountOf(accountId)
      const text = typed.trim()
      const row = find(account, disputeId)
      try {
        await account.serial(disputeId, () => {
          assertNoReply(account, disputeId)
          return sendAnswer(account, journalOf(accountId), { disputeId, text, seen, quick: true })
        })
        return { sent: true, dispute: await detail(accountId, disputeId) }
      } catch (error) {
        if (!(error instanceof Failure) || error.problem.code !== 'OFFLINE') throw error
        waiting.keep(accountId, row, text, { status: row.status, messages: seen ?? row.messages })
        journalOf(accountId).dropDraft(disputeId)
        context.changes.notify('disputes', accountId, disputeId)
        return { sent: false, dispute: await detail(accountId, disputeId) }
      }
    },
    async dismiss({ accountId, disputeId, answerId }: Inputs['dismiss']): Promise<DisputeDetail> {
      const journal = journalOf(accountId)
      const answer = journal.answer(answerId)
      if (answer?.disputeId === disputeId && answer.state === 'refused')
        journal.dropAnswer(answerId)
      context.changes.notify('disputes', accountId, disputeId)
      return detail(accountId, disputeId)
    },
  }
}
