import type { FrameKey } from '../../spool/frames.ts'
import { openFrames } from '../../spool/frames.ts'
import { openSpool } from '../../spool/spool-reader.ts'
import type { SpoolReader } from '../../spool/spool-reader.ts'
import { fileProblem, UnreadableFile } from '../unreadable.ts'
import { readXml, relationsSink, sharedTextsSink, sheetsSink, stylesSink } from './parts.ts'
import { sheetSink } from './sheet.ts'
import type { CellFacts } from './sheet.ts'
import { readDirectory, unpack, zipLimits } from './zip.ts'
import type { Allowance, ZipEntry } from './zip.ts'

/** Time limit for reading a workbook. */
const MOST_MS = 60_000
const PIECE = 512 * 1024

export type WorkbookRead = {
  sheets: { name: string; hidden: boolean }[]
  /** The sheet that was read. */ sheet: number
}

const quoted = /["\t\n\r]/
/**
 * Converts a row to a line. Line endings inside a cell become vertical tabs, so that each row is
 * one line.
 */
const lineOf = (cells: readonly string[]): string =>
  cells
    .map((cell) =>
      quoted.test(cell) ? `"${cell.replaceAll(/\r\n|[\r\n]/g, '\v').replaceAll('"', '""')}"` : cell,
    )
    .join('\t')

/** Writes a sheet as tab-separated text, line n being row n, up to the last non-empty row. */
function createTextWriter(path: string, key: FrameKey) {
  const frames = openFrames(path, key, true)
  let text = ''
  let last = 0
  const flush = (): void => {
    if (text !== '') frames.append(Buffer.from(text))
    text = ''
  }
  return {
    rows: () => last,
    take(row: number, cells: readonly string[]): void {
      text += '\n'.repeat(Math.max(0, row - last - 1)) + lineOf(cells) + '\n'
      last = row
      if (text.length > PIECE) flush()
    },
    finish(): void {
      flush()
      frames.finish()
    },
    abandon: () => frames.close(),
  }
}

/**
 * Reads one sheet of a spooled xlsx workbook (ECMA-376) and writes its text, sealed, to `target`.
 * Writes nothing unencrypted, reads nothing outside the file, and limits the output's size, growth
 * and time. Throws UnreadableFile.
 *
 * @param wanted index of the sheet; null: the first visible non-empty sheet
 * @param now milliseconds of a monotonic clock
 */
export async function readWorkbook(
  source: { path: string; key: FrameKey },
  target: { path: string; key: FrameKey },
  wanted: number | null,
  now: () => number,
): Promise<WorkbookRead> {
  const spool = openSpool(source.path, source.key)
  try {
    return await readSheets(spool, target, wanted, now)
  } finally {
    spool.close()
  }
}

async function readSheets(
  spool: SpoolReader,
  target: { path: string; key: FrameKey },
  wanted: number | null,
  now: () => number,
): Promise<WorkbookRead> {
  const entries = readDirectory(spool)
  const allowance: Allowance = { bytes: zipLimits.unpacked, until: now() + MOST_MS, now }
  const open = (path: string): AsyncIterable<Buffer> | null => {
    const entry: ZipEntry | undefined =
      entries.get(path) ??
      [...entries.values()].find(({ name }) => name.toLowerCase() === path.toLowerCase())
    return entry === undefined ? null : unpack(spool, entry, allowance)
  }
  const main = relationsSink('')
  const root = open('_rels/.rels')
  if (root !== null) await readXml(root, main.sink)
  const book =
    [...main.relations.values()].find(({ type }) => type === 'officeDocument')?.path ??
    'xl/workbook.xml'
  const listed = open(book)
  if (listed === null || !book.endsWith('.xml') || !/(?:^|\/)workbook\d*\.xml$/i.test(book))
    throw noWorkbook(entries)
  const { sink, sheets, from1904 } = sheetsSink()
  await readXml(listed, sink)
  const folder = book.split('/').slice(0, -1).join('/')
  const { sink: relationSink, relations } = relationsSink(folder)
  const references = open(`${folder}/_rels/${book.split('/').at(-1) ?? ''}.rels`)
  if (references !== null) await readXml(references, relationSink)
  const readable = sheets.filter(({ relation }) => relations.get(relation)?.type === 'worksheet')
  const part = (type: string): AsyncIterable<Buffer> | null =>
    open([...relations.values()].find((each) => each.type === type)?.path ?? '')
  const styles = stylesSink()
  const stylesPart = part('styles')
  if (stylesPart !== null) await readXml(stylesPart, styles.sink)
  const shared = sharedTextsSink()
  const sharedPart = part('sharedStrings')
  if (sharedPart !== null) await readXml(sharedPart, shared.sink)
  const facts: CellFacts = { shared: shared.texts, looks: styles.looks, from1904: from1904() }

  const tries =
    wanted === null
      ? [...readable.keys()].sort(
          (a, b) => Number(readable[a]?.hidden) - Number(readable[b]?.hidden),
        )
      : [wanted]
  for (const sheet of tries) {
    const pieces = open(relations.get(readable[sheet]?.relation ?? '')?.path ?? '')
    if (pieces !== null && (await writeSheet(pieces, facts, target)) > 0)
      return { sheets: readable.map(({ name, hidden }) => ({ name, hidden })), sheet }
  }
  if (wanted !== null && readable[wanted] !== undefined)
    return { sheets: readable.map(({ name, hidden }) => ({ name, hidden })), sheet: wanted }
  throw new UnreadableFile(
    fileProblem('EMPTY_FILE', 'This workbook has no sheet with content.', 'Choose another file.'),
  )
}

/** Writes a sheet and returns its number of rows. */
async function writeSheet(
  pieces: AsyncIterable<Buffer>,
  facts: CellFacts,
  target: { path: string; key: FrameKey },
): Promise<number> {
  const writer = createTextWriter(target.path, target.key)
  try {
    await readXml(pieces, sheetSink(facts, writer.take))
    writer.finish()
  } catch (error) {
    writer.abandon()
    throw error
  }
  return writer.rows()
}

function noWorkbook(entries: ReadonlyMap<string, ZipEntry>): UnreadableFile {
  const names = [...entries.keys()]
  const is = (what: RegExp): boolean => names.some((name) => what.test(name))
  if (is(/^xl\/workbook\.bin$/))
    return new UnreadableFile(
      fileProblem(
        'NOT_TEXT',
        'This is a binary workbook (xlsb).',
        'Save it as xlsx or csv and add that file.',
      ),
    )
  if (is(/^word\//))
    return new UnreadableFile(
      fileProblem(
        'NOT_TEXT',
        'This is a Word document.',
        'Copy the keys into a text file, one per line.',
      ),
    )
  if (is(/^content\.xml$/))
    return new UnreadableFile(
      fileProblem(
        'NOT_TEXT',
        'This is an OpenDocument file.',
        'Save the sheet as xlsx or csv and add that file.',
      ),
    )
  return new UnreadableFile(
    fileProblem(
      'NOT_TEXT',
      'This is a zip archive, regardless of its name.',
      'Extract it and add the files inside.',
    ),
  )
}
