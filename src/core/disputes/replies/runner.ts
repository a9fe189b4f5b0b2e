import { pause } from '../../clock.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { Failure, isFailure } from '../../failure.ts'
import type { Scope } from '../../lifecycle/lifecycle.ts'
import type { DisputeAccess } from '../access.ts'
import { disputeJournal } from '../answers/journal.ts'
import { textRecords } from '../schema.ts'
import { dueNow, holdFromNow, msUntilSent } from './hold-time.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import { recordFailure } from './send-reply.ts'
import { replyStore } from './store.ts'
import type { ReplyRecord, ReplyStore } from './store.ts'

/** After this time, in milliseconds, Keydesk asks again for an outcome that isn't known. */
const ASK_AGAIN_MS = 2000

type Send = (account: DisputeAccount, reply: ReplyRecord) => Promise<void>

export type ReplyRunnerOptions = {
  access: DisputeAccess
  send: Send
  scopeOf: (accountId: string) => Scope
  /** Called after every change of a reply. */
  onChanged: (accountId: string, reply: ReplyRecord) => void
}

/**
 * Whether no part of a reply was or may have been sent. Otherwise it can't be undone, and the journal
 * of its answer finds out what arrived, so that it is never sent again.
 */
function isUnsent({ store }: DisputeAccount, { replyId, answered }: ReplyRecord): boolean {
  const answer = disputeJournal(store.db).answer(replyId)
  return !answered && (answer === null || answer.state === 'refused')
}

/**
 * Sends replies when their time to undo is over, one after another. Replies are durable: after a
 * restart, those still held can be undone again before they are sent.
 */
export function createReplyRunner({ access, send, scopeOf, onChanged }: ReplyRunnerOptions) {
  const { context, accountOf } = access
  const { clock } = context
  /** The signals of accounts that can work. */
  const ready = new Map<string, AbortSignal>()
  const running = new Set<string>()
  const timers = new Map<string, () => void>()
  const storeOf = (accountId: string): ReplyStore => replyStore(accountOf(accountId).store.db)

  /** @param leastMs the wait at least, in milliseconds */
  function wake(accountId: string, leastMs = 0): void {
    timers.get(accountId)?.()
    const signal = ready.get(accountId)
    if (signal === undefined || signal.aborted || running.has(accountId)) return
    const [next] = storeOf(accountId).open()
    if (next === undefined) return
    const wait = next.state === 'sending' ? 0 : msUntilSent(clock, next.dueAt)
    timers.set(
      accountId,
      clock.after(Math.max(leastMs, wait), () => start(accountId, signal)),
    )
  }

  function start(accountId: string, signal: AbortSignal): void {
    if (signal.aborted || running.has(accountId)) return
    running.add(accountId)
    let failed = false
    void scopeOf(accountId)
      .spawn(run(accountId, signal))
      .catch((error: unknown) => {
        failed = true
        if (!signal.aborted) context.report('dispute replies', error)
      })
      .finally(() => {
        running.delete(accountId)
        if (ready.get(accountId)?.aborted === false) wake(accountId, failed ? ASK_AGAIN_MS : 0)
      })
  }

  async function run(accountId: string, signal: AbortSignal): Promise<void> {
    const store = storeOf(accountId)
    const nextDue = (): ReplyRecord | undefined =>
      store
        .open()
        .find(({ state, dueAt }) => state === 'sending' || msUntilSent(clock, dueAt) === 0)
    for (let reply = nextDue(); reply !== undefined && !signal.aborted; reply = nextDue()) {
      const problem = await sendOne(accountOf(accountId), store, reply)
      if (signal.aborted) return
      onChanged(accountId, reply)
      if (problem !== null) await rest(accountId, problem, signal)
    }
  }

  /** Returns the failure if the reply stays open. */
  async function sendOne(
    account: DisputeAccount,
    store: ReplyStore,
    reply: ReplyRecord,
  ): Promise<Failure | null> {
    try {
      context.vault.assertUnlocked()
      if (!store.begin(reply.replyId)) return null
      onChanged(account.accountId, reply)
      await account.serial(reply.disputeId, () => send(account, store.find(reply.replyId) ?? reply))
      return null
    } catch (error) {
      if (isFailure(error, 'VAULT_LOCKED', 'VAULT_UNSET', 'ANSWER_LOST', 'CANCELLED')) return error
      if (isFailure(error, 'OFFLINE', 'KEY_MISSING'))
        return whileOffline(account, store, reply, error)
      if (error instanceof Failure && error.retry === 'wait') {
        const now = store.find(reply.replyId)
        if (now !== null && isUnsent(account, now)) store.hold(reply.replyId, dueNow(clock))
        return error
      }
      recordFailure(
        account,
        reply,
        error instanceof Failure ? error.problem : context.report('dispute reply', error),
      )
      notifyFailed(account, reply)
      return null
    }
  }

  function notifyFailed({ accountId }: DisputeAccount, { replyId, disputeId }: ReplyRecord): void {
    const { store } = accountOf(accountId)
    const name = store.find(disputeId)?.name ?? disputeId
    const now = replyStore(store.db).find(replyId)
    // A bulk reply reports all its results together.
    if (now === null || now.bulkId !== null) return
    context.notices.notify({
      accountId,
      kind: 'dispute-not-sent',
      title: now.answered
        ? localized('disputes.reply-failed-after-answer', { name })
        : localized('disputes.reply-failed', { name }),
      text: localized('disputes.reply-failed-text'),
      path: `/disputes/${encodeURIComponent(disputeId)}`,
    })
  }

  /**
   * An answer alone goes to the outbox, like every answer written offline. A reply with an action
   * waits for the connection, and can be undone until then. So does an answer to a dispute that the
   * mirror lacks, because it was rebuilt.
   */
  function whileOffline(
    account: DisputeAccount,
    store: ReplyStore,
    { replyId }: ReplyRecord,
    error: Failure,
  ): Failure | null {
    const { accountId, texts } = account
    const now = store.find(replyId)
    if (now === null || !isUnsent(account, now) || error.certainty === 'unknown') return error
    const text = texts.open(accountId, textRecords.reply(replyId), now.textSealed)
    const isKnown = account.store.find(now.disputeId) !== undefined
    if (now.outcome !== 'reply' || now.bulkId !== null || text === null || !isKnown) {
      store.hold(replyId, dueNow(clock))
      return error
    }
    const { seenStatus: status, seenMessages: messages, writtenAt: at } = now
    store.transaction(() => {
      access.waiting.keep(accountId, access.find(account, now.disputeId), text, {
        status,
        messages,
        at,
      })
      store.drop(replyId)
    })
    return null
  }

  async function rest(accountId: string, problem: Failure, signal: AbortSignal): Promise<void> {
    const { retry } = problem
    if (isFailure(problem, 'VAULT_LOCKED', 'VAULT_UNSET')) {
      for await (const change of context.changes.listen(signal))
        if (change.topic === 'vault') return
      return
    }
    if (retry === 'wait')
      await context
        .connection(accountId)
        .ready(signal)
        .catch(() => {
          // The account is closing.
        })
    await pause(clock, ASK_AGAIN_MS, signal)
  }

  const known = new Set<string>()
  context.accounts.onReady(({ id, role }, signal) => {
    if (role !== 'seller') return
    ready.set(id, signal)
    if (!known.has(id)) {
      known.add(id)
      storeOf(id).holdAgain(holdFromNow(clock))
    }
    wake(id)
  })
  return { wake }
}
