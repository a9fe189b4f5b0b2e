import type {
  BatchDisputes,
  DisputedKey,
  DisputeDetail,
  DisputeRow,
} from '../../../contract/disputes/dispute-records.ts'
import type { OutboxEntry } from '../../../contract/outbox.ts'
import { saleOf } from '../../sales/sales.ts'
import { readOfferStock } from '../alerts/batch-alarms.ts'
import { actionJournal } from '../settle/action-journal.ts'
import { disputedKey, soldKey } from './disputed-key.ts'
import type { DisputeDependencies, Sold } from '../settle/effects.ts'
import { disputeJournal } from '../answers/journal.ts'
import { ownAnswers } from '../answers/own-answers.ts'
import { viewReply } from '../replies/view-reply.ts'
import { replyStore } from '../replies/store.ts'
import { countRelatedDisputes } from '../list/list.ts'
import { textRecords } from '../schema.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'

const soldOf = ({ store }: DisputeAccount, row: DisputeRow): Sold | null =>
  soldKey(store.db, { ...row, fingerprint: store.find(row.disputeId)?.key_fingerprint ?? null })

/** The masked form of the disputed key; null if it isn't known. */
export const keyOfDispute = (
  account: DisputeAccount,
  row: DisputeRow,
  dependencies: DisputeDependencies,
): DisputedKey | null =>
  disputedKey(
    account,
    soldOf(account, row),
    () => {
      const { accountId, store, texts } = account
      return store
        .messages(row.disputeId)
        .map(({ position, body_sealed: sealed }) =>
          texts.open(accountId, textRecords.message(row.disputeId, position), sealed),
        )
    },
    dependencies,
  )

type Parts = {
  dependencies: DisputeDependencies
  waiting: readonly OutboxEntry[]
  textOf: (entryId: string) => string | null
}

/**
 * A dispute with its conversation, the drafts and actions of this computer, and its related sale,
 * offer and batch.
 */
export async function readDetail(
  account: DisputeAccount,
  row: DisputeRow,
  { dependencies, waiting, textOf }: Parts,
): Promise<DisputeDetail> {
  const { accountId, store, texts } = account
  const { disputeId } = row
  const journal = disputeJournal(store.db)
  const attachments = Map.groupBy(store.attachments(disputeId), ({ position }) => position)
  const draft = journal.draft(disputeId)
  const sale = row.saleId === null ? null : saleOf(store.db, row.saleId)
  const sold = soldOf(account, row)
  const origin = sold === null ? null : dependencies.origin(accountId, sold)
  const batch: BatchDisputes | null =
    origin === null ? null : await dependencies.batch(accountId, origin.batchId)
  const isOwn = ownAnswers(account, disputeId)
  const conversation = store
    .messages(disputeId)
    .map(({ position, author, body_sealed: sealed, at }) => ({
      position,
      author,
      at,
      body: texts.open(accountId, textRecords.message(disputeId, position), sealed),
    }))
    .map((message) => ({ ...message, own: isOwn(message) }))
    .map(({ position, ...message }) => ({
      ...message,
      position,
      attachments: (attachments.get(position) ?? []).map(
        ({ number, content_type: contentType, bytes }) => ({ index: number, contentType, bytes }),
      ),
    }))
  return {
    ...row,
    locked: !texts.isOpen(),
    origin,
    conversation,
    key: disputedKey(account, sold, () => conversation.map(({ body }) => body), dependencies),
    readAt: store.find(disputeId)?.read_at ?? null,
    draft:
      draft === null
        ? null
        : {
            text: texts.open(accountId, textRecords.draft(disputeId), draft.textSealed),
            writtenAt: draft.writtenAt,
            outcome: draft.outcome,
            promise: draft.promise,
          },
    replies: replyStore(store.db)
      .of(disputeId)
      .map((reply) => viewReply(account, reply)),
    pending: journal
      .answersOf(disputeId)
      .map(({ answerId, state, writtenAt, textSealed, problem }) => ({
        answerId,
        state,
        writtenAt,
        problem,
        text: texts.open(accountId, textRecords.answer(answerId), textSealed),
      })),
    waiting: waiting.map(({ entryId, writtenAt, verdict, reason }) => ({
      entryId,
      writtenAt,
      reason,
      held: verdict === 'decide' || verdict === 'gone',
      text: textOf(entryId),
    })),
    actions: actionJournal(store.db)
      .of(disputeId)
      .map(({ actionId, kind, state, writtenAt, settledAt, problem }) => ({
        actionId,
        kind,
        state,
        writtenAt,
        settledAt,
        problem,
      })),
    sale:
      sale === null
        ? null
        : {
            saleId: sale.saleId,
            priceCents: sale.priceCents,
            customerCents: sale.customerCents,
            status: sale.status,
            held: sale.held,
            soldAt: sale.soldAt,
            releaseAt: sale.releaseAt,
          },
    ...(await readOfferStock(account.context, dependencies, accountId, row.offerId)),
    earlier: { ...countRelatedDisputes(store.db, row), batch },
  }
}
