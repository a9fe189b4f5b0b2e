import type { CoreContext } from '../../context.ts'
import { pollSellers } from '../../polling/polling.ts'
import { actionJournal } from '../settle/action-journal.ts'
import { newAlerts, groupAlerts } from '../alerts/alerts.ts'
import { settleAnswer } from '../answers/send-answer.ts'
import { disputeJournal } from '../answers/journal.ts'
import { pollDisputes } from './poll.ts'
import { settleAction } from '../settle/send-action.ts'
import type { DisputeAccount } from './write-disputes.ts'
import type { Turns } from '../turns.ts'

/**
 * Polls the disputes of every seller account: settles answers and actions with an unknown outcome,
 * reads changes, and notifies people of them.
 */
export function watchDisputes(
  context: CoreContext,
  accountOf: (accountId: string) => DisputeAccount,
  oneAtATime: Turns,
) {
  return pollSellers(context, 'disputes', async (accountId, connection, signal) => {
    const account = accountOf(accountId)
    const { db } = account.store
    const journal = disputeJournal(db)
    const actions = actionJournal(db)
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
    const isFirst = !account.store.listing().complete
    const changed = await pollDisputes({ account, connection, signal })
    if (changed) context.changes.notify('disputes', accountId)
    for (const notice of groupAlerts(newAlerts(db, context.clock.now(), isFirst)))
      context.notices.notify({ accountId, ...notice })
    return changed || journal.openAnswers().length > 0 || actions.open().length > 0
  })
}
