import { useMutation } from '@tanstack/react-query'
import { IconKey, IconPlayerPause, IconShoppingCart, IconUpload } from '@tabler/icons-react'
import { t } from '../../../../contract/localization/localized.ts'
import type { Import } from '../../../../contract/keys/import-records.ts'
import type { UndoPlan } from '../../../../contract/keys/import-reports.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import type { Effect } from '../../../ui/feedback/confirm-dialog.tsx'
import { movesOfRecords } from '../../../ui/feedback/moves.ts'
import type { Said } from '../../../ui/feedback/moves.ts'
import { MovesNotice } from '../../../ui/feedback/moves-notice.tsx'
import { formatCount } from '../../../ui/format.ts'
import { useFrozen } from '../../../ui/hooks/use-frozen.ts'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import shared from '../key-import.module.css'
import styles from './report.module.css'

/** An offer of an import to undo: its keys to withdraw, keys sold that stay, and other keys. */
export type UndoOffer = { plan: UndoPlan; mine: number; sold: number; others: number }

const icon = { size: 16, stroke: 1.6 }

/** The effect of the undo on each offer. */
const saidOf = (offers: readonly UndoOffer[]): Said[] =>
  offers.map(({ plan, mine, sold, others }) => ({
    subject: plan.offerId,
    text: [
      `${plan.offerName} (${variantLabel(plan)})`,
      plan.problem === null ? `withdraw ${formatCount(mine)}` : plan.problem.what,
      plan.problem === null && others > 0 ? `upload ${formatCount(others)} again` : '',
      sold === 0 ? '' : `${formatCount(sold)} sold`,
    ]
      .filter(Boolean)
      .join(', '),
  }))
const keyOf = (offers: readonly UndoOffer[]): string => JSON.stringify(saidOf(offers))

/**
 * Explains what undoing an import does to each of its offers, and starts it. The offers stay as they
 * were shown; a change of them is shown and asks again. Open the vault first.
 */
export function UndoImportDialog({
  work: { importId, number },
  offers,
  onClose,
}: {
  work: Import
  offers: readonly UndoOffer[]
  onClose: () => void
}) {
  const account = useAccount()
  const { shown, moved, accept } = useFrozen(offers, importId, keyOf)
  const planned = shown ?? offers
  const undo = useMutation(api.imports.undoImport.mutationOptions())
  const possible = planned.filter(({ plan }) => plan.problem === null)
  const sum = (of: (offer: UndoOffer) => number): number =>
    possible.reduce((total, offer) => total + of(offer), 0)
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      account={account}
      title={`Undo import ${number} on ${t('counts.offers', { count: possible.length })}?`}
      confirmLabel={`Withdraw ${t('counts.keys', { count: sum(({ mine }) => mine) })}`}
      destructive
      width={640}
      incomplete={possible.length === 0 || moved !== null}
      lead={
        <>
          The service can’t withdraw single keys, so Keydesk withdraws each offer completely and
          uploads the keys of other imports again, one offer after another. If Keydesk or the
          connection fails midway, it resumes.
        </>
      }
      typed={{ text: `import ${number}`, verb: 'undo it' }}
      effects={effectsOf(possible, sum)}
      onConfirm={async () => {
        await undo.mutateAsync({
          importId,
          offerIds: possible.map(({ plan }) => plan.offerId),
          typed: `import ${number}`,
        })
      }}
      failure={undo.isError ? <ProblemNotice problem={problemOf(undo.error)} /> : null}
    >
      <OfferTable offers={planned} />
      {moved === null ? null : (
        <MovesNotice moves={movesOfRecords(saidOf(planned), saidOf(moved))} onAccept={accept} />
      )}
    </ConfirmDialog>
  )
}

function effectsOf(
  possible: readonly UndoOffer[],
  sum: (of: (offer: UndoOffer) => number) => number,
): Effect[] {
  const others = sum((each) => each.others)
  const sold = sum((each) => each.sold)
  return [
    {
      icon: <IconPlayerPause {...icon} />,
      what: 'Each offer is paused during the undo',
      more: 'so that nothing sells. Its status is restored at the end.',
    },
    {
      icon: <IconKey {...icon} />,
      what: t('screens.imports-keys-move', { count: sum(({ plan }) => plan.stock) }),
      more: 'on this computer, before anything else happens.',
    },
    ...(others === 0
      ? []
      : [
          {
            icon: <IconUpload {...icon} />,
            what: t('screens.imports-uploaded-again', { count: others }),
            more: 'in their order. This import’s keys stay in the vault.',
          },
        ]),
    ...(sold === 0
      ? []
      : [
          {
            icon: <IconShoppingCart {...icon} />,
            what: `${t('counts.keys', { count: sold })} already sold`,
            more: 'can’t be withdrawn.',
            tone: 'warn' as const,
          },
        ]),
    ...(possible.every(({ plan }) => plan.safe)
      ? []
      : [
          {
            icon: <IconKey {...icon} />,
            what: 'This service doesn’t repeat lost responses',
            more: 'If the connection breaks during a withdrawal, the keys of one request can be lost.',
            tone: 'bad' as const,
          },
        ]),
  ]
}

function OfferTable({ offers }: { offers: readonly UndoOffer[] }) {
  return (
    // The table scrolls and contains nothing focusable, so the keyboard needs a tab stop.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.undoOffers} tabIndex={0} role="region" aria-label="Offers to undo">
      <table className={shared.table} aria-label="Offers to undo">
        <thead>
          <tr>
            <th scope="col">Offer</th>
            <th scope="col" className={shared.end}>
              Withdraw
            </th>
            <th scope="col" className={shared.end}>
              Sold, stay
            </th>
            <th scope="col" className={shared.end}>
              Others again
            </th>
          </tr>
        </thead>
        <tbody>
          {offers.map(({ plan, mine, sold, others }) => (
            <tr key={plan.offerId}>
              <td>
                {plan.offerName}
                <small className={styles.place}>{variantLabel(plan)}</small>
                {plan.problem === null ? null : (
                  <small className={shared.why}>Left out: {plan.problem.what}</small>
                )}
              </td>
              <td className={shared.end}>{plan.problem === null ? formatCount(mine) : '–'}</td>
              <td className={shared.end}>{formatCount(sold)}</td>
              <td className={shared.end}>{plan.problem === null ? formatCount(others) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
