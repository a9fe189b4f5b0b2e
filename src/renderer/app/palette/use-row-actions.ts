import {
  IconCurrencyEuro,
  IconFileImport,
  IconKey,
  IconPlayerPause,
  IconPlayerPlay,
  IconReceipt,
  IconShoppingBagPlus,
} from '@tabler/icons-react'
import { useLocation } from 'wouter'
import type { Account } from '../../../contract/app/accounts.ts'
import type { ListedOffer } from '../../../contract/offers/offers.ts'
import { openPriceDialog } from '../../features/offers/price/price-dialog.tsx'
import { statusOf, useOfferChange } from '../../features/offers/price/use-offer-change.ts'
import { addToOrder } from '../../features/orders/composer/add-to-order.ts'
import { type Variant, variantLabel } from '../../lib/labels/product-labels.ts'
import type { PaletteItem } from './items.ts'

/**
 * Actions on a palette row that don't need its page. Call this in a component that outlives the
 * palette, because messages appear after the palette has closed.
 */
export function useRowActions(account: Account) {
  const [, go] = useLocation()
  const { setStatus } = useOfferChange()
  const action = (
    id: string,
    icon: PaletteItem['icon'],
    name: string,
    run: () => void,
    product?: Variant,
  ): PaletteItem => ({
    id,
    group: 'Actions',
    icon,
    name,
    // Editions of a product have the same name.
    ...(product !== undefined && { detail: variantLabel(product) }),
    run,
  })

  return {
    ofProduct: (product: Variant & { productId: string; name: string }): PaletteItem[] =>
      account.role === 'seller'
        ? [
            action(
              `sales-of-${product.productId}`,
              IconReceipt,
              `Sales of ${product.name}`,
              () => go(`/sales?product=${encodeURIComponent(product.productId)}`),
              product,
            ),
          ]
        : [
            action(
              `order-${product.productId}`,
              IconShoppingBagPlus,
              `Order ${product.name}`,
              () => {
                if (addToOrder(account.id, product)) go('/orders/new')
              },
              product,
            ),
          ],
    ofOffer: (row: ListedOffer): PaletteItem[] => {
      const paused = statusOf(row) === 'paused'
      return [
        action(
          `import-${row.offerId}`,
          IconFileImport,
          `Import keys for ${row.name}`,
          () => go(`/import?offer=${encodeURIComponent(row.offerId)}`),
          row,
        ),
        action(
          `status-${row.offerId}`,
          paused ? IconPlayerPlay : IconPlayerPause,
          `${paused ? 'Activate' : 'Pause'} ${row.name}`,
          () => setStatus(row, paused ? 'active' : 'paused'),
          row,
        ),
        action(
          `price-${row.offerId}`,
          IconCurrencyEuro,
          `Change the price of ${row.name}…`,
          () => openPriceDialog(row),
          row,
        ),
        action(
          `sold-${row.offerId}`,
          IconReceipt,
          `Sales of your offer for ${row.name}`,
          () => go(`/sales?offer=${encodeURIComponent(row.offerId)}`),
          row,
        ),
      ]
    },
    ofOrder: ({ orderId, externalId }: { orderId: string; externalId: string }): PaletteItem[] => [
      action(`keys-${orderId}`, IconKey, `Keys of ${externalId}`, () =>
        go(`/orders/${encodeURIComponent(orderId)}`),
      ),
    ],
  }
}

export type RowActions = ReturnType<typeof useRowActions>
