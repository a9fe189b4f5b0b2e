import type { Account } from '../../../../contract/app/accounts.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { BulkResults } from './bulk-results.tsx'
import type { DisputeSelection } from './use-dispute-selection.ts'

/** The dialog that answers the selected disputes, and the results of earlier bulk replies. */
export function BulkDialogs({
  open,
  account,
  listed,
  accountName,
  selection,
  onClose,
}: {
  open: 'reply' | 'results' | null
  /** The account of the selected disputes. */
  account: Account
  /** The accounts whose results are shown. */
  listed: readonly Account[]
  /** Names an account if several are listed. */
  accountName: (accountId: string) => string | null
  selection: DisputeSelection
  onClose: () => void
}) {
  if (open === 'results')
    return <BulkResults accounts={listed} accountName={accountName} onClose={onClose} />
  if (open === null || selection.rows.length === 0) return null
  return (
    <BulkDialog
      account={account}
      rows={selection.rows}
      onClose={onClose}
      onSent={() => {
        selection.clear()
        onClose()
      }}
    />
  )
}
