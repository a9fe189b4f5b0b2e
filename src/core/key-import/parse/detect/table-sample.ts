import { createRecordReader, fieldsOf } from '../text/records.ts'
import type { Delimiter, TableRecord } from '../text/records.ts'

const delimiters: readonly Delimiter[] = ['\t', ';', ',', '|']
/** Lines above a table, such as its title, that don't count against a delimiter. */
const MOST_LEADING = 20
/** Without a table's file name, so many records must follow the lines above a table. */
const FEWEST_RECORDS = 5

export type SampleRecord = { text: string; line: number }

/**
 * The records in the first lines of a file, with the numbers of their first lines. A quoted field
 * may continue on the next line, as it does when the file is read.
 */
export function recordsIn(lines: readonly string[], delimiter: Delimiter): SampleRecord[] {
  const records: SampleRecord[] = []
  const reader = createRecordReader(delimiter, ({ text, line }: TableRecord) =>
    records.push({ text: text ?? '', line }),
  )
  for (const [index, text] of lines.entries())
    reader.push({ text, line: index + 1, offset: 0, length: text.length, unclosed: false })
  reader.end()
  return records
}

/**
 * How evenly a delimiter splits the records: the most frequent number of columns, and its share of
 * the records, without the lines above the first such record.
 */
function evenness(
  lines: readonly string[],
  delimiter: Delimiter,
  named: boolean,
): { columns: number; share: number } {
  const widths = recordsIn(lines, delimiter)
    .filter(({ text }) => text.trim() !== '')
    .map(({ text }) => fieldsOf(text, delimiter).length)
  const counts = new Map<number, number>()
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1)
  let best = { columns: 1, count: 0 }
  for (const [columns, count] of counts)
    if (count > best.count || (named && count === best.count && columns > best.columns))
      best = { columns, count }
  const first = widths.indexOf(best.columns)
  const follow = widths.length - first
  const leading =
    first <= MOST_LEADING && (named || follow >= FEWEST_RECORDS) ? Math.max(0, first) : 0
  return { columns: best.columns, share: best.count / Math.max(1, widths.length - leading) }
}

/**
 * The delimiter that splits the lines most evenly; null if none does.
 *
 * @param named the file's name says that it is a table
 */
export function findDelimiter(lines: readonly string[], named: boolean): Delimiter | null {
  let best: { delimiter: Delimiter; share: number } | null = null
  for (const delimiter of delimiters) {
    const { columns, share } = evenness(lines, delimiter, named)
    if (columns < 2 || share < (named ? 0.5 : 0.85)) continue
    if (best === null || share > best.share + 0.02) best = { delimiter, share }
  }
  return best?.delimiter ?? null
}
