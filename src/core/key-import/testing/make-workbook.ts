import { crc32, deflateRawSync } from 'node:zlib'

/** One part of an archive. `claims`: false values for its directory entry. */
export type Part = {
  name: string
  bytes: Buffer | string
  stored?: boolean
  encrypted?: boolean
  claims?: { packed?: number; crc?: number }
}

/** A zip archive, as malicious as its parts request. */
export function makeZip(parts: readonly Part[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes, stored = false, encrypted = false, claims } of parts) {
    const content = Buffer.from(bytes)
    const packed = stored ? content : deflateRawSync(content, { level: 9 })
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(encrypted ? 1 : 0, 2)
    fields.writeUInt16LE(stored ? 0 : 8, 4)
    fields.writeUInt32LE(claims?.crc ?? crc32(content), 10)
    fields.writeUInt32LE(claims?.packed ?? packed.length, 14)
    fields.writeUInt32LE(content.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    files.push(Buffer.from([0x50, 0x4b, 3, 4]), fields, Buffer.from(name), packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), fields, rest, Buffer.from(name))
    offset += 30 + Buffer.byteLength(name) + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, listed, end])
}

/** A cell: text (shared), or the content of a `c` element with its attributes. */
export type Cell = string | { attributes?: string; inside: string } | null
export type SheetOf = {
  name: string
  state?: string
  rows: readonly (readonly Cell[])[]
  /** Text before the root element of the sheet's part. */ before?: string
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const columnName = (index: number): string =>
  index < 26
    ? String.fromCharCode(65 + index)
    : columnName(Math.floor(index / 26) - 1) + columnName(index % 26)

/**
 * An xlsx workbook like those of spreadsheet programs. `formats`: the number format of each cell
 * style, by id or code.
 */
export function makeWorkbook(
  sheets: readonly SheetOf[],
  {
    formats = [],
    more = [],
    from1904 = false,
  }: { formats?: readonly (number | string)[]; more?: readonly Part[]; from1904?: boolean } = {},
): Buffer {
  const shared: string[] = []
  const cellOf = (cell: Cell, reference: string): string => {
    if (cell === null) return ''
    if (typeof cell !== 'string')
      return `<c r="${reference}"${cell.attributes === undefined ? '' : ` ${cell.attributes}`}>${cell.inside}</c>`
    shared.push(cell)
    return `<c r="${reference}" t="s"><v>${shared.length - 1}</v></c>`
  }
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const rowXml = (cells: (typeof sheets)[number]['rows'][number], row: number): string =>
    cells.length === 0
      ? ''
      : `<row r="${row + 1}">${cells
          .map((cell, column) => cellOf(cell, `${columnName(column)}${row + 1}`))
          .join('')}</row>`
  const sheetXml = ({ name, state }: (typeof sheets)[number], index: number): string =>
    `<sheet name="${escape(name)}" sheetId="${index + 1}"` +
    `${state === undefined ? '' : ` state="${state}"`} r:id="rId${index + 1}"/>`
  const relationXml = (_: unknown, index: number): string =>
    `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" ` +
    `Target="worksheets/sheet${index + 1}.xml"/>`
  const formatXml = ({ id, code }: { id: number; code: string | null }): string =>
    code === null ? '' : `<numFmt numFmtId="${id}" formatCode="${escape(code)}"/>`
  const bodies = sheets.map(
    ({ rows, before = '' }) =>
      `${head}${before}<worksheet ${main}><sheetData>` +
      `${rows.map(rowXml).join('')}</sheetData></worksheet>`,
  )
  const codes = formats.map((format, index) => ({
    id: typeof format === 'number' ? format : 164 + index,
    code: typeof format === 'number' ? null : format,
  }))
  return makeZip([
    {
      name: '[Content_Types].xml',
      bytes: `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    },
    {
      name: '_rels/.rels',
      bytes:
        `${head}<Relationships><Relationship Id="rId1" Type="${office}/officeDocument" ` +
        'Target="xl/workbook.xml"/></Relationships>',
    },
    {
      name: 'xl/workbook.xml',
      bytes:
        `${head}<workbook ${main} xmlns:r="${office}">` +
        `<workbookPr${from1904 ? ' date1904="1"' : ''}/><sheets>` +
        `${sheets.map(sheetXml).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      bytes:
        `${head}<Relationships>${sheets.map(relationXml).join('')}` +
        `<Relationship Id="rId98" Type="${office}/styles" Target="/xl/styles.xml"/>` +
        `<Relationship Id="rId99" Type="${office}/sharedStrings" ` +
        'Target="sharedStrings.xml"/></Relationships>',
    },
    {
      name: 'xl/styles.xml',
      bytes:
        `${head}<styleSheet ${main}><numFmts>${codes.map(formatXml).join('')}</numFmts>` +
        '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf ' +
        `numFmtId="0"/>${codes.map(({ id }) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      bytes:
        `${head}<sst ` +
        `${main}>${shared.map((text) => `<si><t xml:space="preserve">${escape(text)}</t></si>`).join('')}</sst>`,
    },
    ...bodies.map((bytes, index) => ({ name: `xl/worksheets/sheet${index + 1}.xml`, bytes })),
    ...more,
  ])
}
