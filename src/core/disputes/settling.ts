import type { Problem } from '../../contract/base.ts'
import type { DisputeActionKind } from '../../contract/dispute-records.ts'
import { Failure, failure } from '../failure.ts'
import type { ActionJournal, ActionRecord } from './action-journal.ts'
import { isUnknown, lookAt } from './answering.ts'
import type { Line } from './answering.ts'
import type { DisputeWithMessages } from './facts.ts'
import { hintFor } from './claimed-key.ts'
import { textRecords } from './schema.ts'
import { takeDispute } from './taking.ts'
import type { DisputeDesk } from './taking.ts'

/**
 * A request that didn't settle the dispute may still be on its way; after so long, in milliseconds,
 * it is taken for not done.
 */
const ON_ITS_WAY_MS = 20_000

export type Wanted = {
  kind: DisputeActionKind
  key: string | null
  fingerprint: Buffer | null
  productId: string | null
}
/** What the person saw when deciding. */
export type Seen = { status: string; messages: number | null }

const words: Readonly<Record<DisputeActionKind, { not: string; nothing: string; done: string }>> = {
  'replace-stock': {
    not: 'Not replaced',
    nothing: 'No key was sent.',
    done: 'Replaced from stock',
  },
  'replace-key': {
    not: 'Not replaced',
    nothing: 'No key was sent.',
    done: 'Replaced with a typed key',
  },
  refund: { not: 'Not refunded', nothing: 'No money moved.', done: 'Refunded' },
}
const resolutionOf = (kind: DisputeActionKind): string =>
  kind === 'refund' ? 'refunded' : 'replaced'

/** What is different from what the person saw; null when nothing is. */
function changeSince(
  kind: DisputeActionKind,
  seen: Seen,
  now: DisputeWithMessages,
): Failure | null {
  const { not, nothing } = words[kind]
  if (now.status === 'resolved')
    return failure(
      'DISPUTE_RESOLVED',
      `${not}: the dispute was resolved meanwhile${now.resolution?.type === undefined ? '' : ` (${now.resolution.type})`}.`,
      'Nothing is left to do.',
      { effect: nothing },
    )
  const fresh = seen.messages === null ? 0 : now.messages.length - seen.messages
  const details = { status: now.status, messages: now.messages.length, newMessages: fresh }
  if (fresh > 0)
    return failure(
      'CHANGED_MEANWHILE',
      `${not}: ${fresh === 1 ? 'there is a new message' : `there are ${fresh} new messages`} since you looked.`,
      'Read what is new, then decide again.',
      { effect: nothing, details },
    )
  if (now.status !== seen.status)
    return failure(
      'CHANGED_MEANWHILE',
      `${not}: the dispute is ${now.status} now.`,
      'Look at it, then decide again.',
      { effect: nothing, details },
    )
  return null
}

async function send(
  line: Line,
  { kind, disputeId, idempotencyKey }: Pick<ActionRecord, 'kind' | 'disputeId' | 'idempotencyKey'>,
  key: string | null,
): Promise<DisputeWithMessages> {
  // Not repeated by the line: a look at the dispute tells sooner, and for certain, whether it was
  // done.
  const options = { priority: 'person', idempotencyKey, once: true } as const
  const params = { id: disputeId }
  if (kind === 'refund') return line.call('refundDispute', { params }, options)
  return line.call(
    'replaceKey',
    { params, body: kind === 'replace-key' ? { key: key ?? '' } : { fromStock: true } },
    options,
  )
}

function settled(
  desk: DisputeDesk,
  journal: ActionJournal,
  { actionId, disputeId, kind }: ActionRecord,
  dispute: DisputeWithMessages | null,
): void {
  const { context, accountId, store } = desk
  store.transaction(() => {
    journal.setDone(actionId, context.clock.now())
    if (dispute !== null) takeDispute(desk, disputeId, dispute)
  })
  context.activity.add({
    accountId,
    what: words[kind].done,
    detail: disputeId,
    outcome: 'ok',
    code: null,
    status: null,
    requestId: null,
    durationMs: null,
  })
  context.changes.notify('disputes', accountId, disputeId)
}

/**
 * Replaces or refunds: the dispute is read and compared with what the person saw, the action is
 * written down with its Idempotency-Key, and sent once (Decisions 29 and 34). Throws Failure:
 * `CHANGED_MEANWHILE`, the service's refusal, `OFFLINE`, or `ANSWER_LOST`, which {@link
 * settleAction} ends later.
 */
