import { t } from '../../../../contract/localization/localized.ts'
import { useMutation } from '@tanstack/react-query'
import { IconKey, IconPlayerPause, IconShoppingCart, IconUpload } from '@tabler/icons-react'
import type { UndoPlan } from '../../../../contract/keys/import-reports.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import type { Effect } from '../../../ui/feedback/confirm-dialog.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'

/**
 * Explains what undoing an import does to one offer, and starts it. `sold`: keys of this import
 * that the service reports as sold. `forSale`: its keys in stock; null if its batch isn't known.
 * Open the vault first.
 */
export function UndoDialog({
  importId,
  plan,
  sold,
  forSale,
  onClose,
  onBegun: onStarted,
}: {
  importId: string
  plan: UndoPlan
  sold: number
  forSale: number | null
  onClose: () => void
  onBegun?: () => void
}) {
  const account = useAccount()
  const undo = useMutation(api.imports.undo.mutationOptions())
  /** Keys of this import that are still on the offer. */
  const mine = Math.min(plan.stock, forSale ?? Math.max(0, plan.added - plan.gone - sold))
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      account={account}
      title={`Undo this import for ${plan.offerName}?`}
      confirmLabel={`Withdraw ${t('counts.keys', { count: mine })}`}
      destructive
      lead={
        <>
          {variantLabel(plan)}. The service can’t withdraw single keys, so Keydesk withdraws the
          complete offer and uploads the keys of other imports again. If Keydesk or the connection
          fails midway, it resumes.
        </>
      }
      typed={{ text: plan.offerName, verb: 'undo this import' }}
      effects={undoEffects(plan, mine, sold)}
      onConfirm={async () => {
        await undo.mutateAsync({ importId, offerId: plan.offerId, typed: plan.offerName })
        onStarted?.()
      }}
      failure={undo.isError ? <ProblemNotice problem={problemOf(undo.error)} /> : null}
    />
  )
}

/** Everything that undoing does, with the keys that it can't withdraw. */
export const undoEffects = (
  { stock, safe }: Pick<UndoPlan, 'stock' | 'safe'>,
  mine: number,
  sold: number,
): Effect[] => [
  {
    icon: <IconPlayerPause size={16} stroke={1.6} />,
    what: 'The offer is paused',
    more: 'so that nothing sells in the meantime. Its status is restored at the end.',
  },
  {
    icon: <IconKey size={16} stroke={1.6} />,
    what: t('screens.imports-keys-move', { count: stock }),
    more: 'on this computer, before anything else happens.',
  },
  ...(stock === mine
    ? []
    : [
        {
          icon: <IconUpload size={16} stroke={1.6} />,
          what: t('screens.imports-uploaded-again', { count: stock - mine }),
          more: 'in their order. This import’s keys stay in the vault.',
        },
      ]),
  ...(sold === 0
    ? []
    : [
        {
          icon: <IconShoppingCart size={16} stroke={1.6} />,
          what: `${t('counts.keys', { count: sold })} already sold`,
          more: 'can’t be withdrawn.',
          tone: 'warn' as const,
        },
      ]),
  ...(safe
    ? []
    : [
        {
          icon: <IconKey size={16} stroke={1.6} />,
          what: 'This service doesn’t repeat lost responses',
          more: 'If the connection breaks during the withdrawal, the keys of one request can be lost.',
          tone: 'bad' as const,
        },
      ]),
]
