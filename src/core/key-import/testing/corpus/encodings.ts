import { one } from './case.ts'

const utf16 = (text: string, bigEndian: boolean): Buffer => {
  const bytes = Buffer.from(text, 'utf16le')
  return bigEndian ? bytes.swap16() : bytes
}
const two = ['1 steam ready | AAAAA-BBBBB-00001', '2 steam ready | AAAAA-BBBBB-00002']
const keys = 'AAAAA-BBBBB-00001\nAAAAA-BBBBB-00002\n'

export const encodings = [
  one(
    'UTF-8 with a byte order mark, which isn’t part of the first key',
    'bom.txt',
    `\ufeff${keys}`,
    two,
    { settings: { encoding: 'utf-8' } },
  ),
  one('UTF-16 little-endian with a byte order mark', 'le.txt', utf16(`\ufeff${keys}`, false), two, {
    settings: { encoding: 'utf-16le' },
  }),
  one('UTF-16 big-endian with a byte order mark', 'be.txt', utf16(`\ufeff${keys}`, true), two, {
    settings: { encoding: 'utf-16be' },
  }),
  one('UTF-16 little-endian without a byte order mark', 'le-bare.txt', utf16(keys, false), two, {
    settings: { encoding: 'utf-16le' },
  }),
  one(
    'UTF-16 big-endian without a byte order mark, with carriage returns',
    'be-bare.txt',
    utf16(keys.replaceAll('\n', '\r\n'), true),
    two,
    { settings: { encoding: 'utf-16be' } },
  ),
  one(
    'UTF-16 cut off within a character',
    'le-cut.txt',
    utf16(`\ufeff${keys}AAAAA-BBBBB-00003`, false).subarray(0, -1),
    [...two, '3 steam refused invalid-encoding | '],
    { settings: { encoding: 'utf-16le' } },
  ),
  one(
    'Windows-1252 with umlauts and a euro sign',
    'ansi.txt',
    Buffer.from('Schl\xfcssel-\xe4\xf6\xfc-1\n\x80-KEY-00002\n', 'latin1'),
    ['1 other ready | Schlüssel-äöü-1', '2 other ready | €-KEY-00002'],
    { offerId: 'off_other', settings: { encoding: 'windows-1252' } },
  ),
  one(
    'UTF-8 with one invalid line',
    'broken.txt',
    Buffer.concat([
      Buffer.from('Schlüssel-äöü-1\nSchlüssel-äöü-2\n'),
      Buffer.from([0x41, 0xc3, 0x28, 0x0a]),
      Buffer.from('AAAAA-BBBBB-00001\n'),
    ]),
    [
      '1 other ready | Schlüssel-äöü-1',
      '2 other ready | Schlüssel-äöü-2',
      '3 other refused invalid-encoding | ',
      '4 other ready | AAAAA-BBBBB-00001',
    ],
    { offerId: 'off_other', settings: { encoding: 'utf-8' } },
  ),
  one(
    'byte order marks in the middle, as in concatenated files',
    'joined.txt',
    `\ufeffAAAAA-BBBBB-00001\n\ufeffAAAAA-BBBBB-00002\n`,
    ['1 steam ready | AAAAA-BBBBB-00001', '2 steam ready invisible-removed | AAAAA-BBBBB-00002'],
  ),
  one(
    'characters beyond the basic plane',
    'wide.txt',
    '𝔸𝔸𝔸𝔸𝔸-BBBBB-00001\n🎮-KEY-00002\n',
    ['1 other ready confusable | 𝔸𝔸𝔸𝔸𝔸-BBBBB-00001', '2 other ready | 🎮-KEY-00002'],
    { offerId: 'off_other' },
  ),
]
