import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type {
  BulkReplyPlan,
  DisputeReply,
  ReplyOutcome,
} from '../../../contract/disputes/dispute-replies.ts'
import { holdFromNow } from './hold-time.ts'
import type { Contract } from '../../../contract/index.ts'
import { failure } from '../../failure.ts'
import { saleOf } from '../../sales/sales.ts'
import type { DisputeAccess } from '../access.ts'
import { readRow } from '../list/list.ts'
import { textRecords } from '../schema.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import { assertTyped, createBulkPlanner, isInProgress, isRetryable, retryOf } from './bulk-plan.ts'
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
        return viewReply(account, {
          ...reply,
          state: 'held',
          answered: false,
          dismissed: false,
          problem: null,
        })
      })
    })
  }

  /** A line of a bulk reply. `retried`: the dispute that a retry answers; null if it is left out. */
  function readLine(account: DisputeAccount, reply: ReplyRecord) {
    const { accountId, store } = account
    const row = readRow(store.db, reply.disputeId, partsOf(accountId))
    const sale = row?.saleId == null ? null : saleOf(store.db, row.saleId)
    const refundCents = reply.outcome === 'refund' ? (sale?.customerCents ?? null) : null
    return {
      retried: row !== undefined && isRetryable(reply, row, refundCents) ? row : null,
      line: {
        ...viewReply(account, reply),
        platform: row?.platform ?? '',
        region: row?.region ?? '',
        deliveryType: row?.deliveryType ?? '',
        orderId: row?.orderId ?? null,
        refundCents,
      },
    }
  }

  /** The results of a bulk reply, and what a retry of it sends. */
  function readBulk(account: DisputeAccount, bulkId: string, outcome: ReplyOutcome) {
    const found = replyStore(account.store.db)
      .ofBulk(bulkId)
      .map((reply) => readLine(account, reply))
    const retried = found.flatMap(({ line: { replyId, refundCents }, retried: row }) =>
      row === null
        ? []
        : [{ replyId, refundCents, seen: { status: row.status, messages: row.messages } }],
    )
    const live = context.accounts.get(account.accountId).mode === 'live'
    return {
      lines: found.map(({ line }) => line),
      retried,
      retry: retryOf(retried, outcome, live),
    }
  }

  /** Throws Failure if another window sent a reply while the plan was made. */
  function assertNoneInProgress(account: DisputeAccount, { lines }: BulkReplyPlan): void {
    for (const { disputeId } of lines) {
      const row = readRow(account.store.db, disputeId, partsOf(account.accountId))
      if (row === undefined || isInProgress(row)) throw changed()
    }
  }

  return {
    planBulkReply: (input: Inputs['planBulkReply']): Promise<Outputs['planBulkReply']> =>
      plan(input),
    async sendBulkReply(input: Inputs['sendBulkReply']): Promise<Outputs['sendBulkReply']> {
      const { accountId } = input
      context.vault.assertUnlocked()
      const found = await plan(input)
      assertConfirmed(found, input)
      const account = accountOf(accountId)
      assertNoneInProgress(account, found)
      const replies = hold(account, found)
      context.changes.notify('disputes', accountId)
      wake(accountId)
      return replies
    },
    bulkReplies({ accountId }: Inputs['bulkReplies']): Outputs['bulkReplies'] {
      const account = accountOf(accountId)
      const store = replyStore(account.store.db)
      return store.bulks().map((bulk) => {
        const { lines, retry } = readBulk(account, bulk.bulkId, bulk.outcome)
        return { ...bulk, lines, retry }
      })
    },
    retryBulkReply({
      accountId,
      bulkId,
      planId,
      typed,
    }: Inputs['retryBulkReply']): Outputs['retryBulkReply'] {
      const account = accountOf(accountId)
      const store = replyStore(account.store.db)
      const outcome = store.ofBulk(bulkId)[0]?.outcome
      if (outcome === undefined) throw changed()
      const { retried, retry } = readBulk(account, bulkId, outcome)
      if (retry.planId !== planId || retried.length === 0) throw changed()
      assertTyped(retry.typed, typed)
      const dueAt = holdFromNow(context.clock)
      store.transaction(() => {
        for (const { replyId, seen } of retried) store.retry(replyId, seen, dueAt)
      })
      context.changes.notify('disputes', accountId)
      wake(accountId)
      return retried
        .flatMap(({ replyId }) => store.find(replyId) ?? [])
        .map((reply) => viewReply(account, reply))
    },
  }
}
