import { productLine, type Variant } from '../../../lib/labels/product-labels.ts'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { maxLines, maxUnits, useBasket } from './basket.ts'

/**
 * Adds a unit of a product to the order being composed.
 *
 * @returns Whether it was added. If not, a toast says why, and what to do.
 */
export function addToOrder(
  accountId: string,
  product: Variant & { productId: string; name: string },
): boolean {
  const added = useBasket.getState().add(accountId, product.productId)
  if (added === 'added') return true
  toast({
    // Pressing again doesn't pile up the same message.
    id: 'basket',
    kind: 'bad',
    title: `Not added: ${productLine(product)}`,
    text:
      added === 'full'
        ? `An order has at most ${maxLines} lines. Place it, or remove a line.`
        : `A line has at most ${maxUnits} units, and this product’s has them. Place the order, then order more.`,
  })
  return false
}
