import { failure } from '../../failure.ts'
import { replyStore } from '../replies/store.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import { disputeJournal } from './journal.ts'

const inProgress = () =>
  failure(
    'CONFLICT',
    'Not sent: an earlier answer is still in progress.',
    'Wait until Keydesk knows whether it arrived.',
    { effect: 'Your text is saved.' },
  )

/** Throws Failure if a reply to the dispute is held or being sent. */
export function assertNoReply({ store: { db } }: DisputeAccount, disputeId: string): void {
  if (
    replyStore(db)
      .of(disputeId)
      .some(({ state }) => state !== 'failed')
  )
    throw inProgress()
}

/** Throws Failure if it isn't known yet whether an earlier answer arrived. */
export function assertNoAnswer({ store: { db } }: DisputeAccount, disputeId: string): void {
  if (
    disputeJournal(db)
      .answersOf(disputeId)
      .some(({ state }) => state !== 'refused')
  )
    throw inProgress()
}
