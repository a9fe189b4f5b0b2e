import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { type Cents, cents, subtractCents } from '../../../../server/api/money.ts'
import type { ProductDetail } from '../../../contract/catalogue.ts'
import { customerPays, sellerReceives } from '../../lib/commission.ts'
import { useAccount } from '../../lib/account/current-account.ts'
import { productLine } from '../../lib/labels/product-labels.ts'
import { Button } from '../../ui/controls/buttons/button.tsx'
import { Fact, Facts } from '../../ui/data-display/facts.tsx'
import { formatCents } from '../../ui/format.ts'
import { Money } from '../../ui/data-display/amounts/money.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { PanelSection } from '../../ui/layout/page.tsx'
import { useShortcut } from '../../ui/hooks/shortcuts.ts'
import { toast } from '../../ui/feedback/toasts.tsx'
import { NewOfferDialog } from '../offers/price/new-offer-dialog.tsx'
import { addToOrder } from '../orders/composer/add-to-order.ts'
import { useBasket } from '../orders/composer/basket.ts'
import styles from './catalogue.module.css'

/**
 * The amount to receive that makes the customer price the lowest by a cent. Null if the shop price
 * or the commission is unknown.
 */
function leadingPrice(product: ProductDetail): Cents | null {
  if (product.priceCents === null || product.commission === null || product.priceCents <= 1)
    return null
  const price = sellerReceives(
    subtractCents(product.priceCents, cents(1)),
    product.commission.percent,
  )
  return customerPays(price, product.commission.percent) < product.priceCents ? price : null
}

/** For sellers: offer the product, with the price that would lead. */
export function SellActions({ product }: { product: ProductDetail }) {
  const [, go] = useLocation()
  const [asking, setAsking] = useState(false)
  const lead = leadingPrice(product)
  const mine = product.offerId !== null
  useShortcut('N', () => {
    if (mine) go(`/offers/${product.offerId}`)
    else setAsking(true)
  })
  return (
    <PanelSection
      title={mine ? 'You sell this' : 'You don’t sell this'}
      aside={product.commission === null ? undefined : `commission ${product.commission.percent} %`}
    >
      <Facts>
        <Fact label="Shop price, customer pays">
          {product.priceCents === null ? 'no stock' : <Money cents={product.priceCents} />}
        </Fact>
        <Fact label="Best seller price">
          {product.bestSellerCents === null ? 'none' : <Money cents={product.bestSellerCents} />}
        </Fact>
        {mine || lead === null ? null : (
          <Fact label="To lead, you receive" strong>
            <Money cents={lead} strong />
          </Fact>
        )}
      </Facts>
      <div className={styles.actions}>
        {mine ? (
          <Button kind="primary" wide keys={['N']} onClick={() => go(`/offers/${product.offerId}`)}>
            View your offer
          </Button>
        ) : (
          <Button
            kind="primary"
            wide
            keys={['N']}
            disabled={product.removed}
            icon={<IconPlus size={16} stroke={1.6} />}
            onClick={() => setAsking(true)}
          >
            {lead === null ? 'Create offer…' : `Offer at ${formatCents(lead)}…`}
          </Button>
        )}
      </div>
      {product.removed ? (
        <Notice tone="warn" title="No longer in the catalogue.">
          You can’t offer it anymore.
        </Notice>
      ) : null}
      <NewOfferDialog
        product={product}
        opened={asking}
        onClose={() => setAsking(false)}
        proposedCents={lead}
      />
    </PanelSection>
  )
}

/** For partners: add the product to the order. */
export function BuyActions({ product }: { product: ProductDetail }) {
  const account = useAccount()
  const [, go] = useLocation()
  const onOrder = useBasket((basket) =>
    (basket.lines[account.id] ?? [])
      .filter((line) => line.productId === product.productId)
      .reduce((sum, { qty }) => sum + qty, 0),
  )
  const sellable = !product.removed && product.inStock !== false
  const addOne = (): void => {
    if (!sellable || !addToOrder(account.id, product)) return
    toast({
      id: 'basket',
      title: `Added ${productLine(product)} to the order`,
      text: 'The order hasn’t been placed.',
      action: { label: 'View order', run: () => go('/orders/new') },
    })
  }
  useShortcut('N', addOne)
  return (
    <PanelSection title="You pay" aside={onOrder === 0 ? undefined : `${onOrder} in the order`}>
      <Facts>
        <Fact label={sellable ? 'Price now, each' : 'Last price, each'} strong>
          {product.priceCents === null ? (
            'unknown'
          ) : product.priceCents === 0 ? (
            'none yet'
          ) : (
            <Money cents={product.priceCents} unit strong />
          )}
        </Fact>
      </Facts>
      <div className={styles.actions}>
        <Button
          kind="primary"
          wide
          keys={['N']}
          disabled={!sellable}
          icon={<IconPlus size={16} stroke={1.6} />}
          onClick={addOne}
        >
          {sellable
            ? 'Add to order'
            : product.removed
              ? 'No longer in the catalogue'
              : 'Out of stock'}
        </Button>
        {onOrder === 0 ? null : <Button onClick={() => go('/orders/new')}>View order</Button>}
      </div>
    </PanelSection>
  )
}
