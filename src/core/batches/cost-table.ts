import { type Cents, cents, parseEuros } from '../../../server/api/money.ts'
import { type CostLine, MOST_COST_LINES } from '../../contract/keys/cost-table.ts'
import { tableCells } from '../table-text.ts'

/** An offer or a batch with its current cost. */
export type CostTarget = NonNullable<CostLine['target']>

const MOST_CENTS = cents(10_000_000)
const MOST_TEXT = 200
const ID_HEADER = /^(?:offer|batch)?[ _-]*id$|^(?:offer|batch)$/i
const COST_HEADER = /\bcosts?\b|\bpurchase\b|kosten|einkauf/i

/** The columns of a table: named by its header, or else the first two. */
function columnsOf(first: readonly string[]): { id: number; cost: number; hasHeader: boolean } {
  const id = first.findIndex((cell) => ID_HEADER.test(cell))
  const cost = first.findIndex((cell) => COST_HEADER.test(cell))
  return id >= 0 && cost >= 0 ? { id, cost, hasHeader: true } : { id: 0, cost: 1, hasHeader: false }
}

function parseCost(text: string): { cents: Cents } | { reason: string } {
  if (text === '') return { reason: 'The cost is missing.' }
  const read = parseEuros(text)
  if (!read.ok)
    return {
      reason:
        read.reason === 'decimals'
          ? 'The cost has more than two decimals.'
          : read.reason === 'too-large'
            ? 'The cost is too high.'
            : 'The cost isn’t an amount in EUR.',
    }
  return read.cents < 0 || read.cents > MOST_CENTS
    ? { reason: 'The cost must be between 0.00 and 100,000.00.' }
    : { cents: read.cents }
}

/**
 * Reads a table of costs by offer or batch.
 *
 * @param find The offer or batch with an id; null if there is none.
 */
export function readCostTable(
  text: string,
  find: (id: string) => CostTarget | null,
): { lines: CostLine[]; left: number } {
  const rows = tableCells(text)
  const { id: idColumn, cost: costColumn, hasHeader } = columnsOf(rows[0] ?? [])
  const seen = new Map<string, number>()
  const lineOf = (row: readonly string[], line: number): CostLine => {
    const id = row[idColumn] ?? ''
    const target = id === '' ? null : find(id)
    const cost = parseCost(row[costColumn] ?? '')
    const earlier = seen.get(id)
    if (target !== null && earlier === undefined) seen.set(id, line)
    const reason =
      id === ''
        ? 'The offer or batch is missing.'
        : target === null
          ? 'No offer or batch on this computer has this id.'
          : earlier !== undefined
            ? `Line ${earlier} has the same id.`
            : 'reason' in cost
              ? cost.reason
              : null
    return {
      line,
      target,
      text: row.join(', ').slice(0, MOST_TEXT),
      costCents: 'cents' in cost ? cost.cents : null,
      reason,
    }
  }
  const used = rows.flatMap((row, at) =>
    (at === 0 && hasHeader) || row.every((cell) => cell === '') ? [] : [{ row, line: at + 1 }],
  )
  return {
    lines: used.slice(0, MOST_COST_LINES).map(({ row, line }) => lineOf(row, line)),
    left: Math.max(0, used.length - MOST_COST_LINES),
  }
}
