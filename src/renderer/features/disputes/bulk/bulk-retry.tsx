import { useState } from 'react'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { Problem } from '../../../../contract/base.ts'
import type { BulkReply } from '../../../../contract/disputes/dispute-replies.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { recordHeldReplies } from '../sending/held-replies.ts'
import { effectsOf, labelOf } from './bulk-review.tsx'

/** Asks before the failed lines of a bulk reply are sent again, exactly as shown. */
export function BulkRetry({
  account,
  bulk: opened,
  onClose,
}: {
  account: Account
  bulk: BulkReply
  onClose: () => void
}) {
  // Nothing changes between reading and confirming; the core rejects what has changed.
  const [{ bulkId, outcome, retry }] = useState(opened)
  const [problem, setProblem] = useState<Problem | null>(null)
  const sent = { ...retry, outcome, stock: [], leftOut: 0 }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      account={account}
      title="Before you send again"
      lead="You can undo for 10 seconds after you send. Parts that were sent aren’t repeated."
      effects={effectsOf(sent)}
      destructive={outcome === 'refund'}
      confirmLabel={labelOf(sent)}
      cancelLabel="Back"
      {...(retry.typed === null ? {} : { typed: { text: retry.typed, verb: 'confirm' } })}
      onConfirm={async () => {
        setProblem(null)
        try {
          if (!(await openVault())) return
          recordHeldReplies(
            await rpc.disputes.retryBulkReply({
              accountId: account.id,
              bulkId,
              ...(retry.typed !== null && { typed: retry.typed }),
            }),
          )
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
    />
  )
}
