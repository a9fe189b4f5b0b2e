import type { DisputeActionKind, DisputeSeen } from '../../../contract/disputes/dispute-replies.ts'
import { localized, t } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { Failure, failure } from '../../failure.ts'
import { sendJournaled } from '../../journaled-send/journaled-send.ts'
import type { SendOutcome } from '../../journaled-send/journaled-send.ts'
import type { ActionJournal, ActionRecord } from './action-journal.ts'
import { refreshDispute } from '../answers/send-answer.ts'
import type { DisputeConnection } from '../answers/send-answer.ts'
import type { DisputeWithMessages } from '../sync/facts.ts'
import { hintOf } from '../detail/disputed-key.ts'
import { textRecords } from '../schema.ts'
import { writeDispute } from '../sync/write-disputes.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import { localEntry } from '../../local-entry.ts'

export type RequestedAction = {
  /** The id of its journal entry; a new one if missing. */
  actionId?: string
  kind: DisputeActionKind
  key: string | null
  fingerprint: Buffer | null
  productId: string | null
}

const words: Readonly<
  Record<DisputeActionKind, { not: string; nothing: string; done: Localized }>
> = {
  'replace-stock': {
    not: 'Not replaced',
    nothing: 'No key was sent.',
    done: localized('disputes.replaced-from-stock'),
  },
  'replace-key': {
    not: 'Not replaced',
    nothing: 'No key was sent.',
    done: localized('disputes.replaced-with-typed-key'),
  },
  refund: {
    not: 'Not refunded',
    nothing: 'No money moved.',
    done: localized('disputes.refunded'),
  },
}
const resolutionOf = (kind: DisputeActionKind): string =>
  kind === 'refund' ? 'refunded' : 'replaced'

/** The change since the person decided; null if there is none. */
function changeSince(
  kind: DisputeActionKind,
  seen: DisputeSeen,
  now: DisputeWithMessages,
): Failure | null {
  const { not, nothing } = words[kind]
  const type = now.resolution?.type
  if (now.status === 'resolved')
    return failure(
      'DISPUTE_RESOLVED',
      `${not}: the dispute was resolved in the meantime${type === undefined ? '' : ` (${type})`}.`,
      'There’s nothing left to do.',
      { effect: nothing },
    )
  return newerThan(seen, { status: now.status, messages: now.messages.length }, { not, nothing })
}

/** New messages or a new status since the person decided; null if there are none. */
function newerThan(
  seen: DisputeSeen,
  { status, messages }: { status: string; messages: number },
  { not, nothing: effect }: { not: string; nothing: string },
): Failure | null {
  const fresh = seen.messages === null ? 0 : messages - seen.messages
  const details = { status, messages, newMessages: fresh }
  if (fresh > 0)
    return failure(
      'CHANGED_MEANWHILE',
      `${not}: ${t('disputes.messages-since-viewed', { count: fresh })}`,
      'Read the new messages, then decide again.',
      { effect, details },
    )
  if (status !== seen.status)
    return failure(
      'CHANGED_MEANWHILE',
      `${not}: the status of the dispute changed to ${status}.`,
      'View the dispute, then decide again.',
      { effect, details },
    )
  return null
}

/**
 * New messages or a new status since the person saw a dispute that is marked as done or snoozed;
 * null if there are none. A resolved dispute needs nothing, whatever was written.
 */
export function newerThanShown(
  seen: DisputeSeen,
  { status, messages }: DisputeSeen,
  words: { not: string; nothing: string },
): Failure | null {
  if (status === 'resolved') return null
  return newerThan(seen, { status, messages: messages ?? 0 }, words)
}

type SentAction = Pick<ActionRecord, 'actionId' | 'disputeId' | 'kind'>

async function callService(
  connection: DisputeConnection,
  { kind, disputeId, idempotencyKey }: Pick<ActionRecord, 'kind' | 'disputeId' | 'idempotencyKey'>,
  key: string | null,
): Promise<DisputeWithMessages> {
  // The connection doesn't retry it: reading the dispute shows sooner, and reliably, whether it was
  // done.
  const options = { priority: 'person', idempotencyKey, once: true } as const
  const params = { id: disputeId }
  if (kind === 'refund') return connection.call('refundDispute', { params }, options)
  return connection.call(
    'replaceKey',
    { params, body: kind === 'replace-key' ? { key: key ?? '' } : { fromStock: true } },
    options,
  )
}

function markDone(
  account: DisputeAccount,
  journal: ActionJournal,
  { actionId, disputeId, kind }: SentAction,
  dispute: DisputeWithMessages | null,
): void {
  const { context, accountId, store } = account
  store.transaction(() => {
    journal.setDone(actionId, context.clock.now())
    if (dispute !== null) writeDispute(account, disputeId, dispute)
  })
  context.activity.add(
    localEntry({
      accountId,
      what: words[kind].done,
      detail: localized('disputes.dispute', { disputeId }),
    }),
  )
  context.changes.notify('disputes', accountId, disputeId)
}

/**
 * Replaces or refunds. Keydesk reads the dispute, compares it with the state the person saw, journals
 * the action with its Idempotency-Key and sends it once (Decisions 29 and 34). Throws Failure:
 * `CHANGED_MEANWHILE`, the service's rejection, `OFFLINE`, or `ANSWER_LOST`, which {@link
 * settleAction} settles later.
 */
