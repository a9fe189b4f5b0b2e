import { useQuery } from '@tanstack/react-query'
import { IconCheck } from '@tabler/icons-react'
import { t } from '../../../../contract/localization/localized.ts'
import type { MarketRow } from '../../../../contract/price-watch/price-watch-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { productLine } from '../../../lib/labels/product-labels.ts'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import type { Effect } from '../../../ui/feedback/confirm-dialog.tsx'
import { movesOfRecords } from '../../../ui/feedback/moves.ts'
import { MovesNotice } from '../../../ui/feedback/moves-notice.tsx'
import { useFrozen } from '../../../ui/hooks/use-frozen.ts'
import { everyProposal } from './every-row.ts'
import { changeText, proposalKey, proposalTexts } from './proposal-texts.ts'

/** The proposals of the offers that the dialog was opened for, as they are now. */
function useCurrentProposals(asked: readonly MarketRow[]): readonly MarketRow[] {
  const { id: accountId } = useAccount()
  const offerIds = asked.map(({ offerId }) => offerId)
  return useQuery({
    queryKey: [...api.priceWatch.market.key(), 'asked', accountId, offerIds],
    queryFn: async () => {
      const now = new Map((await everyProposal(accountId)).map((row) => [row.offerId, row]))
      return offerIds.flatMap((offerId) => now.get(offerId) ?? [])
    },
    initialData: asked,
    staleTime: 0,
    gcTime: 0,
  }).data
}

/**
 * Asks before several proposals are sent. The proposals stay as they were shown; a change of them is
 * shown and asks again.
 */
export function ApplyDialog({
  asked,
  onClose,
  onConfirm,
}: {
  asked: readonly MarketRow[]
  onClose: () => void
  onConfirm: (rows: readonly MarketRow[]) => Promise<void>
}) {
  const account = useAccount()
  const current = useCurrentProposals(asked)
  const { shown, moved, accept } = useFrozen(current, account.id, proposalKey)
  const rows = shown ?? current
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => onConfirm(rows)}
      account={account}
      title={`Apply ${t('counts.prices', { count: rows.length })}?`}
      confirmLabel={`Apply ${t('counts.prices', { count: rows.length })}`}
      typed={{ text: String(rows.length), verb: 'apply' }}
      incomplete={rows.length === 0 || moved !== null}
      effects={effectsOf(rows)}
      note="Ctrl+. stops the rest"
    >
      {moved === null ? null : (
        <MovesNotice
          moves={movesOfRecords(proposalTexts(rows), proposalTexts(moved))}
          onAccept={accept}
        />
      )}
    </ConfirmDialog>
  )
}

/** How many prices go down and how many up; a direction without any is left out. */
function directionOf(down: number, up: number): Effect {
  const goDown = t('screens.price-watch-go-down', { count: down })
  const goUp = t('screens.price-watch-go-up', { count: up })
  if (down === 0) return { icon: <span aria-hidden>↑</span>, what: goUp }
  const icon = <span aria-hidden>↓</span>
  return up === 0 ? { icon, what: goDown } : { icon, what: `${goDown},`, more: goUp }
}

function effectsOf(rows: readonly MarketRow[]): Effect[] {
  const down = rows.filter(
    ({ proposal, priceCents }) => proposal !== null && proposal.targetCents < priceCents,
  )
  const lowest = rows.toSorted(
    (a, b) =>
      (a.proposal?.targetCents ?? 0) / a.priceCents - (b.proposal?.targetCents ?? 0) / b.priceCents,
  )[0]
  return [
    directionOf(down.length, rows.length - down.length),
    ...(lowest?.proposal == null
      ? []
      : [
          {
            icon: <span aria-hidden>%</span>,
            what: 'Largest change:',
            more: `${productLine(lowest)}, ${changeText(lowest.priceCents, lowest.proposal.targetCents)}`,
          },
        ]),
    {
      icon: <IconCheck size={15} stroke={1.6} aria-hidden />,
      what: 'Every price is checked again',
      more: 'before it’s sent: floor, ceiling, size of the change, fresh data',
    },
  ]
}
