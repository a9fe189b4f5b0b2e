import Papa from 'papaparse'
import { type Cents, sumCents, timesCents, toCents } from '../../../../server/api/money.ts'
import type { TableOrder } from '../../../contract/order-records.ts'

/** The table parser's dependencies. */
export type TableDependencies = {
  /** Name and today's price of a product; null if it isn't in the catalogue. */
  product: (
    productId: string,
  ) => { name: string; priceCents: Cents | null; removed: boolean } | null
  proposedMax: (priceCents: Cents) => Cents
  isUsed: (externalId: string) => boolean
  /** References for lines that have none, one after the other. */
  nextReference: () => string
}

const MAX_LINES = 10
const MAX_ORDERS = 5000
const columnNames = {
  externalId: ['externalid', 'external', 'reference', 'order', 'ref'],
  productId: ['productid', 'product', 'id', 'sku'],
  qty: ['qty', 'quantity', 'units', 'count'],
  max: ['maxunitprice', 'max', 'maxprice', 'limit', 'price'],
} as const
type Field = keyof typeof columnNames
const defaultColumns: readonly Field[] = ['externalId', 'productId', 'qty', 'max']

const normalizeHeader = (cell: string): string => cell.toLowerCase().replace(/[^a-z]/g, '')

/**
 * The column of each field: from the header if the first row is one, otherwise in the order
 * reference, product, units, maximum.
 */
function columnsOf(first: readonly string[]): { at: Record<Field, number>; head: boolean } {
  const found = Object.fromEntries(
    defaultColumns.map((field) => [
      field,
      first.findIndex((cell) =>
        (columnNames[field] as readonly string[]).includes(normalizeHeader(cell)),
      ),
    ]),
  ) as Record<Field, number>
  if (found.productId >= 0) return { at: found, head: true }
  return { at: { externalId: 0, productId: 1, qty: 2, max: 3 }, head: false }
}

/**
 * An amount as people and spreadsheets write it, `33.49` or `33,49`, in cents; null for anything
 * else.
 */
function centsOf(text: string): Cents | null {
  const match = /^(?:EUR|€)?\s*(\d{1,9})(?:[.,](\d{1,2}))?\s*(?:EUR|€)?$/i.exec(text)
  if (match === null) return null
  return toCents(Number(`${match[1]}.${match[2] ?? '0'}`))
}

type Line = {
  line: number
  externalId: string
  product: { productId: string; name: string }
  qty: number
  maxUnitCents: Cents
}

/**
 * Orders from a table of lines: rows with one reference are one order, each row without is an
 * order. Nothing is placed. An invalid row is reported with its line in the file; the order with
 * such a row can't be placed, the others can.
 */
export function parseOrderTable(
  text: string,
  dependencies: TableDependencies,
): { orders: TableOrder[]; problems: { line: number; problem: string }[] } {
  const { data } = Papa.parse<string[]>(text.replace(/^\ufeff/, ''))
  const rows = data
    .map((cells, index) => ({ line: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const [first] = rows
  if (first === undefined)
    return { orders: [], problems: [{ line: 1, problem: 'The table is empty.' }] }
  const { at, head } = columnsOf(first.cells)
  const problems: { line: number; problem: string }[] = []
  const orders = new Map<string, { line: number; lines: Line[]; problems: string[] }>()
  for (const { line, cells } of head ? rows.slice(1) : rows) {
    const cell = (field: Field): string => (at[field] < 0 ? '' : (cells[at[field]] ?? ''))
    const externalId = cell('externalId') === '' ? dependencies.nextReference() : cell('externalId')
    const order = orders.get(externalId) ?? { line, lines: [], problems: [] }
    orders.set(externalId, order)
    const read = parseRow(line, externalId, cell, dependencies)
    if ('problem' in read) {
      problems.push({ line, problem: read.problem })
      order.problems.push(`Line ${line}: ${read.problem}`)
    } else order.lines.push(read)
  }
  const told = [...orders].map(([externalId, order]) =>
    toTableOrder(externalId, order, dependencies),
  )
  if (told.length > MAX_ORDERS)
    problems.push({
      line: told[MAX_ORDERS]?.line ?? 1,
      problem: `More than ${MAX_ORDERS} orders: the rest is left out.`,
    })
  return { orders: told.slice(0, MAX_ORDERS), problems }
}

function parseRow(
  line: number,
  externalId: string,
  cell: (field: Field) => string,
  dependencies: TableDependencies,
): Line | { problem: string } {
  const productId = cell('productId')
  if (productId === '') return { problem: 'Product id missing.' }
  const product = dependencies.product(productId)
  if (product === null)
    return { problem: `The product ${productId} is not in the catalogue on this computer.` }
  if (product.removed) return { problem: `${product.name} was removed from the catalogue.` }
  const qty = cell('qty') === '' ? 1 : Number(cell('qty'))
  if (!Number.isInteger(qty) || qty < 1 || qty > 9)
    return { problem: `“${cell('qty')}” units: enter 1 to 9 units per line.` }
  const proposed = product.priceCents === null ? null : dependencies.proposedMax(product.priceCents)
  const maxUnitCents = cell('max') === '' ? proposed : centsOf(cell('max'))
  if (maxUnitCents === null)
    return {
      problem:
        cell('max') === ''
          ? `The price of ${product.name} is unknown: enter the maximum price.`
          : `“${cell('max')}” isn’t an amount in EUR with at most two decimals.`,
    }
  return { line, externalId, product: { productId, name: product.name }, qty, maxUnitCents }
}

function toTableOrder(
  externalId: string,
  { line, lines, problems }: { line: number; lines: Line[]; problems: string[] },
  dependencies: TableDependencies,
): TableOrder {
  const more = [
    ...(/^[A-Za-z0-9._:-]{1,100}$/.test(externalId)
      ? []
      : ['Use at most 100 characters for the reference, and only letters, digits and . _ : -']),
    ...(dependencies.isUsed(externalId) ? ['An order with this reference already exists.'] : []),
    ...(lines.length > MAX_LINES
      ? [`${lines.length} lines: an order has at most ${MAX_LINES}.`]
      : []),
  ]
  return {
    externalId,
    line,
    lines: lines.map(({ product, qty, maxUnitCents }) => ({ ...product, qty, maxUnitCents })),
    atMostCents: sumCents(lines.map((each) => timesCents(each.maxUnitCents, each.qty))),
    problems: [...problems, ...more],
  }
}
