import { t } from '../../../../contract/localization/localized.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { Import } from '../../../../contract/keys/import-records.ts'
import type { ImportUndo } from '../../../../contract/keys/import-reports.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from './report.module.css'
import { UndoImportDialog } from './undo-import-dialog.tsx'
import type { UndoOffer } from './undo-import-dialog.tsx'
import { UndoResults } from './undo-results.tsx'

/** Undoes an import on all its offers: preview, progress, and a result per offer. */
export function UndoImport({ work, undos }: { work: Import; undos: readonly ImportUndo[] }) {
  const account = useAccount()
  const [isAsking, setAsking] = useState(false)
  const { importId } = work
  const plans = useQuery(api.imports.undoPlan.queryOptions({ input: { importId } }))
  const batches = useQuery(api.batches.list.queryOptions({ input: { accountId: account.id } }))
  const retry = useMutation(
    api.imports.undoImport.mutationOptions({
      onError: (error) => toastProblem(problemOf(error), `Import ${work.number}`),
    }),
  )
  const whenOpen = (run: () => void): void => {
    void openVault().then(
      (opened) => {
        if (opened) run()
      },
      (error: unknown) => toastProblem(problemOf(error), null),
    )
  }
  const open = (plans.data ?? [])
    .filter(
      (plan) =>
        plan.added > plan.gone &&
        undos.every((each) => each.offerId !== plan.offerId || each.state === 'done'),
    )
    .map((plan): UndoOffer => {
      const batch = batches.data?.batches.find(
        (each) => each.importId === importId && each.offerId === plan.offerId,
      )
      const sold = batch?.sold ?? 0
      const inStock = batch?.forSale ?? Math.max(0, plan.added - plan.gone - sold)
      const mine = Math.min(plan.stock, inStock)
      return { plan, sold, mine, others: Math.max(0, plan.stock - mine) }
    })
  if (open.length === 0 && undos.length === 0) return null
  const obstacle = open.every(({ plan }) => plan.problem !== null)
    ? (open[0]?.plan.problem ?? null)
    : null
  const keys = open.reduce((sum, { mine }) => sum + mine, 0)
  const sold = open.reduce((sum, each) => sum + each.sold, 0)
  return (
    <section className={styles.undo} aria-label="Undo this import">
      <h2>Undo this import</h2>
      {undos.length === 0 ? null : (
        <UndoResults
          importId={importId}
          undos={undos}
          isRetrying={retry.isPending}
          onRetry={(offerIds) => whenOpen(() => retry.mutate({ importId, offerIds }))}
        />
      )}
      {open.length === 0 ? null : (
        <div className={styles.undoRow}>
          <span>
            {t('counts.keys', { count: keys })} of this import can be withdrawn from{' '}
            {t('counts.offers', { count: open.length })}
            {sold === 0 ? '.' : `; ${t('screens.imports-sold-stay', { count: sold })}`}
          </span>
          <Button
            icon={<IconArrowBackUp size={16} stroke={1.6} />}
            disabled={obstacle !== null}
            title={obstacle?.what}
            onClick={() => whenOpen(() => setAsking(true))}
          >
            Undo this import…
          </Button>
        </div>
      )}
      {isAsking ? (
        <UndoImportDialog work={work} offers={open} onClose={() => setAsking(false)} />
      ) : null}
    </section>
  )
}
