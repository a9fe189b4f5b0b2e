import type { FileSettings } from '../../../../contract/keys/import-records.ts'
import { classifyKey } from '../text/classify-key.ts'
import { fieldsOf } from '../text/records.ts'
import type { Delimiter } from '../text/records.ts'
import { shapesOf } from '../text/shapes.ts'
import { meaningOf, purchaseMeaningOf } from './header-words.ts'
import { isCertainKey, isPossibleKey } from './key-look.ts'
import { findDelimiter, recordsIn } from './table-sample.ts'

/** The detected format of a file; the encoding is detected earlier. */
export type Detected = Pick<
  FileSettings,
  | 'form'
  | 'delimiter'
  | 'header'
  | 'skipLines'
  | 'keyColumn'
  | 'offerColumn'
  | 'costColumn'
  | 'currencyColumn'
  | 'supplierColumn'
> & {
  columns: string[]
  /** The text of the header, for recognizing the layout again; null without one. */
  headerText: string | null
  /** The keys have the form `login:password`. */ logins: boolean
}

/** Whether a cell names an own offer. */
export type KnownOffer = (value: string) => boolean

/** Lines above the header that a table may have: a title, the supplier, a date, blank lines. */
const MOST_TITLES = 20

/**
 * `login:password`, or `login:password:more`. A link has slashes after its colon, a time only
 * digits around it.
 */
const login = /^(?!\d{1,2}:\d{2})[^\s:]{2,}:(?!\/\/)\S/
const shareOf = (texts: readonly string[], is: (text: string) => boolean): number =>
  texts.length === 0 ? 0 : texts.filter(is).length / texts.length
const areLogins = (texts: readonly string[]): boolean =>
  shareOf(texts, (text) => login.test(text.trim())) >= 0.8

type Row = { line: number; cells: readonly string[]; text: string }
type Column = {
  likeKeys: number
  distinct: number
  offers: number
  filled: number
  /** Share of the values that could be keys and name no own offer. */ secret: number
}

function describe(rows: readonly Row[], column: number, knownOffer: KnownOffer): Column {
  const values = rows
    .map(({ cells }) => classifyKey(cells[column] ?? ''))
    .filter((judged) => judged.refusal !== 'blank')
  const total = Math.max(1, values.length)
  const likeKeys = values.filter(
    ({ key, refusal }) =>
      refusal === 'spreadsheet-damage' ||
      refusal === 'spreadsheet-error' ||
      shapesOf(key) !== 0 ||
      (/\d/.test(key) && /^[\w:@.+/-]{8,}$/.test(key)),
  ).length
  const named = values.filter(({ key }) => knownOffer(key)).length
  const secret = values.filter(({ key }) => !knownOffer(key) && isPossibleKey(key)).length
  return {
    likeKeys: likeKeys / total,
    distinct: new Set(values.map(({ key }) => key)).size / total,
    offers: named / total,
    filled: values.length / Math.max(1, rows.length),
    secret: secret / total,
  }
}

const best = (scores: readonly number[], least: number): number | null => {
  const top = Math.max(...scores)
  return top >= least ? scores.indexOf(top) : null
}

/** Whether the cells name columns: at least one has a known name, and none is a key or a number. */
function areNames(cells: readonly string[], knownOffer: KnownOffer): boolean {
  return (
    cells.every((cell) => {
      const text = cell.trim()
      return (
        (shapesOf(text) === 0 || (!/\d/.test(text) && meaningOf(text).key)) &&
        !knownOffer(text) &&
        !/^[\d.,]+$/.test(text)
      )
    }) &&
    cells.some((cell) => {
      const { key, offer } = meaningOf(cell)
      return key || offer
    })
  )
}

const filledOf = ({ cells }: Row): number => cells.filter((cell) => cell.trim() !== '').length

/**
 * The index of the row that names the columns; null if there is none. Rows above it are titles: they
 * have fewer cells, and none of them is a key.
 */
