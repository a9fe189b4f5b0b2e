import { useMutation, useQuery } from '@tanstack/react-query'
import { Checkbox, Switch } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Cents } from '../../../../../server/api/money.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { productLine, variantLabel } from '../../../lib/labels/product-labels.ts'
import { customerPays, sellerReceives } from '../../../lib/commission.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { Dialog } from '../../../ui/layout/dialog.tsx'
import { SubmitActions } from '../../../ui/layout/submit-actions.tsx'
import { formatCents, formatEur } from '../../../ui/format.ts'
import { movesBetween } from '../../../ui/feedback/moves.ts'
import { MovesNotice } from '../../../ui/feedback/moves-notice.tsx'
import { useFrozen } from '../../../ui/hooks/use-frozen.ts'
import { percentChange } from '../../../ui/percent-change.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { PriceField } from '../../../ui/controls/fields/price-field.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import styles from '../offers.module.css'
import { LeadPreview } from './lead-preview.tsx'
import { guardPrice } from './price-guard.ts'
import type { GuardedPrice } from './price-guard.ts'
import { queuedToast } from './change-toasts.ts'

export interface OfferableProduct {
  productId: string
  name: string
  platform: string
  region: string
  deliveryType: string
  /** Lowest customer price now; null if no offer has stock. */
  priceCents: Cents | null
  commission: { class: string; percent: number } | null
}

export interface NewOfferDialogProps {
  product: OfferableProduct
  opened: boolean
  onClose: () => void
  /** The price at which the offer would lead, in what the seller receives; null if unknown. */
  proposedCents: Cents | null
}

/** Compares the price of a new offer with the shop's price: it has none of its own to move away from. */
const guardNewPrice = (
  { priceCents: shop, commission }: OfferableProduct,
  cents: Cents,
  guardPercent: number,
): GuardedPrice | null =>
  shop === null || commission === null
    ? null
    : guardPrice(
        {
          priceCents: sellerReceives(shop, commission.percent),
          floorCents: null,
          ceilingCents: null,
        },
        cents,
        guardPercent,
      )

/** Creates an offer: shows what you receive, what the customer pays, and whether it would lead. */
export function NewOfferDialog({ opened, ...rest }: NewOfferDialogProps) {
  return opened ? <OpenDialog {...rest} /> : null
}

/** What a new offer is compared with. */
const marketOf = ({ priceCents, commission }: OfferableProduct): string[] => [
  `Lowest customer price ${priceCents === null ? 'unknown' : formatCents(priceCents)}`,
  `Commission ${commission === null ? 'unknown' : `${commission.percent} %`}`,
]
const marketKey = (product: OfferableProduct): string => marketOf(product).join()

/** Creates the offer, or queues it while the service can't be reached. */
function useCreateOffer(product: OfferableProduct, onClose: () => void) {
  const [, go] = useLocation()
  return useMutation(
    api.offers.create.mutationOptions({
      onSuccess: ({ created, offer }) => {
        if (offer === null) {
          toast({
            ...queuedToast,
            title: `${productLine(product)}: new offer queued`,
            group: {
              key: 'queued-offers',
              many: (count) => t('screens.offers-new-queued', { count }),
            },
          })
          return onClose()
        }
        toast({
          title: created
            ? `Offer created: ${productLine(offer)}`
            : `You already offered ${productLine(offer)}; its price was updated`,
          text:
            offer.stock === 0
              ? 'It can’t sell until you add keys.'
              : `${t('counts.keys', { count: offer.stock })} in stock.`,
          ...(created && {
            group: { key: 'created', many: (count) => t('screens.offers-created', { count }) },
          }),
          action: { label: 'View offer', run: () => go(`/offers/${offer.offerId}`) },
        })
        onClose()
      },
    }),
  )
}

