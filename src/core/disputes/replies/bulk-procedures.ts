import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { BulkReplyPlan, DisputeReply } from '../../../contract/disputes/dispute-replies.ts'
import { holdFromNow } from './hold-time.ts'
import type { Contract } from '../../../contract/index.ts'
import { failure } from '../../failure.ts'
import { saleOf } from '../../sales/sales.ts'
import type { DisputeAccess } from '../access.ts'
import { readRow } from '../list/list.ts'
import { textRecords } from '../schema.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import { assertTyped, createBulkPlanner, retryOf } from './bulk-plan.ts'
import { replyStore } from './store.ts'
import type { ReplyRecord } from './store.ts'
import { viewReply } from './view-reply.ts'

type Inputs = InferContractRouterInputs<Contract['disputes']>
type Outputs = InferContractRouterOutputs<Contract['disputes']>

const changed = () =>
  failure(
    'CHANGED_MEANWHILE',
    'Not sent: a dispute, a price or the stock changed since the list was shown.',
    'Review the list again.',
    { effect: 'No reply was sent, and no key or money moved.' },
  )

/** Plans, sends and repeats one reply to several disputes. */
export function createBulkProcedures(access: DisputeAccess, wake: (accountId: string) => void) {
  const { context, texts, accountOf, partsOf } = access
  const plan = createBulkPlanner(access)

  function assertConfirmed(
    { planId, lines, typed: word }: BulkReplyPlan,
    input: Inputs['sendBulkReply'],
  ): void {
    if (planId !== input.planId || lines.length === 0) throw changed()
    assertTyped(word, input.typed)
  }

  /** Stores all lines in one transaction: a kill loses either none or all of them. */
  function hold(account: DisputeAccount, { outcome, lines }: BulkReplyPlan): DisputeReply[] {
    const { accountId, store: disputes } = account
    const store = replyStore(disputes.db)
    const bulkId = context.random.id()
    const now = context.clock.now()
    return store.transaction(() => {
      store.putBulk({ bulkId, outcome, writtenAt: now })
      return lines.map(({ disputeId, text, seen }) => {
        const replyId = context.random.id()
        const reply = {
          replyId,
          disputeId,
          bulkId,
          outcome,
          promise: null,
          textSealed: texts.seal(accountId, textRecords.reply(replyId), text),
          keySealed: null,
          seenStatus: seen.status,
          seenMessages: seen.messages,
          dueAt: holdFromNow(context.clock),
          writtenAt: now,
        }
        store.put(reply)
        return viewReply(account, { ...reply, state: 'held', answered: false, problem: null })
      })
    })
  }

  function lineOf(account: DisputeAccount, reply: ReplyRecord) {
    const { accountId, store } = account
    const row = readRow(store.db, reply.disputeId, partsOf(accountId))
    const sale = row?.saleId == null ? null : saleOf(store.db, row.saleId)
    return {
      ...viewReply(account, reply),
      platform: row?.platform ?? '',
      region: row?.region ?? '',
      deliveryType: row?.deliveryType ?? '',
      orderId: row?.orderId ?? null,
      refundCents: reply.outcome === 'refund' ? (sale?.customerCents ?? null) : null,
    }
  }

  const isLive = (accountId: string): boolean => context.accounts.get(accountId).mode === 'live'

  return {
    planBulkReply: (input: Inputs['planBulkReply']): Promise<Outputs['planBulkReply']> =>
      plan(input),
    async sendBulkReply(input: Inputs['sendBulkReply']): Promise<Outputs['sendBulkReply']> {
      const { accountId } = input
      context.vault.assertUnlocked()
      const found = await plan(input)
      assertConfirmed(found, input)
      const replies = hold(accountOf(accountId), found)
      context.changes.notify('disputes', accountId)
      wake(accountId)
      return replies
    },
    bulkReplies({ accountId }: Inputs['bulkReplies']): Outputs['bulkReplies'] {
      const account = accountOf(accountId)
      const store = replyStore(account.store.db)
      return store.bulks().map((bulk) => {
        const lines = store.ofBulk(bulk.bulkId).map((reply) => lineOf(account, reply))
        return { ...bulk, lines, retry: retryOf(lines, bulk.outcome, isLive(accountId)) }
      })
    },
    retryBulkReply({
      accountId,
      bulkId,
      typed,
    }: Inputs['retryBulkReply']): Outputs['retryBulkReply'] {
      const account = accountOf(accountId)
      const store = replyStore(account.store.db)
      const lines = store.ofBulk(bulkId).map((reply) => lineOf(account, reply))
      const outcome = lines[0]?.outcome
      if (outcome !== undefined)
        assertTyped(retryOf(lines, outcome, isLive(accountId)).typed, typed)
      const dueAt = holdFromNow(context.clock)
      const failed = store.ofBulk(bulkId).filter(({ state }) => state === 'failed')
      store.transaction(() => {
        for (const { replyId, disputeId } of failed) {
          const row = readRow(account.store.db, disputeId, partsOf(accountId))
          if (row !== undefined) store.retry(replyId, row, dueAt)
        }
      })
      context.changes.notify('disputes', accountId)
      wake(accountId)
      return failed
        .flatMap(({ replyId }) => store.find(replyId) ?? [])
        .map((reply) => viewReply(account, reply))
    },
  }
}