function findHeader(rows: readonly Row[], knownOffer: KnownOffer): number | null {
  const start = rows.slice(0, MOST_TITLES + 1)
  const firstKey = start.findIndex(({ cells }) => cells.some((cell) => isCertainKey(cell.trim())))
  const candidates = (firstKey < 0 ? start : start.slice(0, firstKey)).map((row) =>
    areNames(row.cells, knownOffer) ? filledOf(row) : 0,
  )
  const most = Math.max(0, ...candidates)
  const found = candidates.indexOf(most)
  if (most === 0) return null
  const isTitled = rows.slice(0, found).every((above) => filledOf(above) < most)
  return isTitled && (found === 0 || most > 1) ? found : null
}

/** Names of the columns. A cell that could be a key isn't a name, whoever chose the header. */
function columnNames(header: Row | null, width: number): string[] {
  return Array.from({ length: width }, (_, column) => {
    const name = (header?.cells[column] ?? '').trim().slice(0, 80)
    return name === '' || isPossibleKey(name) ? `Column ${column + 1}` : name
  })
}

/** Finds the columns of the keys and of the offers by their values and names. */
function findColumns(
  body: readonly Row[],
  names: readonly string[],
  width: number,
  knownOffer: KnownOffer,
  fixed: Partial<FileSettings>,
): { keyColumn: number; offerColumn: number | null } {
  const facts = Array.from({ length: width }, (_, column) => describe(body, column, knownOffer))
  const meanings = facts.map((_, column) => meaningOf(names[column] ?? ''))
  const keyScores = facts.map((fact, column) => {
    const { key = false, offer = false, other = false } = meanings[column] ?? {}
    return (
      fact.likeKeys * 2 +
      fact.distinct +
      fact.filled * 0.5 -
      fact.offers * 3 +
      (key ? 1.5 : 0) -
      (offer ? 1 : 0) -
      (other && !key ? 1 : 0)
    )
  })
  const keyColumn = fixed.keyColumn ?? best(keyScores, -Infinity) ?? 0
  const offerScores = facts.map((fact, column) => {
    const { offer = false } = meanings[column] ?? {}
    if (column === keyColumn || (fact.secret >= 0.5 && fact.distinct >= 0.5)) return -1
    return (
      fact.offers * 2 +
      (offer && fact.offers > 0 ? 0.5 : 0) +
      (offer && fact.distinct < 0.5 ? 0.4 : 0)
    )
  })
  return {
    keyColumn,
    offerColumn: fixed.offerColumn !== undefined ? fixed.offerColumn : best(offerScores, 0.4),
  }
}

const noPurchases = { costColumn: null, currencyColumn: null, supplierColumn: null }

/** Finds the columns of cost, currency and supplier by their names; a cost must be an amount. */
function findPurchaseColumns(
  body: readonly Row[],
  names: readonly string[],
  taken: readonly (number | null)[],
  fixed: Partial<FileSettings>,
): Pick<Detected, 'costColumn' | 'currencyColumn' | 'supplierColumn'> {
  const meanings = names.map((name, column) =>
    taken.includes(column) ? null : purchaseMeaningOf(name),
  )
  const areAmounts = (column: number): boolean => {
    const cells = body
      .map(({ cells: all }) => all[column] ?? '')
      .filter((cell) => cell.trim() !== '')
    return (
      cells.length > 0 &&
      shareOf(cells, (cell) => /^\D{0,4}\d[\d.,]*\D{0,4}$/.test(cell.trim())) >= 0.5
    )
  }
  const find = (meaning: 'cost' | 'currency' | 'supplier'): number | null => {
    const column = meanings.findIndex(
      (each, at) => each === meaning && (meaning !== 'cost' || areAmounts(at)),
    )
    return column < 0 ? null : column
  }
  return {
    costColumn: fixed.costColumn !== undefined ? fixed.costColumn : find('cost'),
    currencyColumn: fixed.currencyColumn !== undefined ? fixed.currencyColumn : find('currency'),
    supplierColumn: fixed.supplierColumn !== undefined ? fixed.supplierColumn : find('supplier'),
  }
}

