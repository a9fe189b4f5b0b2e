import { useState } from 'react'
import { create } from 'zustand'
import type { Cents } from '../../../../../server/api/money.ts'
import type { ListedOffer } from '../../../../contract/offers/offers.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { customerPays, sellerReceives } from '../../../lib/commission.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { formatCents, formatEur } from '../../../ui/format.ts'
import { movesBetween } from '../../../ui/feedback/moves.ts'
import { MovesNotice } from '../../../ui/feedback/moves-notice.tsx'
import { useFrozen } from '../../../ui/hooks/use-frozen.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { PriceField } from '../../../ui/controls/fields/price-field.tsx'
import styles from '../offers.module.css'
import { LeadPreview } from './lead-preview.tsx'
import { queuedPrice } from './queued-change.ts'
import { useCurrentOffer } from './use-current-offer.ts'
import { type OfferChanges, useOfferChange } from './use-offer-change.ts'

const usePriceDialog = create<{ offer: ListedOffer | null }>(() => ({ offer: null }))

/** Opens the price dialog for an offer from any page. */
export const openPriceDialog = (offer: ListedOffer): void => usePriceDialog.setState({ offer })
const close = (): void => usePriceDialog.setState({ offer: null })

/** Changes one offer's price from any page. The toast offers to undo it, as in the table. */
export function PriceDialog() {
  const offer = usePriceDialog((asked) => asked.offer)
  // The hook lives outside the dialog, because its toast appears after the dialog closes.
  const { setPrice } = useOfferChange()
  return offer === null ? null : (
    <OpenPriceDialog key={offer.offerId} offer={offer} setPrice={setPrice} />
  )
}

const amountOf = (cents: Cents | null): string => (cents === null ? 'none' : formatCents(cents))
/** What a new price is compared with. */
const comparedWith = (offer: ListedOffer): string[] => [
  `You receive ${amountOf(offer.priceCents)} now`,
  `Queued price ${amountOf(queuedPrice(offer))}`,
  `Lowest customer price ${amountOf(offer.lowestCustomerCents)}`,
  `Floor ${amountOf(offer.floorCents)}`,
  `Ceiling ${amountOf(offer.ceilingCents)}`,
]
const comparisonKey = (offer: ListedOffer): string => comparedWith(offer).join()

function OpenPriceDialog({
  offer: asked,
  setPrice,
}: { offer: ListedOffer } & Pick<OfferChanges, 'setPrice'>) {
  const account = useAccount()
  const current = useCurrentOffer(asked)
  const { shown, moved, accept } = useFrozen(current, asked.offerId, comparisonKey)
  const offer = shown ?? asked
  const queued = queuedPrice(offer)
  const [cents, setCents] = useState<Cents | null>(queued ?? offer.priceCents)
  const percent = offer.commission?.percent ?? null
  const ready = cents !== null && cents >= 1 && moved === null
  const submit = (): void => {
    if (!ready) return
    close()
    setPrice(offer, cents)
  }
  return (
    <Dialog
      opened
      onClose={close}
      title={`Change the price of ${offer.name}`}
      account={account}
      lead={`${variantLabel(offer)}. You receive ${formatEur(offer.priceCents)} now.${
        queued === null ? '' : ` ${formatEur(queued)} is queued.`
      }`}
      actions={
        <>
          <Button size="md" keys={['Esc']} onClick={close}>
            Cancel
          </Button>
          <Button size="md" kind="primary" keys={['Enter']} disabled={!ready} onClick={submit}>
            {cents === null ? 'Change the price' : `Change price to ${formatEur(cents)}`}
          </Button>
        </>
      }
    >
      <div className={styles.newOffer}>
        <PriceField
          cents={cents}
          onChange={setCents}
          onEnter={submit}
          commissionPercent={percent}
          customerOf={customerPays}
          receiveOf={sellerReceives}
          wrong={cents === 0 ? 'Enter a price above 0' : null}
        />
        {cents === null || percent === null || offer.isCheapest === true ? null : (
          <LeadPreview
            customerCents={customerPays(cents, percent)}
            lowestCents={offer.lowestCustomerCents}
          />
        )}
        {cents === null || offer.floorCents === null || cents >= offer.floorCents ? null : (
          <Notice tone="warn" title="Below the floor.">
            Rules never go below {formatCents(offer.floorCents)}. You can.
          </Notice>
        )}
        {cents === null || offer.ceilingCents === null || cents <= offer.ceilingCents ? null : (
          <Notice tone="warn" title="Above the ceiling.">
            Rules never go above {formatCents(offer.ceilingCents)}. You can.
          </Notice>
        )}
        {moved === null ? null : (
          <MovesNotice
            moves={movesBetween(comparedWith(offer), comparedWith(moved))}
            onAccept={accept}
          />
        )}
      </div>
    </Dialog>
  )
}
