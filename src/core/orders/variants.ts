import type { Variant } from '../../contract/product-variant.ts'
import type { OrderableProducts } from './place/orderable-products.ts'

export type { Variant }

/** The catalogue doesn't know the product. */
const unknown: Variant = { platform: '', region: '', deliveryType: '' }

/**
 * Adds platform, region and delivery type to records of products, from the local catalogue; a record
 * keeps the delivery type that it has. The returned function reads each product once, for any number
 * of calls.
 */
export function variantReader(products: OrderableProducts, accountId: string) {
  const known = new Map<string, Variant>()
  return <Record extends { productId: string | null; deliveryType?: string }>(
    records: readonly Record[],
  ): (Record & Variant)[] => {
    const ids = new Set(records.flatMap(({ productId }) => productId ?? []))
    const missing = [...ids].filter((id) => !known.has(id))
    for (const [at, product] of products(accountId, missing).entries())
      known.set(missing[at] ?? '', {
        platform: product?.platform ?? '',
        region: product?.region ?? '',
        deliveryType: product?.deliveryType ?? '',
      })
    return records.map((record) => {
      const variant = known.get(record.productId ?? '') ?? unknown
      return { ...record, ...variant, deliveryType: record.deliveryType ?? variant.deliveryType }
    })
  }
}

/** The same for one list of records. */
export const withVariants = <Record extends { productId: string | null; deliveryType?: string }>(
  products: OrderableProducts,
  accountId: string,
  records: readonly Record[],
): (Record & Variant)[] => variantReader(products, accountId)(records)
