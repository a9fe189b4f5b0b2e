import type { DisputeDetail, DisputeRow } from '../../contract/disputes/dispute-records.ts'
import { failure } from '../failure.ts'
import type { DisputesContext } from './context.ts'
import { readDetail } from './detail/detail.ts'
import type { DisputeDependencies } from './settle/effects.ts'
import { readRow } from './list/list.ts'
import type { RowParts } from './list/list.ts'
import { textRecords } from './schema.ts'
import type { DisputeAccount } from './sync/write-disputes.ts'
import type { SealedTexts } from './sealed-texts.ts'
import type { QueuedAnswers } from './answers/queued-answers.ts'

/** Reads disputes from the mirror; shared by the procedures. */
export function createAccess(parts: {
  context: DisputesContext
  texts: SealedTexts
  dependencies: DisputeDependencies
  waiting: QueuedAnswers
  accountOf: (accountId: string) => DisputeAccount
  syncNow: (accountId: string) => Promise<void>
}) {
  const { context, texts, dependencies, waiting, accountOf, syncNow } = parts
  /** The account, marked as viewed by a person. */
  const viewed = (accountId: string): DisputeAccount => {
    const account = accountOf(accountId)
    context.attention.markViewed(accountId, 'disputes')
    return account
  }
  const partsOf = (accountId: string): RowParts => {
    const answers = waiting.of(accountId)
    return {
      accountId,
      now: context.accounts.serviceNow(accountId),
      waits: (disputeId) => answers.has(disputeId),
      reasonOf: (record) =>
        texts.open(accountId, textRecords.reason(record.dispute_id), record.reason_sealed),
    }
  }
  /** Throws Failure `NOT_FOUND`. */
  const find = ({ accountId, store }: DisputeAccount, disputeId: string): DisputeRow => {
    const row = readRow(store.db, disputeId, partsOf(accountId))
    if (row === undefined)
      throw failure(
        'NOT_FOUND',
        'Dispute not found on this computer.',
        'Sync, or check the dispute list.',
      )
    return row
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
      void syncNow(accountId)
    }
    return found
  }
  return {
    context,
    texts,
    dependencies,
    waiting,
    accountOf,
    viewed,
    partsOf,
    find,
    detail,
    /** Refreshes the screens of a dispute and the counts in the navigation. */
    notifyChanged(accountId: string, disputeId: string): void {
      context.changes.notify('disputes', accountId, disputeId)
      context.changes.notify('connection', accountId)
    },
  }
}
export type DisputeAccess = ReturnType<typeof createAccess>
