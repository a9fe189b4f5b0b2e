import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Account } from '../../../contract/app/accounts.ts'
import { CurrentAccount } from '../../lib/account/current-account.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { useRequestedPage } from '../../lib/requested-page.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { toast, toastProblem } from '../../ui/feedback/toasts.tsx'
import { UndoDialog } from '../key-import/report/undo-dialog.tsx'

/**
 * Withdraws a batch from its offer after a confirmation. `ask` is null while the batch can't be
 * withdrawn, for the `reason`, if it is known. Render the `dialog`.
 */
export function useWithdrawBatch(
  account: Account,
  batch: { batchId: string; importId: string; offerId: string } | null,
): { ask: (() => void) | null; reason: string | undefined; dialog: ReactNode } {
  const accountId = account.id
  const [isAsking, setAsking] = useState(false)
  const { batchId = '', importId = '', offerId = '' } = batch ?? {}
  const enabled = batch !== null
  const counts = useQuery({
    ...api.batches.batch.queryOptions({ input: { accountId, batchId } }),
    enabled,
  }).data
  const plan = useQuery({
    ...api.imports.undoPlan.queryOptions({ input: { importId } }),
    enabled,
  }).data?.find((each) => each.offerId === offerId)
  const ask = (): void =>
    void openVault().then(
      (opened) => {
        setAsking(opened)
      },
      (error: unknown) => void toastProblem(problemOf(error), null),
    )
  return {
    ask: plan === undefined || plan.problem !== null || counts === undefined ? null : ask,
    reason: plan?.problem?.what,
    dialog:
      !isAsking || plan === undefined || counts === undefined ? null : (
        <CurrentAccount value={account}>
          <UndoDialog
            importId={importId}
            plan={plan}
            sold={counts.sold}
            forSale={counts.forSale}
            onClose={() => setAsking(false)}
            onBegun={() =>
              toast({
                kind: 'busy',
                title: 'Withdrawing the batch',
                text: 'Keydesk continues in the background. See the import for its progress.',
                action: {
                  label: 'View import',
                  run: () =>
                    useRequestedPage.setState({
                      place: { accountId, path: `/import/${importId}` },
                    }),
                },
              })
            }
          />
        </CurrentAccount>
      ),
  }
}
