import { plainEuros } from '../../../../../server/api/money.ts'
import type { Cents } from '../../../../../server/api/money.ts'
import { csvText } from '../../../../contract/csv.ts'
import type { CostLine, KeyCost } from '../../../../contract/keys/cost-table.ts'

export type CostResult = 'changed' | 'same' | 'rejected' | 'skipped'

/**
 * What becomes of a line: a change is saved, a rejected line isn't used.
 *
 * @param saved The offers and batches whose costs were saved; null before. One that is gone by then
 *   is skipped.
 */
export function costResultOf(
  { target, costCents, reason }: CostLine,
  saved: ReadonlySet<string> | null,
): CostResult {
  if (reason !== null || target === null) return 'rejected'
  if (target.beforeCents === costCents) return 'same'
  return saved === null || saved.has(savedKey(target)) ? 'changed' : 'skipped'
}

/** Identifies an offer or a batch among those that were saved. */
export const savedKey = ({ of, id }: Pick<KeyCost, 'of' | 'id'>): string => `${of} ${id}`

/** Why a line has no new cost; null if it has one or needs none. */
export function costReasonOf(line: CostLine, saved: ReadonlySet<string> | null): string | null {
  const result = costResultOf(line, saved)
  if (result === 'rejected') return line.reason
  return result === 'skipped' ? 'It is no longer on this computer, or already had this cost.' : null
}

/** The costs that a table changes. */
export const changesIn = (lines: readonly CostLine[]): KeyCost[] =>
  lines.flatMap((line) =>
    line.target === null || costResultOf(line, null) !== 'changed'
      ? []
      : [{ of: line.target.of, id: line.target.id, costCents: line.costCents }],
  )

const words: Readonly<Record<CostResult, string>> = {
  changed: 'Saved',
  same: 'No change',
  rejected: 'Rejected',
  skipped: 'Not saved',
}
const euros = (amount: Cents | null): string => (amount === null ? '' : plainEuros(amount))

/** The results of saving costs, one line per line of the table. */
export const costsCsv = (lines: readonly CostLine[], saved: ReadonlySet<string>): string =>
  csvText([
    [
      'Line',
      'Offer or batch id',
      'Name',
      'Platform',
      'Region',
      'Delivery',
      'Cost before EUR',
      'Cost EUR',
      'Result',
      'Reason',
      'In the table',
    ],
    ...lines.map((line) => [
      String(line.line),
      line.target?.id ?? '',
      line.target?.name ?? '',
      line.target?.platform ?? '',
      line.target?.region ?? '',
      line.target?.deliveryType ?? '',
      euros(line.target?.beforeCents ?? null),
      euros(line.costCents),
      words[costResultOf(line, saved)],
      costReasonOf(line, saved) ?? '',
      line.text,
    ]),
  ])
