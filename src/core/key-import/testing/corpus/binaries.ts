import { gzipSync } from 'node:zlib'
import { makeZip } from '../make-workbook.ts'
import { one } from './case.ts'

/** Binary content in which some lines would pass as keys. */
const noise = Buffer.from(
  Array.from({ length: 4096 }, (_, at) => 1 + ((at * 167 + (at >> 3) * 29) % 255)),
)

export const binaries = [
  one('an empty file', 'empty.txt', '', 'EMPTY_FILE'),
  one('a byte order mark and nothing else', 'mark.txt', '\ufeff', []),
  one(
    'a zip archive called csv',
    'archive.csv',
    makeZip([{ name: 'keys.txt', bytes: 'AAAAA-BBBBB-00001' }]),
    'NOT_TEXT',
  ),
  one(
    'a Word document',
    'keys.docx',
    makeZip([{ name: 'word/document.xml', bytes: '<w/>' }]),
    'NOT_TEXT',
  ),
  one(
    'an OpenDocument spreadsheet',
    'keys.ods',
    makeZip([{ name: 'content.xml', bytes: '<w/>' }]),
    'NOT_TEXT',
  ),
  one(
    'a binary workbook (xlsb)',
    'keys.xlsb',
    makeZip([{ name: 'xl/workbook.bin', bytes: 'x' }]),
    'NOT_TEXT',
  ),
  one(
    'an old workbook (xls)',
    'keys.xls',
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]),
    'NOT_TEXT',
  ),
  one('a gzip archive', 'keys.txt.gz', gzipSync('AAAAA-BBBBB-00001'), 'NOT_TEXT'),
  one('a PDF document', 'keys.pdf', '%PDF-1.7\nAAAAA-BBBBB-00001\n', 'NOT_TEXT'),
  one('noise', 'noise.txt', noise, 'NOT_TEXT'),
  one(
    'a text full of zeros',
    'zeros.txt',
    Buffer.alloc(4096, Buffer.from([65, 0, 0, 66])),
    'NOT_TEXT',
  ),
]
