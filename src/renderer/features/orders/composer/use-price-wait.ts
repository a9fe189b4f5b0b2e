import { useEffect, useState } from 'react'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { formatEur } from '../../../ui/format.ts'
import { toast } from '../../../ui/feedback/toasts.tsx'
import type { ComposedLine } from './compose-order.ts'
import { linesWithinMaximum } from './price-wait.ts'

/** The lines whose maximum stays until their price is back below it, by their ids. */
export interface PriceWait {
  has: (lineId: number) => boolean
  begin: (lineId: number) => void
}

/**
 * Reports once when the price of a line that someone waits for is within its maximum again. It
 * changes no line and orders nothing.
 *
 * @param quotedAt When the prices of the lines were read: a line waits for a later reading.
 */
export function usePriceWait(lines: readonly ComposedLine[], quotedAt: number): PriceWait {
  const [since, setSince] = useState<ReadonlyMap<number, number>>(new Map())
  useEffect(() => {
    const back = linesWithinMaximum(lines, since, quotedAt)
    if (back.length === 0) return
    // Lines of one product have the same text if they have the same price.
    const texts = new Map(back.map((line) => [`${line.productId} ${line.unitCents}`, line]))
    for (const { product, productId, unitCents } of texts.values())
      toast({
        title: `${product?.name ?? productId} is within your maximum again`,
        text: [
          product === null ? '' : `${variantLabel(product)}.`,
          unitCents === null ? '' : `${formatEur(unitCents)} each. Nothing was ordered.`,
        ].join(' '),
      })
    const found = new Set(back.map(({ id }) => id))
    setSince((before) => new Map([...before].filter(([id]) => !found.has(id))))
  }, [lines, quotedAt, since])
  return {
    has: (lineId) => since.has(lineId),
    begin: (lineId) => setSince((before) => new Map(before).set(lineId, quotedAt)),
  }
}
