import { useQuery } from '@tanstack/react-query'
import { IconArrowBackUp, IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import type { Problem } from '../../../../contract/base.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { BULK_CONFIRM_ABOVE } from '../../../../contract/offers/offer-bulk.ts'
import type { Bulk } from '../../../../contract/offers/offer-bulk.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { createQuestion } from '../../../lib/question.ts'
import type { Question } from '../../../lib/question.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { GuardWarning } from './guard-warning.tsx'
import { bulkProgress } from './bulk-texts.ts'

const undoing = createQuestion<string, boolean>(false)

/** Asks whether to undo a bulk change. Resolves to whether its undo has started. */
export const askToUndoBulk = (bulkId: string): Promise<boolean> => undoing.ask(bulkId)

/** The question before a bulk change is undone, on any page. */
export function UndoBulkDialog() {
  const question = undoing.useQuestion()
  return question === null ? null : <OpenDialog key={question.subject} question={question} />
}

function OpenDialog({ question: { subject: bulkId, answer } }: { question: Question<string> }) {
  const account = useAccount()
  const [failed, setFailed] = useState<Problem | null>(null)
  const bulk: Bulk | undefined = useQuery(
    api.offers.bulk.results.queryOptions({
      input: { accountId: account.id, bulkId, window: { offset: 0, limit: 1 } },
    }),
  ).data?.bulk
  const count = bulk?.undoable ?? 0
  /** Prices that the price guard stops, once the undo was rejected for them. */
  const [overGuard, setOverGuard] = useState(0)
  const [beyondGuard, setBeyondGuard] = useState(false)
  const isRedo = bulk?.undoes != null
  return (
    <ConfirmDialog
      opened
      onClose={() => answer(false)}
      account={account}
      title={
        bulk === undefined
          ? 'Undo the bulk change?'
          : isRedo
            ? `Make the change again that “${bulk.title}” took back?`
            : `Undo “${bulk.title}”?`
      }
      lead={bulk === undefined ? undefined : bulkProgress(bulk)}
      effects={[
        {
          icon: <IconArrowBackUp size={16} stroke={1.6} />,
          what: isRedo
            ? `${t('counts.offers', { count })} change again.`
            : `${t('counts.offers', { count })} get their earlier value back.`,
          more: 'An offer that changed since is skipped and named.',
        },
        { icon: <IconKey size={16} stroke={1.6} />, what: 'No keys move.' },
      ]}
      incomplete={count === 0 || (overGuard > 0 && !beyondGuard)}
      confirmLabel={`${isRedo ? 'Make' : 'Undo'} ${t('counts.changes', { count })}${isRedo ? ' again' : ''}`}
      {...(count > BULK_CONFIRM_ABOVE && { typed: { text: String(count), verb: 'undo' } })}
      note={
        bulk === undefined || count > 0
          ? undefined
          : bulk.state === 'running'
            ? 'It is still running. Try again when it has finished.'
            : 'None of its changes can be undone.'
      }
      failure={failed === null ? null : <ProblemNotice problem={failed} />}
      onConfirm={async () => {
        try {
          await rpc.offers.bulk.undo({
            accountId: account.id,
            bulkId,
            typed: count > BULK_CONFIRM_ABOVE ? String(count) : null,
            beyondGuard,
          })
        } catch (error) {
          const problem = problemOf(error)
          const stopped = Number(problem.details?.['overGuard'] ?? 0)
          setOverGuard(stopped)
          setFailed(stopped > 0 ? null : problem)
          throw error
        }
        answer(true)
      }}
    >
      <GuardWarning count={overGuard} confirmed={beyondGuard} onConfirm={setBeyondGuard} />
    </ConfirmDialog>
  )
}
