import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { DisputeDetail } from '../../../contract/disputes/dispute-records.ts'
import { dueNow, holdFromNow } from './hold-time.ts'
import type { Contract } from '../../../contract/index.ts'
import { failure } from '../../failure.ts'
import type { DisputeAccess } from '../access.ts'
import { assertNoAnswer, assertNoReply } from '../answers/in-progress.ts'
import { disputeJournal } from '../answers/journal.ts'
import { textRecords } from '../schema.ts'
import type { SettleChecks } from '../settle/checks.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import { actionOf, assertPossible } from './send-reply.ts'
import { viewReply } from './view-reply.ts'
import { replyStore } from './store.ts'
import type { ReplyRecord, ReplyStore } from './store.ts'

type Inputs = InferContractRouterInputs<Contract['disputes']>
type Outputs = InferContractRouterOutputs<Contract['disputes']>

/** Throws Failure if another answer to the dispute isn't settled. */
function assertNoneInProgress(account: DisputeAccount, disputeId: string): void {
  assertNoReply(account, disputeId)
  assertNoAnswer(account, disputeId)
}

/** Holds, sends and takes back replies: answers with their actions. */
export function createReplyProcedures(
  access: DisputeAccess,
  checks: SettleChecks,
  {
    wake,
    showBulk,
  }: {
    wake: (accountId: string) => void
    showBulk: (accountId: string, bulkId: string, undone: readonly string[]) => void
  },
) {
  const { context, texts, accountOf, find, detail, notifyChanged } = access
  const storeOf = (accountId: string): ReplyStore => replyStore(accountOf(accountId).store.db)

  /**
   * Moves the text of a held reply back into the draft, before the text written since. If its answer
   * was sent earlier, a draft could be sent a second time: only the retry of its action is undone.
   */
  function undo(account: DisputeAccount, reply: ReplyRecord): void {
    const { accountId, store } = account
    const { replyId, disputeId, outcome, promise } = reply
    if (reply.answered) return replyStore(store.db).undoRetry(replyId)
    const journal = disputeJournal(store.db)
    const text = texts.open(accountId, textRecords.reply(replyId), reply.textSealed) ?? ''
    const draft = journal.draft(disputeId)
    const since =
      draft === null ? null : texts.open(accountId, textRecords.draft(disputeId), draft.textSealed)
    const restored = [text, since ?? ''].filter((part) => part !== '').join('\n\n')
    journal.putDraft(disputeId, {
      textSealed: texts.seal(accountId, textRecords.draft(disputeId), restored),
      writtenAt: context.clock.now(),
      outcome,
      promise,
    })
    replyStore(store.db).drop(replyId)
  }

  return {
    async reply(input: Inputs['reply']): Promise<Outputs['reply']> {
      const { accountId, disputeId, outcome, key, typed, seen, promise = null } = input
      const account = accountOf(accountId)
      const row = find(account, disputeId)
      context.vault.assertUnlocked()
      assertNoneInProgress(account, disputeId)
      const kind = actionOf(outcome)
      if (kind !== null) {
        checks.assertTyped(await assertPossible(checks, accountId, disputeId, kind), typed)
        checks.requested(account, row, { kind, key })
      }
      const replyId = context.random.id()
      const now = context.clock.now()
      const store = storeOf(accountId)
      // Another window may have sent a reply while the checks ran.
      assertNoneInProgress(account, disputeId)
      store.transaction(() => {
        store.put({
          replyId,
          disputeId,
          bulkId: null,
          outcome,
          promise,
          textSealed: texts.seal(accountId, textRecords.reply(replyId), input.text.trim()),
          keySealed:
            key === undefined ? null : texts.seal(accountId, textRecords.replyKey(replyId), key),
          seenStatus: seen.status,
          seenMessages: seen.messages,
          dueAt: holdFromNow(context.clock),
          writtenAt: now,
        })
        disputeJournal(account.store.db).dropDraft(disputeId)
      })
      notifyChanged(accountId, disputeId)
      wake(accountId)
      const held = store.find(replyId)
      if (held === null) throw new Error('the reply was not stored')
      return viewReply(account, held)
    },
    replies({ accountId }: Inputs['replies']): Outputs['replies'] {
      const account = accountOf(accountId)
      return storeOf(accountId)
        .open()
        .map((reply) => viewReply(account, reply))
    },
    undoReplies({ accountId, replyIds }: Inputs['undoReplies']): void {
      const account = accountOf(accountId)
      const store = storeOf(accountId)
      context.vault.assertUnlocked()
      const found = replyIds.map((replyId) => store.find(replyId))
      const held = found.filter((reply) => reply?.state === 'held')
      if (held.length < replyIds.length)
        throw failure(
          'CONFLICT',
          'Too late to undo: sending has started.',
          'Open the dispute to see which part was sent.',
        )
      store.transaction(() => {
        for (const reply of held) if (reply !== null) undo(account, reply)
      })
      for (const reply of held) if (reply !== null) notifyChanged(accountId, reply.disputeId)
      const bulkIds = new Set(held.flatMap((reply) => reply?.bulkId ?? []))
      for (const bulkId of bulkIds) showBulk(accountId, bulkId, replyIds)
      wake(accountId)
    },
    sendReplies({ accountId, replyIds }: Inputs['sendReplies']): void {
      const store = storeOf(accountId)
      for (const replyId of replyIds) store.setDue(replyId, dueNow(context.clock))
      wake(accountId)
    },
    async dismissReply({
      accountId,
      disputeId,
      replyId,
    }: Inputs['dismissReply']): Promise<DisputeDetail> {
      const store = storeOf(accountId)
      const reply = store.find(replyId)
      if (reply?.disputeId === disputeId && reply.state === 'failed') store.dismiss(disputeId)
      notifyChanged(accountId, disputeId)
      return detail(accountId, disputeId)
    },
  }
}
