import Papa from 'papaparse'
import {
  type Cents,
  percentOf,
  sumCents,
  timesCents,
  toCents,
} from '../../../../server/api/money.ts'
import type { TableLine, TableOrder } from '../../../contract/order-records.ts'
import type { OrderableProduct } from '../place/orderable-products.ts'

export type TableProduct = Pick<
  OrderableProduct,
  'name' | 'platform' | 'region' | 'deliveryType' | 'priceCents' | 'qty' | 'inStock' | 'removed'
>
/** The table parser's dependencies. */
export type TableDependencies = {
  /** A product as the catalogue has it, with its unit price for that many units; null: unknown. */
  product: (productId: string, qty: number) => TableProduct | null
  /** The unit price of the latest order of a product; null: never ordered. */
  lastPaid: (productId: string) => Cents | null
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

/** A price this many percent above the last one paid is pointed out. */
const farAbovePercent = 130

/** The product of each row, in file order, and the units on which its price depends. */
export function tableProducts(text: string): { productId: string; qty: number }[] {
  const { rows, at } = rowsOf(text)
  return rows.map(({ cells, units }) => ({ productId: cells[at.productId] ?? '', qty: units }))
}

/**
 * A row of the table.
 *
 * @property units The units of its product in its order up to this row. These rows share a supply,
 *   so the price and the stock of the row depend on them (Decisions 14 and 35). A row without valid
 *   units counts as one, and not for later rows.
 */
type Row = { line: number; cells: string[]; units: number }

const isQty = (qty: number): boolean => Number.isInteger(qty) && qty >= 1 && qty <= 9

/** {@link Row.units} of each row. */
function unitsOf(rows: readonly { cells: string[] }[], at: Record<Field, number>): number[] {
  const sums = new Map<string, number>()
  return rows.map(({ cells }, index) => {
    const [reference, productId, text] = [at.externalId, at.productId, at.qty].map(
      (column) => cells[column] ?? '',
    )
    const qty = text === '' ? 1 : Number(text)
    const order = JSON.stringify([reference === '' ? index : reference, productId])
    const before = sums.get(order) ?? 0
    if (!isQty(qty)) return before + 1
    sums.set(order, before + qty)
    return before + qty
  })
}

/** The rows of the table without its header, and the column of each field. */
function rowsOf(text: string): { rows: Row[]; at: Record<Field, number> } {
  const { data } = Papa.parse<string[]>(text.replace(/^\ufeff/, ''))
  const rows = data
    .map((cells, index) => ({ line: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const { at, head } = columnsOf(rows[0]?.cells ?? [])
  const body = head ? rows.slice(1) : rows
  const units = unitsOf(body, at)
  return { rows: body.map((row, index) => ({ ...row, units: units[index] ?? 1 })), at }
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
  const { rows, at } = rowsOf(text)
  if (rows.length === 0)
    return { orders: [], problems: [{ line: 1, problem: 'The table is empty.' }] }
  const problems: { line: number; problem: string }[] = []
  const orders = new Map<string, ParsedOrder>()
  const given = new Set(rows.map(({ cells }) => cells[at.externalId]))
  for (const { line, cells, units } of rows) {
    const cell = (field: Field): string => (at[field] < 0 ? '' : (cells[at[field]] ?? ''))
    const externalId =
      cell('externalId') === '' ? unusedReference(given, dependencies) : cell('externalId')
    const order = orders.get(externalId) ?? {
      line,
      lines: [],
      rejected: [],
      problems: [],
    }
    orders.set(externalId, order)
    const read = parseRow({ line, units }, cell, dependencies)
    if ('problem' in read) {
      problems.push({ line, problem: read.problem })
      order.rejected.push({ line, productId: cell('productId'), ...read })
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

/** The next reference that no row has, such as one of a rejected order that is tried again. */
function unusedReference(
  given: ReadonlySet<string | undefined>,
  { nextReference }: TableDependencies,
): string {
  let reference = nextReference()
  while (given.has(reference)) reference = nextReference()
  return reference
}

type ParsedOrder = Pick<TableOrder, 'line' | 'lines' | 'rejected' | 'problems'>

function parseRow(
  { line, units }: Pick<Row, 'line' | 'units'>,
  cell: (field: Field) => string,
  dependencies: TableDependencies,
): TableLine | { problem: string; name: string | null } {
  const productId = cell('productId')
  if (productId === '') return { problem: 'Product id missing.', name: null }
  const qty = cell('qty') === '' ? 1 : Number(cell('qty'))
  const product = dependencies.product(productId, units)
  if (product === null)
    return {
      problem: `The product ${productId} is not in the catalogue on this computer.`,
      name: null,
    }
  const { name } = product
  if (product.removed) return { problem: `${name} was removed from the catalogue.`, name }
  if (!isQty(qty)) return { problem: `“${cell('qty')}” units: enter 1 to 9 units per line.`, name }
  const proposed = product.priceCents === null ? null : dependencies.proposedMax(product.priceCents)
  const maxUnitCents = cell('max') === '' ? proposed : centsOf(cell('max'))
  if (maxUnitCents === null)
    return {
      problem:
        cell('max') === ''
          ? `The price of ${name} is unknown: enter the maximum price.`
          : `“${cell('max')}” isn’t an amount in EUR with at most two decimals.`,
      name,
    }
  const { platform, region, deliveryType, priceCents } = product
  const lastPaidCents = dependencies.lastPaid(productId)
  return {
    line,
    productId,
    name,
    platform,
    region,
    deliveryType,
    qty,
    maxUnitCents,
    priceCents,
    lastPaidCents,
    warnings: warningsOf(product, units, maxUnitCents, lastPaidCents),
  }
}

/** What a person should see before this line is bought. */
function warningsOf(
  { priceCents, inStock, qty: available }: TableProduct,
  units: number,
  maxUnitCents: Cents,
  lastPaidCents: Cents | null,
): TableLine['warnings'] {
  const isFarAbove =
    priceCents !== null &&
    lastPaidCents !== null &&
    priceCents > percentOf(lastPaidCents, farAbovePercent)
  return [
    ...(priceCents !== null && maxUnitCents < priceCents ? ['below-price' as const] : []),
    ...(isFarAbove ? ['above-last-paid' as const] : []),
    ...(inStock === false
      ? ['out-of-stock' as const]
      : available !== null && available < units
        ? ['low-stock' as const]
        : []),
  ]
}

function toTableOrder(
  externalId: string,
  { line, lines, rejected, problems }: ParsedOrder,
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
    lines,
    rejected,
    atMostCents: sumCents(lines.map((each) => timesCents(each.maxUnitCents, each.qty))),
    problems: [...problems, ...more],
  }
}
