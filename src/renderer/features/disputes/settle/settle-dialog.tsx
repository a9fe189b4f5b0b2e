import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Cents } from '../../../../../server/api/money.ts'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { Problem } from '../../../../contract/base.ts'
import type {
  DisputeDetail,
  DisputeEffects,
} from '../../../../contract/disputes/dispute-records.ts'
import type { DisputeActionKind } from '../../../../contract/disputes/dispute-replies.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatEur } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { productLine } from '../../../lib/labels/product-labels.ts'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { useOpenDialog } from '../../../ui/hooks/dialog-stack.ts'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { effectsFor } from './effects.tsx'
import { TypedKey, useKeyCheck } from './typed-key.tsx'

const obstacles: Readonly<Record<NonNullable<DisputeEffects['obstacle']>, string>> = {
  resolved: 'The dispute is already resolved.',
  'no-stock': 'The offer has no keys left. Replace with a typed key, or refund.',
  'no-offer':
    'The offer isn’t on this computer, so its stock is unknown. The service rejects the action if there are no keys.',
  'batch-alarm':
    'Keys of a batch with an alarm are in stock, and the service sends the oldest key. ' +
    'Withdraw the batch first, or replace with a key.',
  'under-way': 'The outcome of an earlier action on this dispute isn’t known yet.',
}

const titles: Readonly<Record<DisputeActionKind, (name: string) => string>> = {
  'replace-stock': () => 'Replace from stock?',
  'replace-key': () => 'Replace with a typed key?',
  refund: (name) => `Refund ${name}?`,
}
const confirmLabels: Readonly<Record<DisputeActionKind, (cents: Cents | null) => string>> = {
  'replace-stock': () => 'Send a key from stock',
  'replace-key': () => 'Send this key',
  refund: (cents) => (cents === null ? 'Refund' : `Refund ${formatEur(cents)}`),
}

const doneToast = (kind: DisputeActionKind, name: string): { title: string; text: string } =>
  kind === 'refund'
    ? { title: 'Refunded', text: `${name}. The sale is canceled.` }
    : {
        title: 'Replaced',
        text: `${name}. The customer received another key; no money moved.`,
      }

/** Confirms a settlement: lists its effects, and asks for the amount before a refund in LIVE. */
export function SettleDialog({
  kind,
  detail,
  account,
  onClose,
  onDone,
}: {
  kind: DisputeActionKind
  detail: DisputeDetail
  account: Account
  onClose: () => void
  onDone: () => void
}) {
  const { accountId, disputeId } = detail
  const [key, setKey] = useState('')
  const check = useKeyCheck(detail, kind === 'replace-key' ? key : '')
  const [problem, setProblem] = useState<Problem | null>(null)
  // Keydesk compares the dispute with its state on the screen when the dialog opened.
  const [seen] = useState({ status: detail.status, messages: detail.messages })
  const asked = useQuery(
    api.disputes.effects.queryOptions({ input: { accountId, disputeId, kind } }),
  )
  const effects = asked.data

  async function confirm(): Promise<void> {
    setProblem(null)
    try {
      if (kind === 'replace-key' && !(await openVault()))
        throw new Error('the vault is still locked')
      await rpc.disputes.act({
        accountId,
        disputeId,
        kind,
        seen,
        ...(kind === 'replace-key' ? { key } : {}),
        ...(effects?.typed == null ? {} : { typed: effects.typed }),
      })
      toast(doneToast(kind, detail.name))
      onDone()
    } catch (error) {
      setProblem(problemOf(error))
      throw error
    }
  }
  useOpenDialog(asked.isPending)
  // The confirmation text must be known before the dialog takes the focus and before anything can
  // be confirmed.
  if (asked.isPending) return null
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={confirm}
      account={account}
      title={titles[kind](detail.name)}
      lead={productLine(detail)}
      effects={effectsFor(kind, effects)}
      destructive={kind === 'refund'}
      incomplete={isBlocked(effects?.obstacle ?? null)}
      confirmLabel={confirmLabels[kind](effects?.refundCents ?? null)}
      {...(effects?.typed == null ? {} : { typed: { text: effects.typed, verb: 'refund it' } })}
      failure={failureOf(problem, effects?.obstacle ?? null)}
    >
      {kind === 'replace-key' ? <TypedKey value={key} check={check} onChange={setKey} /> : null}
    </ConfirmDialog>
  )
}

/** Obstacles with which the service rejects the action; an unknown stock isn't one. */
const isBlocked = (obstacle: DisputeEffects['obstacle']): boolean =>
  obstacle !== null && obstacle !== 'no-offer'

function failureOf(problem: Problem | null, obstacle: DisputeEffects['obstacle']): ReactNode {
  if (problem !== null) return <ProblemNotice problem={problem} />
  return obstacle === null ? null : <Notice tone="warn" title={obstacles[obstacle]} />
}
