import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { DisputeDetail, DisputeRow } from '../../contract/disputes.ts'
import type { Contract } from '../../contract/index.ts'
import type { CoreContext } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { watchSellers } from '../polling/polling.ts'
import { saleOf } from '../sales/sales.ts'
import { sendAnswer, settleAnswer } from './answering.ts'
import { readAttachment } from './attachments.ts'
import { disputeJournal } from './journal.ts'
import type { DisputeJournal } from './journal.ts'
import { earlierClaims, listDisputes, readRow } from './list.ts'
import type { ReasonOf } from './list.ts'
import { pollDisputes } from './poll.ts'
import { textRecords } from './schema.ts'
import { disputeStore } from './store.ts'
import type { DisputeDesk } from './taking.ts'
import { createTexts } from './texts.ts'
import { createWaitingAnswers } from './waiting.ts'

export { disputesSchemas } from './schema.ts'

type Inputs = InferContractRouterInputs<Contract['disputes']>
type Outputs = InferContractRouterOutputs<Contract['disputes']>

/** Seller accounts: customer claims with their messages, and answers that are never sent twice. */
export function createDisputes(context: CoreContext, outbox: Outbox) {
  const texts = createTexts(context)
  const deskOf = (accountId: string): DisputeDesk => {
    if (context.accounts.get(accountId).role !== 'seller') throw failure('NOT_FOUND', 'A partner account has no disputes.', 'Choose a seller account.')
    return { accountId, context, texts, store: disputeStore(context.mirrors.database(accountId)) }
  }
  const journalOf = (accountId: string): DisputeJournal => disputeJournal(context.mirrors.database(accountId))
  const waiting = createWaitingAnswers(context, outbox, deskOf)
  /** One answer at a time in a dispute. */
export { allClaims, claimsOnSale } from './claims.ts'
export type { Claim } from './claims.ts'
  const answering = new Map<string, Promise<unknown>>()
  const inTurn = <T>(accountId: string, disputeId: string, task: () => Promise<T>): Promise<T> => {
    const key = `${accountId}\n${disputeId}`
    const turn = (answering.get(key) ?? Promise.resolve()).then(task, task)
    const done = watch.track(accountId, turn).finally(() => { if (answering.get(key) === done) answering.delete(key) })
    answering.set(key, done)
    return done
  }

  const watch = watchSellers(context, 'disputes', async (accountId, line, signal) => {
    const desk = deskOf(accountId)
    const journal = journalOf(accountId)
    for (const { answerId, disputeId } of journal.openAnswers()) {
      await inTurn(accountId, disputeId, async () => {
        const answer = journal.answer(answerId)
        if (answer !== null) await settleAnswer(desk, journal, answer, line, 'watch', signal)
      })
    }
    const changed = await pollDisputes({ desk, line, signal })
    if (changed) context.changes.tell('disputes', accountId)
    return changed || journal.openAnswers().length > 0
  })
  context.accounts.describe(({ id, role }) => {
    if (role !== 'seller') return {}
    const { store } = deskOf(id)
    return { lastSyncAt: store.readAt(), counts: { disputes: store.unresolved() } }
  })

  const look = (accountId: string): DisputeDesk => {
    const desk = deskOf(accountId)
    context.attention.look(accountId, 'disputes')
    return desk
  }
  const reasonOf = (accountId: string): ReasonOf => (record) => texts.open(accountId, textRecords.reason(record.dispute_id), record.reason_sealed)
  const find = ({ accountId, store }: DisputeDesk, disputeId: string): DisputeRow => {
    const row = readRow(store.db, disputeId, reasonOf(accountId))
    if (row === undefined) throw failure('NOT_FOUND', 'This dispute is not on this machine.', 'Sync, or look at the list of disputes.')
    return row
  }

  function detail(accountId: string, disputeId: string): DisputeDetail {
    const desk = look(accountId)
    const { store } = desk
    const row = find(desk, disputeId)
    const journal = journalOf(accountId)
    const attachments = Map.groupBy(store.attachments(disputeId), ({ position }) => position)
    const conversation = store.messages(disputeId).map(({ position, author, body_sealed: sealed, at }) => ({
      position, author, at, body: texts.open(accountId, textRecords.message(disputeId, position), sealed),
      attachments: (attachments.get(position) ?? []).map(({ number, content_type: contentType, bytes }) => ({ index: number, contentType, bytes })),
    }))
    const open = texts.isOpen()
    // Texts that were not kept while the vault was locked, or can't be opened with its present key, are read again.
    if (open && conversation.some(({ body }) => body === null)) {
      store.setStale(disputeId)
      void watch.syncNow(accountId)
    }
    const draft = journal.draft(disputeId)
    const sale = row.saleId === null ? null : saleOf(store.db, row.saleId)
    return {
      ...row, conversation, locked: !open,
      readAt: store.find(disputeId)?.read_at ?? null,
      draft: draft === null ? null : { text: texts.open(accountId, textRecords.draft(disputeId), draft.textSealed), writtenAt: draft.writtenAt },
      pending: journal.answersOf(disputeId).map(({ answerId, state, writtenAt, textSealed, problem }) => ({
        answerId, state, writtenAt, problem, text: texts.open(accountId, textRecords.answer(answerId), textSealed),
      })),
      sale: sale === null ? null : {
        saleId: sale.saleId, priceCents: sale.priceCents, customerCents: sale.customerCents, status: sale.status, held: sale.held, soldAt: sale.soldAt, releaseAt: sale.releaseAt,
      },
      earlier: earlierClaims(store.db, row),
    }
  }

  return {
    list({ accountId, view = 'inbox', query = '', unread = false, sort, window }: Inputs['list']): Outputs['list'] {
      const { store } = look(accountId)
      const found = listDisputes(store.db, {
        view, query, unread, sort: sort ?? { column: 'urgency', direction: 'asc' }, offset: window?.offset ?? 0, limit: window?.limit ?? 100,
      }, reasonOf(accountId))
      return { ...found, complete: store.listing().complete, readAt: store.readAt() }
    },
    dispute: ({ accountId, disputeId }: Inputs['dispute']): DisputeDetail => detail(accountId, disputeId),
    markRead({ accountId, disputeId, messages }: Inputs['markRead']): void {
      find(deskOf(accountId), disputeId)
      journalOf(accountId).markRead(disputeId, messages, context.clock.now())
      context.changes.tell('disputes', accountId, disputeId)
    },
    draft({ accountId, disputeId, text }: Inputs['draft']): void {
      find(deskOf(accountId), disputeId)
      const journal = journalOf(accountId)
      const had = journal.draft(disputeId) !== null
      if (text === '') journal.dropDraft(disputeId)
      else journal.putDraft(disputeId, texts.seal(accountId, textRecords.draft(disputeId), text), context.clock.now())
      if (had !== (text !== '')) context.changes.tell('disputes', accountId, disputeId)
    },
    async answer({ accountId, disputeId, text: typed, seen = null }: Inputs['answer']): Promise<Outputs['answer']> {
      const desk = deskOf(accountId)
      const text = typed.trim()
      find(desk, disputeId)
      try {
        await inTurn(accountId, disputeId, () => sendAnswer(desk, journalOf(accountId), disputeId, text, seen))
        return { sent: true, dispute: detail(accountId, disputeId) }
      } catch (error) {
        if (!(error instanceof Failure) || error.problem.code !== 'OFFLINE') throw error
        waiting.keep(accountId, find(desk, disputeId), text)
        journalOf(accountId).dropDraft(disputeId)
        context.changes.tell('disputes', accountId, disputeId)
        return { sent: false, dispute: detail(accountId, disputeId) }
      }
    },
    dismiss({ accountId, disputeId, answerId }: Inputs['dismiss']): DisputeDetail {
      const journal = journalOf(accountId)
      const answer = journal.answer(answerId)
      if (answer?.disputeId === disputeId && answer.state === 'refused') journal.dropAnswer(answerId)
      context.changes.tell('disputes', accountId, disputeId)
      return detail(accountId, disputeId)
    },
    attachment: ({ accountId, disputeId, position, index }: Inputs['attachment']): Promise<Outputs['attachment']> => readAttachment(look(accountId), disputeId, position, index),
    syncNow: watch.syncNow,
    close: watch.close,
  }
}
export type Disputes = ReturnType<typeof createDisputes>
