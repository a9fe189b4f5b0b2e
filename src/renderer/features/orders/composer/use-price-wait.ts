import { useEffect, useState } from 'react'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { formatEur } from '../../../ui/format.ts'
import { toast } from '../../../ui/feedback/toasts.tsx'
import type { ComposedLine } from './compose-order.ts'

/** The products whose maximum stays until their price is back below it. */
export interface PriceWait {
  has: (productId: string) => boolean
  begin: (productId: string) => void
}

/**
 * Reports once when the price of a product that someone waits for is within its maximum again. It
 * changes no line and orders nothing.
 *
 * @param quotedAt When the prices of the lines were read: a product waits for a later reading.
 */
export function usePriceWait(lines: readonly ComposedLine[], quotedAt: number): PriceWait {
  const [since, setSince] = useState<ReadonlyMap<string, number>>(new Map())
  useEffect(() => {
    const back = lines.filter(
      (line) =>
        line.unitCents !== null &&
        line.maxCents !== null &&
        line.unitCents <= line.maxCents &&
        (since.get(line.productId) ?? quotedAt) < quotedAt,
    )
    if (back.length === 0) return
    for (const { product, productId, unitCents } of back)
      toast({
        title: `${product?.name ?? productId} is within your maximum again`,
        text: [
          product === null ? '' : `${variantLabel(product)}.`,
          unitCents === null ? '' : `${formatEur(unitCents)} each. Nothing was ordered.`,
        ].join(' '),
      })
    const found = new Set(back.map(({ productId }) => productId))
    setSince((before) => new Map([...before].filter(([id]) => !found.has(id))))
  }, [lines, quotedAt, since])
  return {
    has: (productId) => since.has(productId),
    begin: (productId) => setSince((before) => new Map(before).set(productId, quotedAt)),
  }
}