export async function act(
  desk: DisputeDesk,
  journal: ActionJournal,
  disputeId: string,
  wanted: Wanted,
  seen: Seen,
): Promise<void> {
  const { context, accountId, texts } = desk
  const { kind, key, fingerprint, productId } = wanted
  const line = context.connection(accountId)
  if (key !== null) context.vault.assertUnlocked()
  if (journal.of(disputeId).some(({ state }) => state === 'sending' || state === 'unknown')) {
    throw failure(
      'CONFLICT',
      `${words[kind].not}: something was sent for this dispute before, and its answer isn’t known yet.`,
      'Wait until it is.',
      { effect: words[kind].nothing },
    )
  }
  const changed = changeSince(kind, seen, await lookAt(desk, line, disputeId, 'person'))
  if (changed !== null) throw changed
  const actionId = context.random.id()
  journal.put({
    actionId,
    disputeId,
    kind,
    idempotencyKey: context.random.id(),
    productId,
    keyFingerprint: fingerprint,
    writtenAt: context.clock.now(),
    keySealed: key === null ? null : texts.seal(accountId, textRecords.replacement(actionId), key),
    hintSealed:
      key === null
        ? null
        : texts.seal(accountId, textRecords.hint(actionId), JSON.stringify(hintFor(key))),
  })
  context.changes.notify('disputes', accountId, disputeId)
  const action = journal.find(actionId)
  if (action === null) throw new Error('an action is gone as soon as it was written')
  try {
    settled(desk, journal, action, await send(line, action, key))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (!isUnknown(error)) {
      journal.setRefused(actionId, error.problem, context.clock.now())
      context.changes.notify('disputes', accountId, disputeId)
      // What was refused tells that the mirror is behind.
      await lookAt(desk, line, disputeId, 'person').catch((reason: unknown) => {
        if (!(reason instanceof Failure)) throw reason
      })
      throw error
    }
    journal.setUnknown(actionId, error.problem)
    context.changes.notify('disputes', accountId, disputeId)
    await settleAction(
      desk,
      journal,
      { ...action, state: 'unknown', problem: error.problem },
      line,
      'person',
    ).catch((reason: unknown) => {
      if (!(reason instanceof Failure)) throw reason
    })
    const now = journal.find(actionId)
    if (now?.state === 'refused' && now.problem !== null) throw new Failure(now.problem)
    if (now?.state !== 'done')
      throw failure(
        'ANSWER_LOST',
        'We don’t know yet if it was done.',
        'Keydesk looks at the dispute as soon as the service answers, and never does it twice.',
        { effect: 'A key or money may have moved.' },
      )
  }
}

/**
 * Ends an action whose outcome isn't known by what the dispute is now. It is never sent again
 * without a person.
 */
export async function settleAction(
  desk: DisputeDesk,
  journal: ActionJournal,
  action: ActionRecord,
  line: Line,
  priority: 'person' | 'watch',
  signal?: AbortSignal,
): Promise<void> {
  const { context, accountId } = desk
  const { actionId, disputeId, kind } = action
  let now: DisputeWithMessages | null = null
  try {
    now = await lookAt(desk, line, disputeId, priority, signal)
  } catch (error) {
    if (!(error instanceof Failure) || error.problem.code !== 'NOT_FOUND') throw error
  }
  if (
    now?.status === 'resolved' &&
    (now.resolution?.type ?? resolutionOf(kind)) === resolutionOf(kind)
  )
    return settled(desk, journal, action, null)
  const waits = context.clock.now() - action.writtenAt < ON_ITS_WAY_MS
  if (now !== null && now.status !== 'resolved' && waits)
    journal.setUnknown(actionId, action.problem)
  else journal.setRefused(actionId, notDone(kind, now), context.clock.now())
  context.changes.notify('disputes', accountId, disputeId)
}

function notDone(kind: DisputeActionKind, now: DisputeWithMessages | null): Problem {
  const { not, nothing } = words[kind]
  if (now === null)
    return failure(
      'NOT_FOUND',
      `${not}: the dispute is not there any more.`,
      'Nothing is left to do.',
      { effect: nothing },
    ).problem
  if (now.status === 'resolved')
    return failure(
      'DISPUTE_RESOLVED',
      `${not}: the dispute was ${now.resolution?.type ?? 'resolved'} meanwhile.`,
      'Nothing is left to do.',
      { effect: nothing },
    ).problem
  return failure(
    'NOT_SENT',
    `${not}: the answer of the service was lost, and the dispute is as it was.`,
    'Do it again if you still want to.',
    { effect: nothing },
  ).problem
}
