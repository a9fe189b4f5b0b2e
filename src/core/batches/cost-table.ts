import { setImmediate } from 'node:timers/promises'
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

/** Lines read or returned together; other work runs in between. */
const PART_SIZE = 500

/**
 * Reads a table of costs by offer or batch, in parts.
 *
 * @param find The offer or batch with an id; null if there is none.
 */
export async function readCostTable(
  text: string,
  find: (id: string) => CostTarget | null,
): Promise<{ lines: CostLine[]; left: number }> {
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
  const lines: CostLine[] = []
  for (const { row, line } of used.slice(0, MOST_COST_LINES)) {
    lines.push(lineOf(row, line))
    if (lines.length % PART_SIZE === 0) await setImmediate()
  }
  return { lines, left: Math.max(0, used.length - MOST_COST_LINES) }
}

/** The lines of a table in parts, at least one. */
export async function* costParts({
  lines,
  left,
}: {
  lines: readonly CostLine[]
  left: number
}): AsyncGenerator<{ lines: CostLine[]; left: number }, void, void> {
  for (let from = 0; from === 0 || from < lines.length; from += PART_SIZE) {
    yield { lines: lines.slice(from, from + PART_SIZE), left }
    await setImmediate()
  }
}
