import type { InferContractRouterOutputs } from '@orpc/contract'
import { useQuery } from '@tanstack/react-query'
import { IconArrowBackUp, IconEqual, IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import type { Problem } from '../../../../contract/base.ts'
import type { Contract } from '../../../../contract/index.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { BULK_CONFIRM_ABOVE } from '../../../../contract/offers/offer-bulk.ts'
import type { Bulk } from '../../../../contract/offers/offer-bulk.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { createQuestion } from '../../../lib/question.ts'
import type { Question } from '../../../lib/question.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { GuardWarning } from './guard-warning.tsx'
import { bulkProgress, undoLabel } from './bulk-texts.ts'
import styles from '../parts.module.css'

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
  const undoable = bulk?.undoable ?? 0
  // Planning a long undo takes a second, so it isn't planned again with every change of an offer:
  // the core rejects an outdated plan. Each opened dialog plans again.
  const { data: preview, refetch } = useQuery({
    ...api.offers.bulk.undoPreview.queryOptions({ input: { accountId: account.id, bulkId } }),
    enabled: undoable > 0,
    staleTime: 'static',
    gcTime: 0,
  })
  const count = undoable === 0 ? 0 : (preview?.changes ?? 0)
  const leftOut = preview?.leftOut ?? 0
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
        ...(count === 0
          ? []
          : [
              {
                icon: <IconArrowBackUp size={16} stroke={1.6} />,
                what: t(isRedo ? 'screens.offers-undo-again' : 'screens.offers-undo-restored', {
                  count,
                }),
              },
            ]),
        ...(leftOut === 0
          ? []
          : [
              {
                icon: <IconEqual size={16} stroke={1.6} />,
                what: t('screens.offers-undo-left-out', { count: leftOut }),
                more: t('screens.offers-undo-left-out-why', { count: leftOut }),
                tone: 'warn' as const,
              },
            ]),
        { icon: <IconKey size={16} stroke={1.6} />, what: 'No keys move.' },
      ]}
      incomplete={count === 0 || (overGuard > 0 && !beyondGuard)}
      confirmLabel={undoLabel(isRedo, count)}
      {...(count > BULK_CONFIRM_ABOVE && { typed: { text: String(count), verb: 'undo' } })}
      note={
        bulk === undefined || (undoable > 0 && preview === undefined) || count > 0
          ? undefined
          : bulk.state === 'running'
            ? 'It is still running. Try again when it has finished.'
            : undoable === 0
              ? 'None of its changes can be undone.'
              : `No change is left to ${isRedo ? 'make again' : 'undo'}.`
      }
      failure={failed === null ? null : <ProblemNotice problem={failed} />}
      onConfirm={async () => {
        try {
          await rpc.offers.bulk.undo({
            accountId: account.id,
            bulkId,
            fingerprint: preview?.fingerprint ?? null,
            typed: count > BULK_CONFIRM_ABOVE ? String(count) : null,
            beyondGuard,
          })
        } catch (error) {
          const problem = problemOf(error)
          const stopped = Number(problem.details?.['overGuard'] ?? 0)
          setOverGuard(stopped)
          setFailed(stopped > 0 ? null : problem)
          void refetch()
          throw error
        }
        answer(true)
      }}
    >
      <LeftOut rows={preview?.rows ?? []} total={leftOut} />
      <GuardWarning count={overGuard} confirmed={beyondGuard} onConfirm={setBeyondGuard} />
    </ConfirmDialog>
  )
}

type Preview = InferContractRouterOutputs<Contract['offers']['bulk']>['undoPreview']

/** The offers that an undo leaves out. */
function LeftOut({ rows, total }: { rows: Preview['rows']; total: number }) {
  if (rows.length === 0) return null
  return (
    <>
      {/* The list scrolls and contains nothing focusable, so the keyboard needs a tab stop. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.leftOut} tabIndex={0} role="region" aria-label="Offers left out">
        <p>Left out</p>
        <ul className={styles.moves}>
          {rows.map((row) => (
            <li key={row.subjectId}>
              {row.name} <small>{variantLabel(row)}</small>
            </li>
          ))}
        </ul>
        {total > rows.length
          ? t('screens.offers-undo-left-out-more', { count: total - rows.length })
          : null}
      </div>
    </>
  )
}