function detectLines(
  full: readonly string[],
  delimiter: Delimiter,
  fixed: Partial<FileSettings>,
): Detected {
  const first = (full[0] ?? '').normalize('NFC')
  const header =
    fixed.header ??
    (full.length > 1 && /^[\p{L}\p{M} :_-]{1,24}$/u.test(first) && meaningOf(first).key)
  return {
    form: 'lines',
    delimiter,
    header,
    skipLines: 0,
    keyColumn: 0,
    offerColumn: null,
    ...noPurchases,
    columns: ['Column 1'],
    headerText: header ? (full[0] ?? '') : null,
    logins: areLogins(header ? full.slice(1) : full),
  }
}

/**
 * Detects a file's format from its first lines; the user can correct everything.
 *
 * @param lines the first hundred or so lines of the file, in order
 * @param fixed the user's corrections so far
 */
export function detectForm(
  lines: readonly string[],
  fileName: string,
  knownOffer: KnownOffer,
  fixed: Partial<FileSettings>,
): Detected {
  // Spreadsheet programs read the delimiter from this line, which is neither a header nor a key.
  const declared = /^"?sep=(.)"?$/i.exec(lines[0]?.trim() ?? '')?.[1] ?? null
  const announced = declared === ',' || declared === ';' || declared === '|' ? declared : null
  const isTabbed = /^"?sep=\t/i.test(lines[0] ?? '')
  const skipped = announced !== null || isTabbed ? 1 : 0
  const rest = lines.slice(skipped)
  const full = rest.filter((line) => line.trim() !== '')
  const named = /\.(?:csv|tsv|tab)$/i.test(fileName) || skipped > 0
  const given = fixed.delimiter ?? announced ?? (isTabbed ? '\t' : null)
  const found = given ?? (full.length === 0 ? null : findDelimiter(rest, named))
  // A password can contain any delimiter, so logins are a table only if the header says so or a
  // column names offers.
  const isTable =
    found !== null &&
    (full.length > 1 || given !== null) &&
    (given !== null ||
      !areLogins(full) ||
      shareOf(full, (line) => fieldsOf(line, found).some((cell) => knownOffer(cell.trim()))) >= 0.4)
  const form = fixed.form ?? (named || isTable ? 'table' : 'lines')
  const delimiter = found ?? (/\.(?:tsv|tab)$/i.test(fileName) ? '\t' : ',')
  if (form === 'lines') return detectLines(full, delimiter, fixed)
  const rows = recordsIn(rest, delimiter)
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, line }): Row => ({
      line: line + skipped,
      cells: fieldsOf(text, delimiter),
      text,
    }))
  const width = Math.max(1, ...rows.map(({ cells }) => cells.length))
  const detected = findHeader(rows, knownOffer)
  const headerAt = fixed.header === false ? null : (detected ?? (fixed.header === true ? 0 : null))
  const header = headerAt === null ? null : (rows[headerAt] ?? null)
  const body = headerAt === null ? rows : rows.slice(headerAt + 1)
  const columns = columnNames(header, width)
  const names = header === null ? [] : header.cells
  const { keyColumn, offerColumn } = findColumns(body, names, width, knownOffer, fixed)
  return {
    form,
    delimiter,
    header: fixed.header ?? header !== null,
    skipLines: headerAt === null || headerAt === 0 ? skipped : (header?.line ?? 1) - 1,
    keyColumn,
    offerColumn,
    ...findPurchaseColumns(body, names, [keyColumn, offerColumn], fixed),
    columns,
    headerText: header?.text ?? null,
    logins: areLogins(body.map(({ cells }) => cells[keyColumn] ?? '')),
  }
}
