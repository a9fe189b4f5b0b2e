import {
  IconBox,
  IconCash,
  IconCircleCheck,
  IconMessage,
  IconUserExclamation,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { Problem } from '../../../../contract/base.ts'
import type { BulkReplyPlan } from '../../../../contract/disputes/dispute-replies.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { productLine, variantLabel } from '../../../lib/labels/product-labels.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { ConfirmDialog, type Effect } from '../../../ui/feedback/confirm-dialog.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { formatCount, formatEur } from '../../../ui/format.ts'
import { languageName } from '../words.ts'
import styles from './bulk.module.css'

const icon = { size: 16, stroke: 1.6 } as const

const leftOutWords: Readonly<Record<BulkReplyPlan['leftOut'][number]['reason'], string>> = {
  'not-found': 'Not on this computer.',
  resolved: 'Already resolved.',
  'in-progress': 'An earlier answer or action is still in progress.',
  'batch-alarm': 'Keys of a batch with an alarm are in stock. Withdraw the batch first.',
  'no-offer': 'The offer isn’t on this computer, so its stock is unknown.',
  'no-stock': 'No key is left in stock for it.',
  'unknown-amount': 'The amount of the refund isn’t known.',
  'no-text': 'There’s no text in the customer’s language.',
  'missing-field': 'A field of the text has no value for it.',
}

/** The replies to send, and their effects on money and keys. */
type Sent = Pick<BulkReplyPlan, 'outcome' | 'stock' | 'keys' | 'refundCents'> & {
  count: number
  leftOut: number
}

export function effectsOf({ outcome, count, leftOut, stock, keys, refundCents }: Sent): Effect[] {
  const resolves = outcome === 'refund' || outcome === 'replace-stock'
  return [
    {
      icon: <IconMessage {...icon} />,
      what: t('screens.disputes-replies', { count }),
      more: 'One per customer; none sees the others.',
    },
    ...stock.map((each) => ({
      icon: <IconBox {...icon} />,
      what: t('counts.keys', { count: each.before - each.after }),
      more: productLine(each),
      amount: `${formatCount(each.before)} → ${formatCount(each.after)}`,
    })),
    keys === 0
      ? { icon: <IconBox {...icon} />, what: 'No key is sent.' }
      : stock.length > 0
        ? null
        : {
            icon: <IconBox {...icon} />,
            what: t('counts.keys', { count: keys }),
            more: 'The oldest key in stock for each dispute.',
          },
    outcome === 'refund'
      ? {
          icon: <IconCash {...icon} />,
          what: 'The customers get their money back.',
          more: 'The sales are canceled.',
          amount: formatEur(refundCents),
          tone: 'bad' as const,
        }
      : { icon: <IconCash {...icon} />, what: 'No money moves.' },
    {
      icon: <IconCircleCheck {...icon} />,
      what: t(resolves ? 'screens.disputes-bulk-resolved' : 'screens.disputes-bulk-open', {
        count,
      }),
      more: resolves ? 'They no longer accept messages.' : 'The customers can write again.',
    },
    leftOut === 0
      ? null
      : {
          icon: <IconUserExclamation {...icon} />,
          what: t('screens.disputes-left-out', { count: leftOut }),
          more: 'Listed below with the reason.',
          tone: 'warn' as const,
        },
  ].filter((effect) => effect !== null)
}

export function labelOf({ outcome, count, keys, refundCents }: Sent): string {
  const replies = t('screens.disputes-replies', { count })
  if (outcome === 'refund') return `Send ${replies} and refund ${formatEur(refundCents)}`
  if (outcome === 'replace-stock') return `Send ${replies} and ${t('counts.keys', { count: keys })}`
  return `Send ${replies}`
}

/** Everything that a bulk reply does, as it was when it was shown. */
export function BulkReview({
  account,
  plan,
  onBack,
  onSend,
}: {
  account: Account
  plan: BulkReplyPlan
  onBack: () => void
  onSend: (typed: string | null) => Promise<void>
}) {
  const [problem, setProblem] = useState<Problem | null>(null)
  const sent = { ...plan, count: plan.lines.length, leftOut: plan.leftOut.length }
  return (
    <ConfirmDialog
      opened
      onClose={onBack}
      account={account}
      width={640}
      title="Before you send"
      lead="You can undo for 10 seconds after you send. After that, keys and refunds are final."
      effects={effectsOf(sent)}
      destructive={plan.outcome === 'refund'}
      incomplete={plan.lines.length === 0}
      confirmLabel={labelOf(sent)}
      cancelLabel="Back"
      {...(plan.typed === null ? {} : { typed: { text: plan.typed, verb: 'confirm' } })}
      onConfirm={async () => {
        setProblem(null)
        try {
          await onSend(plan.typed)
        } catch (error) {
          setProblem(problemOf(error))
          throw error
        }
      }}
      failure={
        problem === null ? null : (
          <Notice tone="bad" title={problem.what}>
            {problem.effect} {problem.next}
          </Notice>
        )
      }
    >
      <PlannedLines plan={plan} />
    </ConfirmDialog>
  )
}

function PlannedLines({ plan: { lines, leftOut } }: { plan: BulkReplyPlan }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
    <div className={styles.lines} role="region" aria-label="Each reply" tabIndex={0}>
      <ul aria-label="Replies">
        {lines.map((line) => (
          <li key={line.disputeId}>
            <span className="kd-mono">{line.disputeId}</span>
            <span>
              <b>{line.name}</b> {variantLabel(line)}
              <small dir="auto">{line.text}</small>
            </span>
            <span>
              {line.refundCents === null ? null : formatEur(line.refundCents)}
              {line.language === null || line.language === 'en' ? null : (
                <em>{languageName(line.language)}</em>
              )}
            </span>
          </li>
        ))}
      </ul>
      {leftOut.length === 0 ? null : (
        <ul aria-label="Left out" data-left-out>
          {leftOut.map(({ disputeId, name, reason }) => (
            <li key={disputeId}>
              <span className="kd-mono">{disputeId}</span>
              <span>
                <b>{name}</b> <small>{leftOutWords[reason]}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
