import { t } from '../../../../contract/localization/localized.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { Import, ImportUndo, UndoPlan } from '../../../../contract/keys/import-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { openVault } from '../../../lib/vault-gate.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ProblemCodes } from '../../../ui/feedback/error-state.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-ring.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from '../key-import.module.css'
import { UndoDialog } from './undo-dialog.tsx'

const stepWords: Record<ImportUndo['state'], string> = {
  pausing: 'Pausing the offer…',
  withdrawing: 'Withdrawing all keys of the offer into the vault…',
  planning: 'Finding this import’s keys…',
  returning: 'Uploading the other keys again…',
  restoring: 'Restoring the offer…',
  stopped: 'Stopped',
  done: 'Undone',
}
const shares: Record<ImportUndo['state'], number> = {
  pausing: 0.05,
  withdrawing: 0.25,
  planning: 0.5,
  returning: 0.6,
  restoring: 0.95,
  stopped: 0.5,
  done: 1,
}

/** Undoes an import per offer: preview, progress and result. */
export function UndoImport({ work, undos }: { work: Import; undos: readonly ImportUndo[] }) {
  const account = useAccount()
  const [asked, setAsked] = useState<UndoPlan | null>(null)
  const { importId } = work
  const plans = useQuery(api.imports.undoPlan.queryOptions({ input: { importId } }))
  const batches = useQuery(api.batches.list.queryOptions({ input: { accountId: account.id } }))
  const undo = useMutation(api.imports.undo.mutationOptions())
  const ask = (plan: UndoPlan): void => {
    void openVault().then(
      (opened) => {
        if (opened) setAsked(plan)
      },
      (error: unknown) => toastProblem(problemOf(error)),
    )
  }
  const soldOf = (offerId: string): number =>
    batches.data?.batches.find((batch) => batch.importId === importId && batch.offerId === offerId)
      ?.sold ?? 0
  const open = (plans.data ?? []).filter(
    (plan) =>
      plan.added > plan.gone &&
      undos.every((each) => each.offerId !== plan.offerId || each.state === 'done'),
  )
  if (open.length === 0 && undos.length === 0) return null
  return (
    <section className={styles.undo} aria-label="Undo this import">
      <h2>Undo this import</h2>
      {undos.map((each) => (
        <UndoRow
          key={each.offerId}
          undo={each}
          onGoOn={() =>
            undo.mutate(
              { importId, offerId: each.offerId },
              { onError: (error) => toastProblem(problemOf(error)) },
            )
          }
        />
      ))}
      {open.map((plan) => (
        <div key={plan.offerId} className={styles.undoRow}>
          <span>
            <b>{plan.offerName}</b> {t('counts.keys', { count: plan.added - plan.gone })} of this
            import
            {soldOf(plan.offerId) === 0 ? '' : `, ${formatCount(soldOf(plan.offerId))} sold`}
          </span>
          <Button
            icon={<IconArrowBackUp size={16} stroke={1.6} />}
            disabled={plan.problem !== null}
            title={plan.problem?.what}
            onClick={() => ask(plan)}
          >
            Undo…
          </Button>
        </div>
      ))}
      {asked === null ? null : (
        <UndoDialog
          importId={importId}
          plan={asked}
          sold={soldOf(asked.offerId)}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  )
}

function UndoRow({ undo, onGoOn }: { undo: ImportUndo; onGoOn: () => void }) {
  if (undo.state === 'done') {
    return (
      <div className={styles.undoRow} role="status">
        <span>
          <b>{undo.offerName}</b> undone: {t('counts.keys', { count: undo.takenBack })} in the
          vault, {t('counts.keys', { count: undo.returned })} of other imports uploaded again.
        </span>
      </div>
    )
  }
  if (undo.state === 'stopped' && undo.problem !== null) {
    return (
      <div className={styles.padded}>
        <Notice
          tone="bad"
          title={undo.problem.what}
          action={<Button onClick={onGoOn}>Resume</Button>}
        >
          {undo.problem.effect === null ? '' : `${undo.problem.effect} `}
          {undo.problem.next}
          <ProblemCodes problem={undo.problem} />
        </Notice>
      </div>
    )
  }
  const returning = undo.state === 'returning' && undo.toReturn > 0
  return (
    <div className={styles.undoRow} role="status">
      <span>
        <b>{undo.offerName}</b> {stepWords[undo.state]}
        {returning ? ` ${formatCount(undo.returned)} of ${formatCount(undo.toReturn)}` : ''}
      </span>
      <ProgressBar
        width={120}
        share={returning ? 0.6 + 0.35 * (undo.returned / undo.toReturn) : shares[undo.state]}
        tone="accent"
        label={`Undoing the import for ${undo.offerName}`}
      />
    </div>
  )
}
