import {
  IconBox,
  IconCash,
  IconCircleCheck,
  IconMessage,
  IconUserExclamation,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { Problem } from '../../../../contract/base.ts'
import type { BulkReplyPlan } from '../../../../contract/disputes/dispute-replies.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { productLine } from '../../../lib/labels/product-labels.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { ConfirmDialog, type Effect } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatCount, formatEur } from '../../../ui/format.ts'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'

const icon = { size: 16, stroke: 1.6 } as const

/** The replies to send, and their effects on money and keys. */
type Sent = Pick<BulkReplyPlan, 'outcome' | 'stock' | 'keys' | 'refundCents'> & {
  count: number
  leftOut: number
}

function effectsOf({ outcome, count, leftOut, stock, keys, refundCents }: Sent): Effect[] {
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

function labelOf({ outcome, count, keys, refundCents }: Sent): string {
  const replies = t('screens.disputes-replies', { count })
  if (outcome === 'refund') return `Send ${replies} and refund ${formatEur(refundCents)}`
  if (outcome === 'replace-stock') return `Send ${replies} and ${t('counts.keys', { count: keys })}`
  return `Send ${replies}`
}

/**
 * Asks before replies to several disputes are sent, with their effects. `typed`: the text that the
 * person must type, null if none. Shows why `onSend` failed.
 */
export function SendRepliesDialog({
  account,
  title,
  lead,
  sent,
  typed,
  width,
  children,
  onClose,
  onSend,
}: {
  account: Account
  title: string
  lead: string
  sent: Sent
  typed: string | null
  width?: number
  children?: ReactNode
  onClose: () => void
  onSend: () => Promise<void>
}) {
  const [problem, setProblem] = useState<Problem | null>(null)
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      account={account}
      {...(width === undefined ? {} : { width })}
      title={title}
      lead={lead}
      effects={effectsOf(sent)}
      destructive={sent.outcome === 'refund'}
      incomplete={sent.count === 0}
      confirmLabel={labelOf(sent)}
      cancelLabel="Back"
      {...(typed === null ? {} : { typed: { text: typed, verb: 'confirm' } })}
      onConfirm={async () => {
        setProblem(null)
        try {
          await onSend()
        } catch (error) {
          setProblem(problemOf(error))
          throw error
        }
      }}
      failure={problem === null ? null : <ProblemNotice problem={problem} />}
    >
      {children}
    </ConfirmDialog>
  )
}
