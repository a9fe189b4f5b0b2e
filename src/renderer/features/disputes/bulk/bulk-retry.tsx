import { useState } from 'react'
import type { Account } from '../../../../contract/app/accounts.ts'
import type { BulkReply } from '../../../../contract/disputes/dispute-replies.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { recordHeldReplies } from '../sending/held-replies.ts'
import { SendRepliesDialog } from './send-replies-dialog.tsx'

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
  return (
    <SendRepliesDialog
      account={account}
      title="Before you send again"
      lead="You can undo for 10 seconds after you send. Parts that were sent aren’t repeated."
      sent={{ ...retry, outcome, stock: [], leftOut: 0 }}
      typed={retry.typed}
      onClose={onClose}
      onSend={async () => {
        if (!(await openVault())) return
        recordHeldReplies(
          await rpc.disputes.retryBulkReply({
            accountId: account.id,
            bulkId,
            planId: retry.planId,
            ...(retry.typed !== null && { typed: retry.typed }),
          }),
        )
      }}
    />
  )
}
