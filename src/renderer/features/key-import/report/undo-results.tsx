import { useMutation } from '@tanstack/react-query'
import { t } from '../../../../contract/localization/localized.ts'
import type { ImportUndo } from '../../../../contract/keys/import-reports.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-ring.tsx'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import { formatCount } from '../../../ui/format.ts'
import { NameCell } from '../../../ui/table/cells/name-cell.tsx'
import shared from '../key-import.module.css'
import styles from './report.module.css'

const stepWords: Record<ImportUndo['state'], string> = {
  queued: 'Waiting',
  pausing: 'Pausing the offer…',
  withdrawing: 'Withdrawing all keys of the offer into the vault…',
  planning: 'Finding this import’s keys…',
  returning: 'Uploading the other keys again…',
  restoring: 'Restoring the offer…',
  stopped: 'Stopped',
  done: 'Undone',
}
/** Offers listed; the exported file has all of them. */
const SHOWN = 500

/** The undo of an import: how far it is, the result per offer, a file, and a retry. */
export function UndoResults({
  importId,
  undos,
  isRetrying,
  onRetry,
}: {
  importId: string
  undos: readonly ImportUndo[]
  isRetrying: boolean
  onRetry: (offerIds: string[]) => void
}) {
  const save = useMutation(
    api.imports.exportUndo.mutationOptions({
      onSuccess: ({ fileName, base64 }) => saveFile(fileName, base64),
      onError: (error) => toastProblem(problemOf(error), null),
    }),
  )
  const done = undos.filter(({ state }) => state === 'done')
  const stopped = undos.filter(({ state }) => state === 'stopped')
  const withdrawn = undos.reduce((sum, { takenBack }) => sum + takenBack, 0)
  const returned = undos.reduce((sum, undo) => sum + undo.returned, 0)
  const inDoubt = done.reduce((sum, undo) => sum + undo.inDoubt, 0)
  const kept = done.reduce((sum, undo) => sum + undo.toReturn - undo.returned, 0) - inDoubt
  const isRunning = done.length + stopped.length < undos.length
  return (
    <>
      <div className={styles.undoRow} role="status">
        <span>
          <b>
            Undone on {formatCount(done.length)} of {t('counts.offers', { count: undos.length })}
          </b>
          {stopped.length === 0 ? '' : `, ${formatCount(stopped.length)} stopped`}:{' '}
          {t('screens.imports-undone-keys', { withdrawn, returned })}
          {kept > 0 ? ` ${t('screens.imports-undone-kept', { count: kept })}` : ''}
          {inDoubt > 0 ? ` ${t('screens.imports-undone-in-doubt', { count: inDoubt })}` : ''}
        </span>
        <span className={styles.undoActions}>
          {isRunning ? (
            <ProgressBar
              width={120}
              share={(done.length + stopped.length) / undos.length}
              tone="accent"
              label="Undoing this import"
            />
          ) : null}
          <Button busy={save.isPending} onClick={() => save.mutate({ importId })}>
            Export result
          </Button>
          {stopped.length === 0 ? null : (
            <Button
              busy={isRetrying}
              onClick={() => onRetry(stopped.map(({ offerId }) => offerId))}
            >
              {t('screens.imports-retry', { count: stopped.length })}
            </Button>
          )}
        </span>
      </div>
      <UndoTable undos={undos} />
    </>
  )
}

function UndoTable({ undos }: { undos: readonly ImportUndo[] }) {
  return (
    <>
      {/* The table scrolls and contains nothing focusable, so the keyboard needs a tab stop. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.undone} tabIndex={0} role="region" aria-label="Undo by offer">
        <table className={shared.table} aria-label="Undo by offer">
          <thead>
            <tr>
              <th scope="col">Offer</th>
              <th scope="col">Result</th>
              <th scope="col" className={shared.end}>
                In the vault
              </th>
              <th scope="col" className={shared.end}>
                Others again
              </th>
            </tr>
          </thead>
          <tbody>
            {undos.slice(0, SHOWN).map((undo) => (
              <UndoneOffer key={undo.offerId} undo={undo} />
            ))}
            {undos.length > SHOWN ? (
              <tr>
                <td colSpan={4} className={shared.grey}>
                  and {t('counts.offers', { count: undos.length - SHOWN })} more, in the exported
                  file
                </td>
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
    </>
  )
}

function UndoneOffer({ undo }: { undo: ImportUndo }) {
  return (
    <tr>
      <td>
        <NameCell name={undo.offerName} detail={variantLabel(undo)} />
      </td>
      <td>
        {undo.state === 'stopped' && undo.problem !== null ? (
          <>
            {undo.problem.what}
            <small className={shared.why}>{undo.problem.next}</small>
          </>
        ) : (
          stepWords[undo.state]
        )}
      </td>
      <td className={shared.end}>{formatCount(undo.takenBack)}</td>
      <td className={shared.end}>
        {undo.returned < undo.toReturn
          ? `${formatCount(undo.returned)} of ${formatCount(undo.toReturn)}`
          : formatCount(undo.returned)}
      </td>
    </tr>
  )
}
