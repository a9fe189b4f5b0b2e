import { csvText } from '../../../contract/csv.ts'
import type { LineOutcome, LineReason } from '../../../contract/keys/import-records.ts'
import type { KeyRecord, KeyRecords } from '../key-records.ts'
import type { SpoolFile } from '../spool/spool-files.ts'
import { readLineResults } from './line-results.ts'

/** Lines written in one turn: the core handles other work between two turns. */
const WRITTEN_AT_ONCE = 2000

const titles = [
  'File',
  'Line',
  'Result',
  'Reason',
  'Offer',
  'Platform',
  'Region',
  'Delivery',
  'Offer id',
]

const serviceResults: Record<KeyRecord['fate'], string> = {
  added: 'Added',
  duplicate: 'Already on the service',
  unsure: 'Undetermined',
  refused: 'Rejected by the service',
  excluded: 'Excluded',
}
const results: Record<LineOutcome, string> = {
  ready: 'Not sent',
  'no-offer': 'No offer',
  duplicate: 'Skipped duplicate',
  refused: 'Rejected',
  'set-aside': 'Set aside',
}

/** "spreadsheet-damage" as "Spreadsheet damage". */
const reasonText = (reasons: readonly LineReason[]): string =>
  reasons
    .filter((reason) => reason !== 'no-offer')
    .map((reason) => (reason.charAt(0).toUpperCase() + reason.slice(1)).replaceAll('-', ' '))
    .join(', ')

/**
 * Every line of an import with its result, without its key, as CSV. A cell that a spreadsheet would
 * read as a formula starts with an apostrophe. Yields to other work between turns.
 */
export async function reportCsv(
  importNumber: number,
  saved: SpoolFile,
  names: ReadonlyMap<number, string>,
  records: Pick<KeyRecords, 'between'>,
): Promise<string> {
  const parts = [csvText([titles])]
  let rows: (string | number)[][] = []
  const flush = async (): Promise<void> => {
    if (rows.length > 0) parts.push(csvText(rows))
    rows = []
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  for (const run of readLineResults(saved)) {
    for (let from = run.from; from <= run.to; from += WRITTEN_AT_ONCE) {
      const to = Math.min(run.to, from + WRITTEN_AT_ONCE - 1)
      const sent = new Map(
        run.fate === 'ready'
          ? records
              .between(importNumber, run.position, from, to)
              .map(({ line, fate }) => [line, fate] as const)
          : [],
      )
      for (let line = from; line <= to; line++) {
        const fate = sent.get(line)
        rows.push([
          names.get(run.position) ?? '',
          line,
          fate === undefined ? results[run.fate] : serviceResults[fate],
          reasonText(run.reasons),
          run.product?.name ?? '',
          run.product?.platform ?? '',
          run.product?.region ?? '',
          run.product?.deliveryType ?? '',
          run.product?.offerId ?? '',
        ])
      }
      if (rows.length >= WRITTEN_AT_ONCE) await flush()
    }
  }
  await flush()
  return parts.join('')
}
