import type { FileSettings } from '../../../../contract/keys/import-records.ts'
import { classifyKey } from './classify-key.ts'
import { fieldsOf } from './records.ts'
import type { Delimiter } from './records.ts'
import { shapesOf } from './shapes.ts'

const delimiters: readonly Delimiter[] = ['\t', ';', ',', '|']
const anyWord = (...patterns: string[]): RegExp =>
  new RegExp(`\\b(?:${patterns.join('|')})\\b`, 'i')
const keyWords = anyWord(
  'keys?|codes?|serials?|cd ?keys?|licen[cs]es?|licen[cs]e ?keys?|product ?keys?|activation',
  'vouchers?|pins?|schl(?:ü|ue)ssel|cl(?:é|e)s?|clave|chiave|klucz|kod|value|login|accounts?|links?',
)
const offerWords = anyWord(
  'offers?|offer ?id|skus?|products?|product ?id|games?|titles?|names?|items?',
  'artikel|produkt|produit|prodotto',
)

/** The detected format of a file; the encoding is detected earlier. */
export type Detected = Pick<
  FileSettings,
  'form' | 'delimiter' | 'header' | 'keyColumn' | 'offerColumn'
> & { columns: string[]; /** The keys have the form `login:password`. */ logins: boolean }

/** Whether a cell names an own offer. */
export type KnownOffer = (value: string) => boolean

const spoken = (name: string): string =>
  name
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_\-.:]+/g, ' ')

/**
 * How evenly a delimiter splits the lines: the most frequent number of columns, and its share of
 * lines.
 */
function evenness(
  lines: readonly string[],
  delimiter: Delimiter,
): { columns: number; share: number } {
  const counts = new Map<number, number>()
  for (const line of lines) {
    const columns = fieldsOf(line, delimiter).length
    counts.set(columns, (counts.get(columns) ?? 0) + 1)
  }
  let best = { columns: 1, share: 0 }
  for (const [columns, count] of counts)
    if (count / lines.length > best.share) best = { columns, share: count / lines.length }
  return best
}

function findDelimiter(lines: readonly string[], named: boolean): Delimiter | null {
  let best: { delimiter: Delimiter; share: number; columns: number } | null = null
  for (const delimiter of delimiters) {
    const { columns, share } = evenness(lines, delimiter)
    if (columns < 2 || share < (named ? 0.5 : 0.85)) continue
    if (best === null || share > best.share + 0.02) best = { delimiter, share, columns }
  }
  return best?.delimiter ?? null
}

/**
 * `login:password`, or `login:password:more`. A link has slashes after its colon, a time only
 * digits around it.
 */
const login = /^(?!\d{1,2}:\d{2})[^\s:]{2,}:(?!\/\/)\S/
const shareOf = (texts: readonly string[], is: (text: string) => boolean): number =>
  texts.length === 0 ? 0 : texts.filter(is).length / texts.length
const areLogins = (texts: readonly string[]): boolean =>
  shareOf(texts, (text) => login.test(text.trim())) >= 0.8

type Column = { likeKeys: number; distinct: number; offers: number; filled: number }

function describe(
  rows: readonly (readonly string[])[],
  column: number,
  knownOffer: KnownOffer,
): Column {
  const values = rows
    .map((row) => classifyKey(row[column] ?? ''))
    .filter((judged) => judged.refusal !== 'blank')
  const total = Math.max(1, values.length)
  const likeKeys = values.filter(
    ({ key, refusal }) =>
      refusal === 'spreadsheet-damage' ||
      shapesOf(key) !== 0 ||
      (/\d/.test(key) && /^[\w:@.+/-]{8,}$/.test(key)),
  ).length
  return {
    likeKeys: likeKeys / total,
    distinct: new Set(values.map(({ key }) => key)).size / total,
    offers: values.filter(({ key }) => knownOffer(key)).length / total,
    filled: values.length / Math.max(1, rows.length),
  }
}

