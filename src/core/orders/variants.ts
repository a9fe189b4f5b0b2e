import type { OrderableProducts } from './place/orderable-products.ts'

/** The difference between editions of a product; empty while the catalogue doesn't know the product. */
export type Variant = { platform: string; region: string }

/**
 * Adds platform and region to records of products, from the local catalogue. The returned function
 * reads each product once, for any number of calls.
 */
export function variantReader(products: OrderableProducts, accountId: string) {
  const known = new Map<string, Variant>()
  return <Record extends { productId: string | null }>(
    records: readonly Record[],
  ): (Record & Variant)[] => {
    const ids = new Set(records.flatMap(({ productId }) => productId ?? []))
    const missing = [...ids].filter((id) => !known.has(id))
    for (const [at, product] of products(accountId, missing).entries())
      known.set(missing[at] ?? '', {
        platform: product?.platform ?? '',
        region: product?.region ?? '',
      })
    return records.map((record) => ({
      ...record,
      ...(known.get(record.productId ?? '') ?? { platform: '', region: '' }),
    }))
  }
}

/** The same for one list of records. */
export const withVariants = <Record extends { productId: string | null }>(
  products: OrderableProducts,
  accountId: string,
  records: readonly Record[],
): (Record & Variant)[] => variantReader(products, accountId)(records)