export async function sendAction(
  account: DisputeAccount,
  journal: ActionJournal,
  disputeId: string,
  wanted: RequestedAction,
  seen: DisputeSeen,
): Promise<void> {
  const { context, accountId, texts } = account
  const { kind, key, fingerprint, productId } = wanted
  const connection = context.connection(accountId)
  if (key !== null) context.vault.assertUnlocked()
  if (journal.of(disputeId).some(({ state }) => state === 'sending' || state === 'unknown')) {
    throw failure(
      'CONFLICT',
      `${words[kind].not}: the outcome of an earlier action on this dispute isn’t known yet.`,
      'Wait until it’s known.',
      { effect: words[kind].nothing },
    )
  }
  const changed = changeSince(
    kind,
    seen,
    await refreshDispute(account, connection, disputeId, 'person'),
  )
  if (changed !== null) throw changed
  const actionId = wanted.actionId ?? context.random.id()
  const action = {
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
        : texts.seal(accountId, textRecords.hint(actionId), JSON.stringify(hintOf(key))),
  }
  const outcome = await sendJournaled<DisputeWithMessages | null>({
    write() {
      journal.put(action)
      context.changes.notify('disputes', accountId, disputeId)
    },
    send: () => callService(connection, action, key),
    lookUp: () => findAction(account, action, connection, 'person'),
    settle: (settled) => recordAction(account, journal, action, settled),
  })
  if (outcome.state === 'done') return
  if (outcome.state === 'unknown') throw outcomeUnknown()
  if (outcome.by === 'response') {
    // A rejection means that the mirror is out of date.
    await refreshDispute(account, connection, disputeId, 'person').catch((reason: unknown) => {
      if (!(reason instanceof Failure)) throw reason
    })
  }
  throw outcome.failure
}

export const outcomeUnknown = (): Failure =>
  failure(
    'ANSWER_LOST',
    'It isn’t known whether the action was completed.',
    'Keydesk checks the dispute as soon as the service responds, and never runs the action twice.',
    { effect: 'A key or money may have moved.' },
  )

/** The id of an action for {@link DisputeAccount.flights}: the answer of its reply has the same id. */
const flightOf = (actionId: string): string => `action ${actionId}`

/** Looks up an action by the dispute's current state, which is written into the mirror. */
async function findAction(
  account: DisputeAccount,
  { actionId, disputeId, kind }: SentAction,
  connection: DisputeConnection,
  priority: 'person' | 'watch',
  signal?: AbortSignal,
): Promise<SendOutcome<null> | null> {
  const flight = flightOf(actionId)
  account.flights.meet(flight)
  // Asked before reading: an action that landed during the reading can be missing in it.
  const isFlying = account.flights.isFlying(flight)
  let now: DisputeWithMessages | null = null
  try {
    now = await refreshDispute(account, connection, disputeId, priority, signal)
  } catch (error) {
    if (!(error instanceof Failure) || error.problem.code !== 'NOT_FOUND') throw error
  }
  const isResolved = now?.status === 'resolved'
  if (isResolved && (now?.resolution?.type ?? resolutionOf(kind)) === resolutionOf(kind))
    return { state: 'done', result: null }
  if (now !== null && !isResolved && isFlying) return null
  return { state: 'not-done', failure: notDone(kind, now) }
}

function recordAction(
  account: DisputeAccount,
  journal: ActionJournal,
  action: SentAction,
  outcome: SendOutcome<DisputeWithMessages | null>,
): void {
  const { context, accountId } = account
  const { actionId, disputeId } = action
  if (outcome.state === 'done') return markDone(account, journal, action, outcome.result)
  const { problem } = outcome.failure
  if (outcome.state === 'unknown') {
    account.flights.note(flightOf(actionId))
    journal.setUnknown(actionId, problem)
  } else journal.setRefused(actionId, problem, context.clock.now())
  context.changes.notify('disputes', accountId, disputeId)
}

/**
 * Settles an action with an unknown outcome by the dispute's current state. Only a person can send
 * it again.
 */
export async function settleAction(
  account: DisputeAccount,
  journal: ActionJournal,
  action: ActionRecord,
  connection: DisputeConnection,
  priority: 'person' | 'watch',
  signal?: AbortSignal,
): Promise<void> {
  const found = await findAction(account, action, connection, priority, signal)
  if (found !== null) return recordAction(account, journal, action, found)
  journal.setUnknown(action.actionId, action.problem)
  account.context.changes.notify('disputes', account.accountId, action.disputeId)
}

function notDone(kind: DisputeActionKind, now: DisputeWithMessages | null): Failure {
  const { not, nothing } = words[kind]
  if (now === null)
    return failure(
      'NOT_FOUND',
      `${not}: the dispute no longer exists.`,
      'There’s nothing left to do.',
      { effect: nothing },
    )
  if (now.status === 'resolved')
    return failure(
      'DISPUTE_RESOLVED',
      `${not}: the dispute was ${now.resolution?.type ?? 'resolved'} in the meantime.`,
      'There’s nothing left to do.',
      { effect: nothing },
    )
  return failure(
    'NOT_SENT',
    `${not}: the service didn’t respond, and the dispute hasn’t changed.`,
    'Try again if you still want to.',
    { effect: nothing },
  )
}
