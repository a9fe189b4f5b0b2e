import { failure } from '../../failure.ts'
import { replyStore } from '../replies/store.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import { disputeJournal } from './journal.ts'

function assertNone(open: readonly unknown[]): void {
  if (open.length > 0)
    throw failure(
      'CONFLICT',
      'Not sent: an earlier answer is still in progress.',
      'Wait until Keydesk knows whether it arrived.',
      { effect: 'Your text is saved.' },
    )
}

/** Throws Failure if a reply to the dispute is held or being sent. */
export const assertNoReply = ({ store: { db } }: DisputeAccount, disputeId: string): void =>
  assertNone(
    replyStore(db)
      .of(disputeId)
      .filter(({ state }) => state !== 'failed'),
  )

/** Throws Failure if it isn't known yet whether an earlier answer arrived. */
export const assertNoAnswer = ({ store: { db } }: DisputeAccount, disputeId: string): void =>
  assertNone(
    disputeJournal(db)
      .answersOf(disputeId)
      .filter(({ state }) => state !== 'refused'),
  )
