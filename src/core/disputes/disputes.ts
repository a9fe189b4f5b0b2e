import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { DisputeDetail, DisputeRow } from '../../contract/dispute-records.ts'
import type { Contract } from '../../contract/index.ts'
import { knownProducts } from '../catalogue/catalogue.ts'
import type { CoreContext } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { watchSellers } from '../polling/polling.ts'
import { claimableSales, saleOf } from '../sales/sales.ts'
import { actionJournal } from './action-journal.ts'
import type { ActionJournal } from './action-journal.ts'
import { alarming } from './alarms.ts'
import { freshAlerts, groupAlerts } from './alerts.ts'
import { sendAnswer, settleAnswer } from './answering.ts'
import { readAttachment } from './attachments.ts'
import { soldKey } from './claimed-key.ts'
import { readDetail } from './detail.ts'
import { effectsOf } from './effects.ts'
import type { Neighbours } from './effects.ts'
import { mergeLists } from './every-account.ts'
import { evidenceOf } from './evidence.ts'
import { disputeJournal } from './journal.ts'
import type { DisputeJournal } from './journal.ts'
import { countNeeding, listDisputes, readRow } from './list.ts'
import type { DisputeQuery, RowParts } from './list.ts'
import { disputeMarks } from './marks.ts'
import { pollDisputes } from './poll.ts'
import { judgeReplacement } from './replacement-key.ts'
import { reportOf } from './report.ts'
import { textRecords } from './schema.ts'
import { act, settleAction } from './settling.ts'
import { disputeStore } from './store.ts'
import type { DisputeDesk } from './taking.ts'
import { createTemplateDesk } from './template-desk.ts'
import { createTexts } from './texts.ts'
import { createWaitingAnswers } from './waiting.ts'

export { disputesSchemas } from './schema.ts'
export { claimOf, claimsAfter, claimsOnSale } from './claims.ts'
export type { Claim } from './claims.ts'
export type { Neighbours } from './effects.ts'

type Inputs = InferContractRouterInputs<Contract['disputes']>
type Outputs = InferContractRouterOutputs<Contract['disputes']>

/**
 * Disputes of seller accounts with their messages, answers, replacements and refunds, each of which
 * is sent at most once.
 */
