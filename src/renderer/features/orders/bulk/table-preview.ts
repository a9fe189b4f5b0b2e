import type { InferContractRouterOutputs } from '@orpc/contract'
import type { Cents } from '../../../../../server/api/money.ts'
import type { Contract } from '../../../../contract/index.ts'
import type { TableLine, TableOrder } from '../../../../contract/order-records.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { formatCents } from '../../../ui/format.ts'
import { percentChange } from '../../../ui/percent-change.ts'
import { previousKeys } from './table-draft.ts'

export type ReadTable = InferContractRouterOutputs<Contract['orders']>['parseTable']

/** A row of the preview: a line that will be bought, or the reason why it won't. */
export type PreviewRow = {
  key: string
  externalId: string
  /** Null: the row can't be read as a line, because of `notes`. */
  line: TableLine | null
  /** The name, or the product id as it was entered. */
  name: string
  /** The maximum price of an earlier try, if it differs. */
  previousMaxCents: Cents | null
  notes: { tone: 'warn' | 'bad'; text: string }[]
  /** Whether its order will be placed. */
  isPlaced: boolean
}

const isPlaceable = ({ problems }: TableOrder): boolean => problems.length === 0

/** The orders that the button places. */
export const placeableOrders = (table: ReadTable): TableOrder[] => table.orders.filter(isPlaceable)

function noteOf(line: TableLine, warning: TableLine['warnings'][number]): PreviewRow['notes'][0] {
  switch (warning) {
    case 'below-price':
      return { tone: 'warn', text: 'Won’t be placed at the current price' }
    case 'above-last-paid': {
      const { lastPaidCents, priceCents } = line
      const move =
        lastPaidCents === null || priceCents === null
          ? ''
          : `: ${formatCents(lastPaidCents)} → ${formatCents(priceCents)} (${percentChange(lastPaidCents, priceCents)})`
      return { tone: 'warn', text: `Far above the last price paid${move}` }
    }
    case 'out-of-stock':
      return { tone: 'warn', text: 'Out of stock' }
    case 'low-stock':
      return { tone: 'warn', text: 'Fewer units in stock' }
  }
}

/** The rows of a table in file order, with what a person should see before buying. */
export function previewRows(
  { orders }: ReadTable,
  previous: ReadonlyMap<string, Cents>,
): PreviewRow[] {
  const rows = orders.flatMap((order) => {
    const isPlaced = isPlaceable(order)
    const own = order.problems.filter((problem) => !problem.startsWith('Line '))
    const orderNotes = own.map((text) => ({ tone: 'bad' as const, text }))
    const { externalId } = order
    const keys = previousKeys(order.lines.map(({ productId }) => ({ externalId, productId })))
    const isHeldBack = !isPlaced && own.length === 0
    return [
      ...order.lines.map((line, at) => {
        const before = previous.get(keys[at] ?? '') ?? null
        return {
          at: line.line,
          row: {
            key: `${order.externalId} ${line.line}`,
            externalId: order.externalId,
            line,
            name: line.name,
            previousMaxCents: before === line.maxUnitCents ? null : before,
            notes: [
              ...orderNotes,
              ...(isHeldBack
                ? [{ tone: 'bad' as const, text: 'Left out: another line of this order' }]
                : []),
              ...line.warnings.map((warning) => noteOf(line, warning)),
            ],
            isPlaced,
          },
        }
      }),
      ...order.rejected.map(({ line, productId, name, problem }) => ({
        at: line,
        row: {
          key: `${order.externalId} ${line}`,
          externalId: order.externalId,
          line: null,
          name: name ?? (productId === '' ? '–' : productId),
          previousMaxCents: null,
          notes: [{ tone: 'bad' as const, text: problem }],
          isPlaced: false,
        },
      })),
    ]
  })
  return rows.sort((a, b) => a.at - b.at).map(({ row }) => row)
}

/** What changed since a table was shown. */
export type TableChange = {
  orders: { from: number; to: number }
  atMost: { from: Cents; to: Cents }
  /** Products whose current price changed, each unit price once. */
  prices: { product: string; from: Cents | null; to: Cents | null }[]
}

/** What buying would do otherwise than shown; null: nothing. */
export function tableChange(shown: ReadTable, now: ReadTable): TableChange | null {
  const key = ({ orders }: ReadTable): string =>
    JSON.stringify(orders.map((order) => ({ ...order, line: 0 })))
  if (key(shown) === key(now)) return null
  const linesOf = (table: ReadTable): TableLine[] => table.orders.flatMap(({ lines }) => lines)
  const before = new Map(linesOf(shown).map((line) => [line.line, line]))
  const prices = linesOf(now).flatMap((line) => {
    const old = before.get(line.line)
    if (old === undefined || old.priceCents === line.priceCents) return []
    const product = [line.name, variantLabel(line)].filter((part) => part !== '').join(', ')
    return [{ product, from: old.priceCents, to: line.priceCents }]
  })
  return {
    orders: { from: placeableOrders(shown).length, to: placeableOrders(now).length },
    atMost: { from: shown.atMostCents, to: now.atMostCents },
    prices: [...new Map(prices.map((price) => [JSON.stringify(price), price])).values()],
  }
}
