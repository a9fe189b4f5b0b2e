import type { ServiceConnection } from '../../context.ts'
import { actionJournal } from '../settle/action-journal.ts'
import { newAlerts, groupAlerts } from '../alerts/alerts.ts'
import { settleAnswer } from '../answers/send-answer.ts'
import { disputeJournal } from '../answers/journal.ts'
import { pollDisputes } from './poll.ts'
import { settleAction } from '../settle/send-action.ts'
import type { DisputeAccount } from './write-disputes.ts'

/**
 * Reads the disputes of a seller account: settles answers and actions with an unknown outcome, reads
 * changes, and notifies people of them. Returns whether anything changed or is still unknown.
 */
export async function readDisputes(
  account: DisputeAccount,
  accountId: string,
  connection: Pick<ServiceConnection, 'call'>,
  signal: AbortSignal,
): Promise<boolean> {
  const {
    context,
    serial,
    store: { db },
  } = account
  const journal = disputeJournal(db)
  const actions = actionJournal(db)
  for (const { answerId, disputeId } of journal.openAnswers()) {
    await serial(disputeId, async () => {
      const answer = journal.answer(answerId)
      if (answer !== null) await settleAnswer(account, journal, answer, connection, 'watch', signal)
    })
  }
  for (const { actionId, disputeId } of actions.open()) {
    await serial(disputeId, async () => {
      const action = actions.find(actionId)
      if (action?.state === 'sending' || action?.state === 'unknown')
        await settleAction(account, actions, action, connection, 'watch', signal)
    })
  }
  const isFirst = !account.store.listing().complete
  const changed = await pollDisputes({ account, connection, signal })
  if (changed) context.changes.notify('disputes', accountId)
  for (const notice of groupAlerts(newAlerts(db, context.accounts.serviceNow(accountId), isFirst)))
    context.notices.notify({ accountId, ...notice })
  return changed || journal.openAnswers().length > 0 || actions.open().length > 0
}
