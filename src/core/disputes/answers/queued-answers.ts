import { variantLabel } from '../../../contract/product-variant.ts'
import type { OutboxFacts } from '../../../contract/outbox.ts'
import type { DisputeRow } from '../../../contract/disputes/dispute-records.ts'
import type { DisputeSeen } from '../../../contract/disputes/dispute-replies.ts'
import { Failure, nullIfNotFound } from '../../failure.ts'
import { emptyFacts } from '../../outbox/outbox.ts'
import type { Outbox, OutboxHandler } from '../../outbox/outbox.ts'
import type { DisputesContext } from '../context.ts'
import { disputeJournal } from './journal.ts'
import { recordOwnAnswer } from './own-answers.ts'
import { answerKey, refreshDispute } from './send-answer.ts'
import { isAmong } from '../sync/facts.ts'
import type { DisputeWithMessages } from '../sync/facts.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'

const factsOf = (dispute: DisputeWithMessages): OutboxFacts => ({
  ...emptyFacts,
  status: dispute.status,
  messages: dispute.messages.length,
})

/** Answers queued in the outbox until the service can be reached. */
export function createQueuedAnswers(
  context: DisputesContext,
  outbox: Outbox,
  accountOf: (accountId: string) => DisputeAccount,
) {
  async function read(
    accountId: string,
    disputeId: string,
    signal?: AbortSignal,
  ): Promise<DisputeWithMessages | null> {
    try {
      return await refreshDispute(
        accountOf(accountId),
        context.connection(accountId),
        disputeId,
        'watch',
        signal,
      )
    } catch (error) {
      return nullIfNotFound(error)
    }
  }

  const handler: OutboxHandler = {
    async readCurrent(accountId, { subjectId }, signal) {
      const dispute = await read(accountId, subjectId, signal)
      return dispute === null ? null : factsOf(dispute)
    },
    async send(accountId, { entryId, subjectId }, text) {
      if (text === null) throw new Error('a queued answer has no text')
      await context.connection(accountId).call(
        'answerDispute',
        { params: { id: subjectId }, body: { body: text } },
        {
          priority: 'person',
          once: true,
          ...(context.accounts.acceptsIdempotencyKeys(accountId) && {
            idempotencyKey: answerKey(entryId, text),
          }),
        },
      )
      recordOwnAnswer(accountOf(accountId), subjectId, text)
      // The answer was accepted; what can't be read now is read in the next sync pass.
      await read(accountId, subjectId).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error
      })
    },
    /**
     * The dispute was compared just before sending, so any message after those counted then is
     * newer.
     */
    async wasApplied(accountId, entry, text) {
      const dispute = await read(accountId, entry.subjectId)
      const applied =
        dispute !== null &&
        text !== null &&
        isAmong(dispute.messages, text, entry.present?.messages ?? 0)
      if (applied) recordOwnAnswer(accountOf(accountId), entry.subjectId, text)
      return applied
    },
  }

  return {
    /** How the outbox compares and sends answers. */
    outboxHandlers: { 'dispute-answer': handler },
    /** Queued answers by dispute. */
    of: (accountId: string) => outbox.waiting(accountId, ['dispute-answer']),
    textOf: (accountId: string, entryId: string): string | null => {
      try {
        return outbox.entry({ accountId, entryId }).text
      } catch (error) {
        if (error instanceof Failure) return null
        throw error
      }
    },
    /** @param seen the dispute as the person saw it. `at`: when the answer was written, if known. */
    keep(
      accountId: string,
      row: DisputeRow,
      text: string,
      { status, messages, at = row.seenAt }: DisputeSeen & { at?: number },
    ): void {
      outbox.add(accountId, {
        kind: 'dispute-answer',
        subjectId: row.disputeId,
        title: row.name,
        subtitle: variantLabel(row),
        seen: { ...emptyFacts, status, messages: messages ?? 0 },
        seenAt: Math.min(row.seenAt, at),
        wanted: emptyFacts,
        text,
      })
      // An answer that wasn't sent is offered to be sent again: the queue would send it as well.
      const journal = disputeJournal(context.mirrors.database(accountId))
      for (const { answerId, state } of journal.answersOf(row.disputeId))
        if (state === 'refused') journal.dropAnswer(answerId)
    },
  }
}
export type QueuedAnswers = ReturnType<typeof createQueuedAnswers>
