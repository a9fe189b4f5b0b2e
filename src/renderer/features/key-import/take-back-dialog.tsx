import { useMutation } from '@tanstack/react-query'
import { IconKey, IconPlayerPause, IconShoppingCart, IconUpload } from '@tabler/icons-react'
import type { UndoPlan } from '../../../contract/imports.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { api } from '../../lib/rpc.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { countOf } from './words.ts'

/**
 * Explains what taking an import back from one offer does, and begins it. `sold`: keys of it that
 * are sold, as far as the service tells. Open the vault first.
 */
export function TakeBackDialog({
  importId,
  plan,
  sold,
  onClose,
  onBegun,
}: {
  importId: string
  plan: UndoPlan
  sold: number
  onClose: () => void
  onBegun?: () => void
}) {
  const account = useAccount()
  const undo = useMutation(api.imports.undo.mutationOptions())
  /** Keys of this import that are on the offer still. */
  const mine = Math.min(plan.stock, Math.max(0, plan.added - plan.gone - sold))
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      account={account}
      title={`Take this import back from ${plan.offerName}?`}
      confirmLabel={`Take back ${countOf(mine, 'key')}`}
      destructive
      lead="The service can’t pick single keys: the whole offer is withdrawn, and what belongs to others is uploaded again. A kill or a lost connection in the middle is gone on from."
      typed={{ text: plan.offerName, verb: 'take its keys back' }}
      effects={[
        {
          icon: <IconPlayerPause size={16} stroke={1.6} />,
          what: 'The offer is paused',
          more: 'nothing of it sells meanwhile; it ends as it was.',
        },
        {
          icon: <IconKey size={16} stroke={1.6} />,
          what: `All ${countOf(plan.stock, 'key')} come into the vault`,
          more: 'of this console, before anything else happens.',
        },
        {
          icon: <IconUpload size={16} stroke={1.6} />,
          what: `${countOf(plan.stock - mine, 'other key')} are put back`,
          more: 'in their order; those of this import stay in the vault.',
        },
        ...(sold === 0
          ? []
          : [
              {
                icon: <IconShoppingCart size={16} stroke={1.6} />,
                what: `${countOf(sold, 'key')} are sold`,
                more: 'and stay sold.',
                tone: 'warn' as const,
              },
            ]),
        ...(plan.safe
          ? []
          : [
              {
                icon: <IconKey size={16} stroke={1.6} />,
                what: 'This service repeats no lost answer',
                more: 'if the line breaks while keys are taken back, those of one request may be lost.',
                tone: 'bad' as const,
              },
            ]),
      ]}
      onConfirm={async () => {
        await undo.mutateAsync({ importId, offerId: plan.offerId, typed: plan.offerName })
        onBegun?.()
      }}
      failure={
        undo.isError ? (
          <Notice tone="bad" title={problemOf(undo.error).what}>
            {problemOf(undo.error).next}
          </Notice>
        ) : null
      }
    />
  )
}
