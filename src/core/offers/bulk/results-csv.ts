import { setImmediate } from 'node:timers/promises'
import { type Cents, plainEuros } from '../../../../server/api/money.ts'
import { csvText } from '../../../contract/csv.ts'
import type { BulkResult } from '../../../contract/offers/offer-bulk.ts'

const money = (amount: Cents | null): string => (amount === null ? '' : plainEuros(amount))
const stateTexts: Readonly<Record<BulkResult['state'], string>> = {
  waiting: 'waiting',
  sending: 'unknown',
  done: 'done',
  refused: 'failed',
  skipped: 'skipped',
  cancelled: 'not sent',
}

/** The columns, in order. Keys are counted, never written. */
const COLUMNS: Readonly<Record<string, (line: BulkResult) => string | number | null>> = {
  'Offer or product id': (line) => line.subjectId,
  Product: (line) => line.name,
  Platform: (line) => line.platform,
  Region: (line) => line.region,
  Delivery: (line) => line.deliveryType,
  'Price before EUR': (line) => money(line.before.priceCents),
  'Price after EUR': (line) => money(line.after.priceCents),
  'Status before': (line) => line.before.status,
  'Status after': (line) => line.after.status,
  'Keys before': (line) => line.before.stock,
  Result: (line) => stateTexts[line.state],
  Reason: (line) => line.problem?.what ?? null,
  'Next step': (line) => line.problem?.next ?? null,
  'Settled (UTC)': (line) =>
    line.settledAt === null ? null : new Date(line.settledAt).toISOString(),
}
const CHUNK_SIZE = 500

/**
 * The results of these lines of a bulk change as CSV, in chunks, so that the core can serve other
 * requests in between.
 */
export async function resultsCsv(
  lines: readonly number[],
  read: (lines: readonly number[]) => BulkResult[],
): Promise<string> {
  const parts = [csvText([Object.keys(COLUMNS)])]
  for (let from = 0; from < lines.length; from += CHUNK_SIZE) {
    const results = read(lines.slice(from, from + CHUNK_SIZE))
    if (results.length > 0)
      parts.push(csvText(results.map((line) => Object.values(COLUMNS).map((cell) => cell(line)))))
    await setImmediate()
  }
  return parts.join('')
}
