import { makeWorkbook, makeZip } from '../make-workbook.ts'
import type { Cell } from '../make-workbook.ts'
import { one } from './case.ts'
import type { CorpusCase } from './case.ts'

const number = (value: string | number, style?: number): Cell => ({
  inside: `<v>${value}</v>`,
  ...(style !== undefined && { attributes: `s="${style}"` }),
})
const formula = (text: string, value: string): Cell => ({
  attributes: 't="str"',
  inside: `<f>${text}</f><v>${value}</v>`,
})
const rows: readonly (readonly Cell[])[] = [
  ['code', 'sku'],
  ['AAAAA-BBBBB-00001', '10442'],
  ['AAAAA-BBBBB-00002', '10442'],
]
const read = ['2 steam ready | AAAAA-BBBBB-00001', '3 steam ready | AAAAA-BBBBB-00002']
const bomb = `<worksheet><sheetData>${' '.repeat(30_000_000)}</sheetData></worksheet>`

export const workbooks: CorpusCase[] = [
  one(
    'a workbook with an offer column',
    'book.xlsx',
    makeWorkbook([{ name: 'Keys', rows }]),
    read,
    {
      offerId: null,
      settings: { form: 'table', header: true, keyColumn: 0, offerColumn: 1, sheet: 0 },
    },
  ),
  one('a workbook named .csv', 'renamed.csv', makeWorkbook([{ name: 'Keys', rows }]), read, {
    offerId: null,
  }),
  one(
    'five sheets, the first empty, the second hidden: reads the first visible one with content',
    'five.xlsx',
    makeWorkbook([
      { name: 'Empty', rows: [] },
      { name: 'Old', state: 'hidden', rows: [['CCCCC-DDDDD-00009']] },
      { name: 'November', rows },
      { name: 'Notes', rows: [['call Ann']] },
      { name: 'More', rows: [['EEEEE-FFFFF-00001']] },
    ]),
    read,
    { offerId: null, settings: { sheet: 2 } },
  ),
  {
    ...one('the user chooses another sheet', 'chosen.xlsx', '', []),
    expected: [['1 steam ready | EEEEE-FFFFF-00001', '2 steam ready | EEEEE-FFFFF-00002']],
    files: [
      {
        name: 'chosen.xlsx',
        bytes: makeWorkbook([
          { name: 'November', rows },
          { name: 'More & more', rows: [['EEEEE-FFFFF-00001'], ['EEEEE-FFFFF-00002']] },
        ]),
        offerId: 'off_steam',
        fixed: { sheet: 1 },
      },
    ],
  },
  one(
    'formulas count by their values, errors are damage',
    'formulas.xlsx',
    makeWorkbook([
      {
        name: 'S',
        rows: [
          ['code', 'sku'],
          [formula('"AAAAA-"&amp;"BBBBB-00001"', 'AAAAA-BBBBB-00001'), '10442'],
          [{ attributes: 't="e"', inside: '<f>1/0</f><v>#DIV/0!</v>' }, '10442'],
          [formula('A2', ''), '10442'],
        ],
      },
    ]),
    [
      '2 steam ready | AAAAA-BBBBB-00001',
      '3 steam refused spreadsheet-error | #DIV/0!',
      '4 steam refused blank | ',
    ],
    { offerId: null },
  ),
  one(
    'numbers: integers, zero-padded by their format, too long to be exact, dates',
    'numbers.xlsx',
    makeWorkbook(
      [
        {
          name: 'S',
          rows: [
            ['code', 'sku'],
            [number(123456789012), '10999'],
            [number(4711, 1), '10999'],
            [number('1.2345678901234568E+15'), '10999'],
            [number(45352, 2), '10999'],
            [number('45352.5', 3), '10999'],
          ],
        },
      ],
      { formats: ['000000000000', 14, 'yyyy\\-mm\\-dd hh:mm'] },
    ),
    [
      '2 other ready | 123456789012',
      '3 other ready | 000000004711',
      '4 other refused spreadsheet-damage | 1.2345678901234568e+15',
      '5 other ready looks-like-date | 2024-03-01',
      '6 other ready looks-like-date | 2024-03-01 12:00:00',
    ],
    { offerId: null },
  ),
  one(
    'gaps between rows and columns keep the sheet’s line numbers',
    'gaps.xlsx',
    makeWorkbook([
      {
        name: 'S',
        rows: [['code'], [], ['AAAAA-BBBBB-00001'], [], [null, 'x', 'AAAAA-BBBBB-00002']],
      },
    ]),
    [
      '2 steam refused blank | ',
      '3 steam ready | AAAAA-BBBBB-00001',
      '4 steam refused blank | ',
      '5 steam refused blank | ',
    ],
  ),
  one(
    'cells with line endings, tabs, quotes and escaped characters',
    'cells.xlsx',
    makeWorkbook([
      {
        name: 'S',
        rows: [
          ['AAAAA-BBBBB-00001\n'],
          ['AAAAA-BBBBB-00002\nAAAAA-BBBBB-00003'],
          ['"AAAAA-BBBBB-00004"'],
          ['AAAAA-BBBBB-00005_x000D_'],
          ['AAAAA&amp;<b>'],
        ],
      },
    ]),
    [
      '1 steam ready spaces-removed | AAAAA-BBBBB-00001',
      '2 steam refused control-characters | AAAAA-BBBBB-00002\vAAAAA-BBBBB-00003',
      '3 steam ready quotes-removed | AAAAA-BBBBB-00004',
      '4 steam ready spaces-removed | AAAAA-BBBBB-00005',
      '5 steam ready unusual-shape | AAAAA&amp;<b>',
    ],
  ),
  one(
    'an empty workbook',
    'nothing.xlsx',
    makeWorkbook([
      { name: 'A', rows: [] },
      { name: 'B', rows: [['']] },
    ]),
    'EMPTY_FILE',
  ),
  one(
    'a workbook with a document type declaration',
    'doctype.xlsx',
    makeWorkbook([
      {
        name: 'S',
        rows,
        before: '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
      },
    ]),
    'WORKBOOK_REFUSED',
  ),
  one(
    'a workbook with a custom entity',
    'entity.xlsx',
    makeWorkbook([
      { name: 'S', rows: [[{ attributes: 't="inlineStr"', inside: '<is><t>&secret;</t></is>' }]] },
    ]),
    'WORKBOOK_REFUSED',
  ),
  one(
    'a sheet that expands a thousand times',
    'bomb.xlsx',
    makeZip([
      {
        name: 'xl/workbook.xml',
        bytes: '<workbook><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>',
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        bytes:
          '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="sheet1.xml"/></Relationships>',
      },
      { name: 'xl/sheet1.xml', bytes: bomb },
    ]),
    'WORKBOOK_TOO_LARGE',
  ),
  one(
    'a truncated workbook',
    'cut.xlsx',
    makeWorkbook([{ name: 'S', rows }]).subarray(0, 900),
    'ARCHIVE_DAMAGED',
  ),
  one(
    'a sheet with a wrong checksum',
    'checksum.xlsx',
    makeZip([{ name: 'xl/workbook.xml', bytes: '<workbook/>', claims: { crc: 1 } }]),
    'ARCHIVE_DAMAGED',
  ),
  one(
    'a part that extends past the end of the file',
    'beyond.xlsx',
    makeZip([{ name: 'xl/workbook.xml', bytes: '<workbook/>', claims: { packed: 1_000_000 } }]),
    'ARCHIVE_DAMAGED',
  ),
  one(
    'an encrypted part',
    'password.xlsx',
    makeZip([{ name: 'xl/workbook.xml', bytes: '<workbook/>', encrypted: true }]),
    'PASSWORD_NEEDED',
  ),
  one(
    'rows in descending order',
    'backwards.xlsx',
    makeZip([
      {
        name: 'xl/workbook.xml',
        bytes: '<workbook><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>',
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        bytes:
          '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="sheet1.xml"/></Relationships>',
      },
      {
        name: 'xl/sheet1.xml',
        bytes:
          '<worksheet><sheetData><row r="5"><c t="str"><v>A</v></c></row><row r="3"/></sheetData></worksheet>',
      },
    ]),
    'ARCHIVE_DAMAGED',
  ),
]
