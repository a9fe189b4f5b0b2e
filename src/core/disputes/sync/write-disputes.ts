import type { Flights } from '../../journaled-send/journaled-send.ts'
import type { Scope } from '../../lifecycle/lifecycle.ts'
import { forgetDispute, recordDispute } from '../../sales/sales.ts'
import type { DisputesContext } from '../context.ts'
import { disputeFacts } from './facts.ts'
import type { DisputeFacts, DisputeWithMessages, ServiceDispute } from './facts.ts'
import type { DisputeStore } from '../store.ts'
import type { SealedTexts } from '../sealed-texts.ts'

/** Everything needed to work on one account's disputes. */
export type DisputeAccount = {
  accountId: string
  store: DisputeStore
  texts: SealedTexts
  context: DisputesContext
  /** Answers and actions without a response that can still arrive. */
  flights: Flights
  /** Runs the answers and actions of each dispute one at a time, in the order of the calls. */
  serial: Scope['serial']
}

/**
 * Writes a dispute as reported by the service, and its effect on the sale. Call it inside a
 * transaction.
 */
function put(
  { accountId, store, texts, context }: DisputeAccount,
  facts: DisputeFacts,
  { reason, keySha256 }: Pick<ServiceDispute, 'reason' | 'keySha256'>,
  pass: number,
  now: number,
): { changed: boolean; pass: number } {
  const outcome = store.put(
    facts,
    {
      reason: texts.sealReason(accountId, facts.disputeId, reason),
      fingerprint: texts.fingerprint(keySha256),
    },
    pass,
    now,
  )
  if (facts.saleId !== null) {
    const state = [facts.status, facts.resolutionType ?? ''].join(' ')
    if (
      recordDispute(
        store.db,
        {
          saleId: facts.saleId,
          disputeId: facts.disputeId,
          unresolved: facts.status !== 'resolved',
          state,
          openedAt: facts.openedAt,
        },
        now,
      )
    )
      context.changes.notify('sales', accountId, facts.saleId)
  }
  return outcome
}

/**
 * Writes disputes from a list; skips those without an id, because they can't be requested. `fresh`:
 * number of disputes that no completed pass has seen.
 */
export function writeDisputes(
  account: DisputeAccount,
  rows: readonly ServiceDispute[],
): { fresh: number; changed: boolean } {
  const { pass } = account.store.listing()
  const now = account.context.clock.now()
  const taken = rows.flatMap((row) =>
    row.id === undefined ? [] : [put(account, disputeFacts(row, row.id), row, pass, now)],
  )
  return {
    fresh: taken.filter((each) => each.pass >= pass).length,
    changed: taken.some(({ changed }) => changed),
  }
}

/** Removes a dispute that the service no longer has, and its effect on the sale. */
export function removeDispute(account: DisputeAccount, disputeId: string): void {
  const { accountId, store, context } = account
  const saleId = store.transaction(() => {
    store.drop(disputeId)
    return forgetDispute(store.db, disputeId, context.clock.now())
  })
  if (saleId !== null) context.changes.notify('sales', accountId, saleId)
}

/** Writes a dispute with its messages in one transaction; returns whether anything changed. */
export function writeDispute(
  account: DisputeAccount,
  disputeId: string,
  answer: DisputeWithMessages,
): boolean {
  const { store, texts, context } = account
  const now = context.clock.now()
  return store.transaction(() => {
    const { changed } = put(
      account,
      disputeFacts(answer, disputeId),
      answer,
      store.listing().pass,
      now,
    )
    return (
      store.putConversation(
        disputeId,
        texts.conversation(account.accountId, disputeId, answer),
        now,
      ) || changed
    )
  })
}
