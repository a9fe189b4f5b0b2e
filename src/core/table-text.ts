import Papa from 'papaparse'

/**
 * The first of tab, semicolon and comma in the first line: tables with decimal commas are separated
 * by semicolons or tabs.
 */
const delimiterOf = (text: string): string =>
  ['\t', ';', ','].find((each) => (text.split('\n', 1)[0] ?? '').includes(each)) ?? ','

/** The cells of a table (CSV or TSV) that a person pasted or chose, without spaces around them. */
export function tableCells(text: string): string[][] {
  const bare = text.replace(/^\uFEFF/, '')
  return Papa.parse<string[]>(bare, {
    delimiter: delimiterOf(bare),
    skipEmptyLines: false,
  }).data.map((row) => row.map((cell) => cell.trim()))
}