/** The price for the seller and for the customer, and whether it would lead. */
function NewPrice({
  product: { priceCents, commission },
  cents,
  onChange,
}: {
  product: OfferableProduct
  cents: Cents | null
  onChange: (cents: Cents | null) => void
}) {
  const percent = commission?.percent ?? null
  return (
    <>
      <PriceField
        cents={cents}
        onChange={onChange}
        commissionPercent={percent}
        customerOf={customerPays}
        receiveOf={sellerReceives}
        wrong={cents === 0 ? 'Enter a price above 0' : null}
      />
      {cents === null || percent === null ? null : (
        <LeadPreview customerCents={customerPays(cents, percent)} lowestCents={priceCents} />
      )}
    </>
  )
}

/** A price that the guard stops, and the confirmation that sends it anyway. */
function UnusualPrice({
  guarded,
  confirmed,
  onConfirm,
  onUse,
}: {
  guarded: GuardedPrice
  confirmed: boolean
  onConfirm: (confirmed: boolean) => void
  onUse: (cents: Cents | null) => void
}) {
  return (
    <>
      <Notice
        tone="warn"
        title={`Unusual price: ${percentChange(guarded.fromCents, guarded.toCents)} from the shop’s price.`}
        action={
          guarded.suggestedCents === null ? undefined : (
            <Button onClick={() => onUse(guarded.suggestedCents)}>
              Use {formatCents(guarded.suggestedCents)}
            </Button>
          )
        }
      >
        For the shop’s price you would receive {formatEur(guarded.fromCents)}.
      </Notice>
      <Checkbox
        size="sm"
        checked={confirmed}
        onChange={(event) => onConfirm(event.currentTarget.checked)}
        label="Offer at this price anyway"
      />
    </>
  )
}

function OpenDialog({
  product: live,
  onClose,
  proposedCents,
}: Omit<NewOfferDialogProps, 'opened'>) {
  const { shown, moved, accept } = useFrozen(live, live.productId, marketKey)
  const product = shown ?? live
  const account = useAccount()
  const [cents, setCents] = useState<Cents | null>(proposedCents)
  const [paused, setPaused] = useState(false)
  const create = useCreateOffer(product, onClose)
  const guardPercent = useQuery(api.app.settings.queryOptions()).data?.priceGuard ?? 0
  const guarded = cents === null ? null : guardNewPrice(product, cents, guardPercent)
  const [confirmed, setConfirmed] = useState<Cents | null>(null)
  const ready =
    cents !== null &&
    cents >= 1 &&
    !create.isPending &&
    moved === null &&
    (guarded === null || confirmed === cents)
  const submit = (): void => {
    if (ready)
      create.mutate({
        accountId: account.id,
        productId: product.productId,
        priceCents: cents,
        status: paused ? 'paused' : 'active',
      })
  }
  useShortcut('Ctrl+Enter', submit, { where: 'dialog' })
  const problem = create.isError ? problemOf(create.error) : null
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`Offer ${product.name}?`}
      account={account}
      lead={`${variantLabel(product)}. Customers see it once it has keys.`}
      actions={
        <SubmitActions ready={ready} busy={create.isPending} onCancel={onClose} onSubmit={submit}>
          {cents === null ? 'Create offer' : `Offer at ${formatEur(cents)}`}
        </SubmitActions>
      }
    >
      <div className={styles.newOffer}>
        <NewPrice product={product} cents={cents} onChange={setCents} />
        {guarded === null ? null : (
          <UnusualPrice
            guarded={guarded}
            confirmed={confirmed === cents}
            onConfirm={(confirms) => setConfirmed(confirms ? cents : null)}
            onUse={setCents}
          />
        )}
        <Switch
          size="sm"
          checked={paused}
          onChange={(event) => setPaused(event.currentTarget.checked)}
          label="Create as paused"
        />
        {moved === null ? null : (
          <MovesNotice moves={movesBetween(marketOf(product), marketOf(moved))} onAccept={accept} />
        )}
        {problem === null ? null : <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  )
}