const best = (scores: readonly number[], least: number): number | null => {
  const top = Math.max(...scores)
  return top >= least ? scores.indexOf(top) : null
}

/**
 * Detects a file's format from its first lines; the user can correct everything.
 *
 * @param lines the first hundred or so lines (of a table: complete records), in order
 * @param fixed the user's corrections so far
 */
export function detectForm(
  lines: readonly string[],
  fileName: string,
  knownOffer: KnownOffer,
  fixed: Partial<FileSettings>,
): Detected {
  const full = lines.filter((line) => line.trim() !== '')
  const named = /\.(?:csv|tsv|tab)$/i.test(fileName)
  const found = fixed.delimiter ?? (full.length === 0 ? null : findDelimiter(full, named))
  // A password can contain any delimiter, so logins are a table only if the header says so or a
  // column names offers.
  const isTable =
    found !== null &&
    (full.length > 1 || fixed.delimiter !== undefined) &&
    (fixed.delimiter !== undefined ||
      !areLogins(full) ||
      shareOf(full, (line) => fieldsOf(line, found).some((cell) => knownOffer(cell.trim()))) >= 0.4)
  const form = fixed.form ?? (named || isTable ? 'table' : 'lines')
  const delimiter = found ?? (/\.(?:tsv|tab)$/i.test(fileName) ? '\t' : ',')
  if (form === 'lines') {
    const header =
      fixed.header ??
      (full.length > 1 &&
        /^[\p{L} :_-]{3,24}$/u.test(full[0] ?? '') &&
        keyWords.test(spoken(full[0] ?? '')))
    return {
      form,
      delimiter,
      header,
      keyColumn: 0,
      offerColumn: null,
      columns: ['Column 1'],
      logins: areLogins(header ? full.slice(1) : full),
    }
  }
  const rows = full.map((line) => fieldsOf(line, delimiter))
  const width = Math.max(1, ...rows.map((row) => row.length))
  const first = rows[0] ?? []
  const firstNames = first.map(spoken)
  const looksNamed =
    first.length > 0 &&
    first.every(
      (cell) =>
        (shapesOf(cell.trim()) === 0 || (!/\d/.test(cell) && keyWords.test(spoken(cell)))) &&
        !knownOffer(cell.trim()) &&
        !/^[\d.,]+$/.test(cell.trim()),
    ) &&
    firstNames.some((name) => keyWords.test(name) || offerWords.test(name))
  const header = fixed.header ?? looksNamed
  const body = header ? rows.slice(1) : rows
  const facts = Array.from({ length: width }, (_, column) => describe(body, column, knownOffer))
  const names = header ? firstNames : []
  const keyScores = facts.map(
    (fact, column) =>
      fact.likeKeys * 2 +
      fact.distinct +
      fact.filled * 0.5 -
      fact.offers * 3 +
      (keyWords.test(names[column] ?? '') ? 1.5 : 0) -
      (offerWords.test(names[column] ?? '') ? 1 : 0),
  )
  const keyColumn = fixed.keyColumn ?? best(keyScores, -Infinity) ?? 0
  const offerScores = facts.map((fact, column) =>
    column === keyColumn
      ? -1
      : fact.offers * 2 +
        (offerWords.test(names[column] ?? '') && fact.offers > 0 ? 0.5 : 0) +
        (offerWords.test(names[column] ?? '') && fact.distinct < 0.5 ? 0.4 : 0),
  )
  const offerColumn = fixed.offerColumn !== undefined ? fixed.offerColumn : best(offerScores, 0.4)
  const columns = Array.from({ length: width }, (_, column) => {
    const name = header ? (first[column] ?? '').trim().slice(0, 80) : ''
    return name === '' ? `Column ${column + 1}` : name
  })
  return {
    form,
    delimiter,
    header,
    keyColumn,
    offerColumn,
    columns,
    logins: areLogins(body.map((row) => row[keyColumn] ?? '')),
  }
}