export function createDisputes(context: CoreContext, outbox: Outbox, dependencies: Neighbours) {
  const texts = createTexts(context)
  const now = (): number => context.clock.now()
  const accountOf = (accountId: string): DisputeDesk => {
    if (context.accounts.get(accountId).role !== 'seller')
      throw failure(
        'NOT_FOUND',
        'Partner accounts don’t have disputes.',
        'Choose a seller account.',
      )
    return { accountId, context, texts, store: disputeStore(context.mirrors.database(accountId)) }
  }
  const journalOf = (accountId: string): DisputeJournal =>
    disputeJournal(context.mirrors.database(accountId))
  const actionsOf = (accountId: string): ActionJournal =>
    actionJournal(context.mirrors.database(accountId))
  const waiting = createWaitingAnswers(context, outbox, accountOf)
  /** One answer or action per dispute at a time. */
  const queues = new Map<string, Promise<unknown>>()
  const oneAtATime = <T>(
    accountId: string,
    disputeId: string,
    task: () => Promise<T>,
  ): Promise<T> => {
    const key = `${accountId}\n${disputeId}`
    const turn = (queues.get(key) ?? Promise.resolve()).then(task, task)
    const done = watch.track(accountId, turn).finally(() => {
      if (queues.get(key) === done) queues.delete(key)
    })
    queues.set(key, done)
    return done
  }

  const watch = watchSellers(context, 'disputes', async (accountId, connection, signal) => {
    const account = accountOf(accountId)
    const journal = journalOf(accountId)
    const actions = actionsOf(accountId)
    for (const { answerId, disputeId } of journal.openAnswers()) {
      await oneAtATime(accountId, disputeId, async () => {
        const answer = journal.answer(answerId)
        if (answer !== null)
          await settleAnswer(account, journal, answer, connection, 'watch', signal)
      })
    }
    for (const { actionId, disputeId } of actions.open()) {
      await oneAtATime(accountId, disputeId, async () => {
        const action = actions.find(actionId)
        if (action?.state === 'sending' || action?.state === 'unknown')
          await settleAction(account, actions, action, connection, 'watch', signal)
      })
    }
    const first = !account.store.listing().complete
    const changed = await pollDisputes({ account, connection, signal })
    if (changed) context.changes.notify('disputes', accountId)
    for (const notice of groupAlerts(freshAlerts(account.store.db, now(), first)))
      context.notices.notify({ accountId, ...notice })
    return changed || journal.openAnswers().length > 0 || actions.open().length > 0
  })
  context.accounts.describe(({ id, role }) => {
    if (role !== 'seller') return {}
    const { store } = accountOf(id)
    return { lastSyncAt: store.readAt(), counts: { disputes: countNeeding(store.db, now()) } }
  })

  const viewed = (accountId: string): DisputeDesk => {
    const account = accountOf(accountId)
    context.attention.markViewed(accountId, 'disputes')
    return account
  }
  const partsOf = (accountId: string): RowParts => {
    const answers = waiting.of(accountId)
    return {
      accountId,
      now: now(),
      waits: (disputeId) => answers.has(disputeId),
      reasonOf: (record) =>
        texts.open(accountId, textRecords.reason(record.dispute_id), record.reason_sealed),
    }
  }
  const find = ({ accountId, store }: DisputeDesk, disputeId: string): DisputeRow => {
    const row = readRow(store.db, disputeId, partsOf(accountId))
    if (row === undefined)
      throw failure(
        'NOT_FOUND',
        'Dispute not found on this computer.',
        'Sync, or check the dispute list.',
      )
    return row
  }
  const tell = (accountId: string, disputeId: string): void => {
    context.changes.notify('disputes', accountId, disputeId)
    context.changes.notify('connection', accountId)
  }

  async function detail(accountId: string, disputeId: string): Promise<DisputeDetail> {
    const account = viewed(accountId)
    const found = await readDetail(account, find(account, disputeId), {
      dependencies,
      waiting: waiting.of(accountId).get(disputeId) ?? [],
      textOf: (entryId) => waiting.textOf(accountId, entryId),
    })
    // Texts that weren't stored while the vault was locked, or that can't be opened with its
    // current key, are read again.
    if (!found.locked && found.conversation.some(({ body }) => body === null)) {
      account.store.setStale(disputeId)
      void watch.syncNow(accountId)
    }
    return found
  }

  function effects({ accountId, disputeId, kind }: Inputs['effects']): Outputs['effects'] {
    const account = accountOf(accountId)
    const row = find(account, disputeId)
    return effectsOf(kind, {
      row,
      sale: row.saleId === null ? null : saleOf(account.store.db, row.saleId),
      offer: row.offerId === null ? null : dependencies.offer(accountId, row.offerId),
      underWay: actionsOf(accountId)
        .of(disputeId)
        .some(({ state }) => state === 'sending' || state === 'unknown'),
      live: context.accounts.get(accountId).mode === 'live',
      balance: dependencies.balance(accountId),
    })
  }
  function judgeKey(account: DisputeDesk, row: DisputeRow, key: string) {
    const { store, accountId } = account
    const product = knownProducts(store.db, row.productId === null ? [] : [row.productId]).get(
      row.productId ?? '',
    )
    return judgeReplacement(store.db, context.vault, actionsOf(accountId), key, {
      productId: row.productId,
      platform: row.platform,
      deliveryType: product?.deliveryType ?? '',
    })
  }

  return {
    list({
      accountId,
      everyAccount = false,
      view = 'inbox',
      query = '',
      unread = false,
      reasons = [],
      languages = [],
      sort,
      window,
    }: Inputs['list']): Outputs['list'] {
      const { offset = 0, limit = 100 } = window ?? {}
      const asked: DisputeQuery = {
        view,
        query,
        unread,
        reasons,
        languages,
        sort: sort ?? { column: 'urgency', direction: 'asc' },
        offset,
        limit,
      }
      const accounts = (
        everyAccount
          ? context.accounts.list().flatMap(({ id, role }) => (role === 'seller' ? [id] : []))
          : [accountId]
      ).map(viewed)
      const [only] = accounts
      const found =
        accounts.length === 1 && only !== undefined
          ? listDisputes(only.store.db, asked, partsOf(only.accountId))
          : mergeLists(
              accounts.map((account) =>
                listDisputes(
                  account.store.db,
                  { ...asked, offset: 0, limit: offset + limit },
                  partsOf(account.accountId),
                ),
              ),
              asked.sort,
              offset,
              limit,
            )
      const readings = accounts.map(({ store }) => store.readAt())
      return {
        ...found,
        complete: accounts.every(({ store }) => store.listing().complete),
        readAt: readings.includes(null) ? null : Math.min(...readings.flatMap((at) => at ?? [])),
      }
    },
    dispute: ({ accountId, disputeId }: Inputs['dispute']): Promise<DisputeDetail> =>
      detail(accountId, disputeId),
    markRead({ accountId, disputeId, messages }: Inputs['markRead']): void {
      const { store } = accountOf(accountId)
      const row = find(accountOf(accountId), disputeId)
      if (!row.unread) return
      journalOf(accountId).markRead(disputeId, messages, now())
      disputeMarks(store.db).mark(disputeId, { unread: false }, row)
      tell(accountId, disputeId)
    },
    mark({ accountId, disputeId, ...marks }: Inputs['mark']): void {
      const { store } = accountOf(accountId)
      disputeMarks(store.db).mark(disputeId, marks, find(accountOf(accountId), disputeId))
      tell(accountId, disputeId)
    },
    draft({ accountId, disputeId, text }: Inputs['draft']): void {
      find(accountOf(accountId), disputeId)
      const journal = journalOf(accountId)
      const had = journal.draft(disputeId) !== null
      if (text === '') journal.dropDraft(disputeId)
      else
        journal.putDraft(
          disputeId,
          texts.seal(accountId, textRecords.draft(disputeId), text),
          now(),
        )
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
      find(account, disputeId)
      try {
        await oneAtATime(accountId, disputeId, () =>
          sendAnswer(account, journalOf(accountId), disputeId, text, seen),
        )
        return { sent: true, dispute: await detail(accountId, disputeId) }
      } catch (error) {
        if (!(error instanceof Failure) || error.problem.code !== 'OFFLINE') throw error
        waiting.keep(accountId, find(account, disputeId), text)
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
    effects,
    checkKey({ accountId, disputeId, key }: Inputs['checkKey']): Outputs['checkKey'] {
      const account = accountOf(accountId)
      const { blocked, findings } = judgeKey(account, find(account, disputeId), key)
      return { blocked, findings }
    },
    async act({
      accountId,
      disputeId,
      kind,
      key,
      typed,
      seen,
    }: Inputs['act']): Promise<DisputeDetail> {
      const account = accountOf(accountId)
      const row = find(account, disputeId)
      const nothing = { effect: kind === 'refund' ? 'No money moved.' : 'No key was sent.' }
      if ((kind === 'replace-key') !== (key !== undefined))
        throw failure(
          'INVALID_INPUT',
          'A replacement with a typed key needs a key, and no other action accepts one.',
          'Choose the action again.',
          nothing,
        )
      const word = effects({ accountId, disputeId, kind }).typed
      if (word !== null && typed?.trim() !== word)
        throw failure(
          'INVALID_INPUT',
          'Not refunded: the confirmation text doesn’t match.',
          `Type ${word} to refund it.`,
          nothing,
        )
      if (key !== undefined) context.vault.assertUnlocked()
      const judged = key === undefined ? null : judgeKey(account, row, key)
      if (judged?.blocked === true)
        throw failure(
          'BAD_KEY',
          'Not replaced: this key can’t be sent.',
          'Type a key that was never uploaded or sent for this product.',
          { ...nothing, details: { findings: judged.findings } },
        )
      try {
        await oneAtATime(accountId, disputeId, () =>
          act(
            account,
            actionsOf(accountId),
            disputeId,
            {
              kind,
              key: judged?.key ?? null,
              fingerprint: judged?.fingerprint ?? null,
              productId: row.productId,
            },
            seen,
          ),
        )
      } finally {
        tell(accountId, disputeId)
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
    attachment: ({
      accountId,
      disputeId,
      position,
      index,
    }: Inputs['attachment']): Promise<Outputs['attachment']> =>
      readAttachment(viewed(accountId), disputeId, position, index),
    ...createTemplateDesk(context, { accountOf, find, dependencies }),
    async evidence({
      accountId,
      disputeId,
      secrets = false,
    }: Inputs['evidence']): Promise<Outputs['evidence']> {
      context.vault.assertUnlocked()
      const account = accountOf(accountId)
      const found = await detail(accountId, disputeId)
      const wanted = found.conversation.flatMap(({ position, attachments }) =>
        attachments.map(({ index }) => ({ position, index })),
      )
      // Attachments that can't be read or aren't images are left out, and the dossier says so.
      const pictures = await Promise.all(
        wanted.map(({ position, index }) =>
          readAttachment(account, disputeId, position, index).then(
            ({ contentType, base64 }) => [
              { position, index, contentType, bytes: Buffer.from(base64, 'base64') },
            ],
            (error: unknown) => {
              if (error instanceof Failure) return []
              throw error
            },
          ),
        ),
      )
      const { name } = context.accounts.get(accountId)
      context.activity.add({
        accountId,
        what: 'Evidence exported',
        detail: `${disputeId}${secrets ? ', with secrets' : ''}`,
        outcome: 'ok',
        code: null,
        status: null,
        requestId: null,
        durationMs: null,
      })
      return {
        fileName: `dispute-${disputeId.replace(/[^\w-]/g, '')}.zip`,
        base64: evidenceOf(found, pictures.flat(), { account: name, secrets, at: now() }).toString(
          'base64',
        ),
      }
    },
    async alarms({ accountId }: Inputs['alarms']): Promise<Outputs['alarms']> {
      const batches = alarming(
        await dependencies.batchesClaimed(accountId, context.settings.get().alarmClaims),
        context.settings.get(),
      )
      return batches.map((batch) => {
        const offer = dependencies.offer(accountId, batch.offerId)
        return { ...batch, stock: offer?.stock ?? null, offerStatus: offer?.status ?? null }
      })
    },
    report({ accountId, from, to }: Inputs['report']): Promise<Outputs['report']> {
      const { store } = accountOf(accountId)
      const batchOf = dependencies.batchesOfSold(accountId)
      return watch.track(
        accountId,
        reportOf(
          store.db,
          from,
          to,
          (row) => {
            const sold = soldKey(store.db, row)
            return sold === null ? null : batchOf(sold)
          },
          () =>
            new Promise((resolve) => {
              setImmediate(resolve)
            }),
        ),
      )
    },
    async practise({ accountId, claims = 8 }: Inputs['practise']): Promise<Outputs['practise']> {
      const made = await dependencies.complain(
        accountId,
        claimableSales(accountOf(accountId).store.db, now()),
        claims,
      )
      if (made > 0) await watch.syncNow(accountId)
      return { claims: made }
    },
    syncNow: watch.syncNow,
    close: watch.close,
  }
}
export type Disputes = ReturnType<typeof createDisputes>
