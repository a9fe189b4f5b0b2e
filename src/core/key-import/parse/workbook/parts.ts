import { tooLargeZip } from './zip.ts'
import { lookOf } from './number-text.ts'
import type { NumberLook } from './number-text.ts'
import { attribute, createXmlReader } from './xml.ts'
import type { XmlSink } from './xml.ts'

/** Maximum characters of all shared strings together. */
const MOST_SHARED = 128 * 1024 * 1024

export type Sheet = { name: string; hidden: boolean; relation: string }

const nothing: XmlSink = { open() {}, close() {}, text() {} }

/** Parses a part with its own sink, and returns the sink's result. */
export async function readXml(
  pieces: AsyncIterable<Buffer>,
  sink: Partial<XmlSink>,
): Promise<void> {
  const reader = createXmlReader({ ...nothing, ...sink })
  let decoder: InstanceType<typeof TextDecoder> | null = null
  for await (const piece of pieces) {
    // A byte order mark indicates UTF-16, which the format allows; otherwise the encoding is UTF-8.
    decoder ??= new TextDecoder(
      piece[0] === 0xff && piece[1] === 0xfe
        ? 'utf-16le'
        : piece[0] === 0xfe && piece[1] === 0xff
          ? 'utf-16be'
          : 'utf-8',
    )
    reader.push(decoder.decode(piece, { stream: true }))
  }
  reader.end()
}

/** The list of sheets (workbook.xml), and whether dates count from 1904. */
export function sheetsSink(): { sink: Partial<XmlSink>; sheets: Sheet[]; from1904: () => boolean } {
  const sheets: Sheet[] = []
  let from1904 = false
  return {
    sheets,
    from1904: () => from1904,
    sink: {
      open(name, attributes) {
        if (name === 'workbookPr')
          from1904 = /^(?:1|true)$/.test(attribute(attributes, 'date1904') ?? '')
        if (name !== 'sheet') return
        const relation =
          /\s[\w.-]*:?id\s*=\s*["'](?<id>[^"']*)["']/.exec(attributes)?.groups?.['id'] ?? ''
        sheets.push({
          name: (attribute(attributes, 'name') ?? '').slice(0, 80),
          hidden: /^(?:hidden|veryHidden)$/.test(attribute(attributes, 'state') ?? ''),
          relation,
        })
      },
    },
  }
}

/** The parts a workbook refers to, by reference id: path in the archive, and type. */
export function relationsSink(folder: string): {
  sink: Partial<XmlSink>
  relations: Map<string, { path: string; type: string }>
} {
  const relations = new Map<string, { path: string; type: string }>()
  return {
    relations,
    sink: {
      open(name, attributes) {
        const target = attribute(attributes, 'Target')
        if (
          name !== 'Relationship' ||
          target === null ||
          attribute(attributes, 'TargetMode') === 'External'
        )
          return
        relations.set(attribute(attributes, 'Id') ?? '', {
          path: resolvePart(folder, target),
          type: (attribute(attributes, 'Type') ?? '').split('/').at(-1) ?? '',
        })
      },
    },
  }
}

/** A part's path in the archive, which can't leave the archive. */
function resolvePart(folder: string, target: string): string {
  const parts: string[] = target.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text

/** The shared strings of cells (sharedStrings.xml) without phonetic hints. */
export function sharedTextsSink(): { sink: Partial<XmlSink>; texts: string[] } {
  const texts: string[] = []
  let text = ''
  let total = 0
  let inText = false
  let spoken = 0
  return {
    texts,
    sink: {
      open(name) {
        if (name === 'si') text = ''
        else if (name === 'rPh') spoken++
        else if (name === 't') inText = spoken === 0
      },
      close(name) {
        if (name === 't') inText = false
        else if (name === 'rPh') spoken--
        else if (name === 'si') {
          texts.push(decodeEscapes(text))
          total += text.length + 16
          if (total > MOST_SHARED) throw tooLargeZip()
        }
      },
      text(part) {
        if (inText) text += part
      },
    },
  }
}

/** The number format of each cell style (styles.xml). */
export function stylesSink(): { sink: Partial<XmlSink>; looks: NumberLook[] } {
  const codes = new Map<number, string>()
  const looks: NumberLook[] = []
  let inCells = false
  return {
    looks,
    sink: {
      open(name, attributes) {
        const id = Number(attribute(attributes, 'numFmtId') ?? 0)
        if (name === 'numFmt') codes.set(id, attribute(attributes, 'formatCode') ?? '')
        else if (name === 'cellXfs') inCells = true
        else if (name === 'xf' && inCells) looks.push(lookOf(id, codes.get(id) ?? null))
      },
      close(name) {
        if (name === 'cellXfs') inCells = false
      },
    },
  }
}

export { decodeEscapes }
