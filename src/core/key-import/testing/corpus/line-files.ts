import { one } from './case.ts'

export const lineFiles = [
  one('mixed line ends, one of each kind, and none at the end', 'mixed.txt', 'AAAAA-BBBBB-00001\nAAAAA-BBBBB-00002\r\nAAAAA-BBBBB-00003\rAAAAA-BBBBB-00004', [
    '1 steam ready | AAAAA-BBBBB-00001', '2 steam ready | AAAAA-BBBBB-00002', '3 steam ready | AAAAA-BBBBB-00003', '4 steam ready | AAAAA-BBBBB-00004',
  ]),
  one('blank lines of every kind between keys', 'blank.txt', 'AAAAA-BBBBB-00001\n\n   \n\t\n\u00a0\u200b\n""\nAAAAA-BBBBB-00002\n', [
    '1 steam ready | AAAAA-BBBBB-00001', '2 steam refused blank | ', '3 steam refused blank | ', '4 steam refused blank | ', '5 steam refused blank | ', '6 steam refused blank | ', '7 steam ready | AAAAA-BBBBB-00002',
  ], { refused: '\n   \n\t\n\u00a0\u200b\n""\n' }),
  one('spaces, quotes and invisible marks around keys', 'dirty.txt', ' AAAAA-BBBBB-00001 \n"AAAAA-BBBBB-00002"\n\u200eAAAAA-BBBBB-00003\n“AAAAA-BBBBB-00004”\nAAAAA-BBBBB-00005\t\n«\u00a0AAAAA-BBBBB-00006\u00a0»\nAAAAA-\u00adBBBBB-00007\n', [
    '1 steam ready spaces-removed | AAAAA-BBBBB-00001', '2 steam ready quotes-removed | AAAAA-BBBBB-00002', '3 steam ready invisible-removed | AAAAA-BBBBB-00003', '4 steam ready quotes-removed | AAAAA-BBBBB-00004',
    '5 steam ready spaces-removed | AAAAA-BBBBB-00005', '6 steam ready spaces-removed+quotes-removed | AAAAA-BBBBB-00006', '7 steam ready invisible-removed | AAAAA-BBBBB-00007',
  ]),
  one('what a spreadsheet leaves of long numbers', 'damage.txt', 'AAAAA-BBBBB-00001\n1.23457E+15\n4,8E+14\n-2E+20\n########\n#N/A\n#REF!\n#NAME?\n1E15\n', [
    '1 steam ready | AAAAA-BBBBB-00001', '2 steam refused spreadsheet-damage | 1.23457E+15', '3 steam refused spreadsheet-damage | 4,8E+14', '4 steam refused spreadsheet-damage | -2E+20', '5 steam refused spreadsheet-damage | ########',
    '6 steam refused spreadsheet-damage | #N/A', '7 steam refused spreadsheet-damage | #REF!', '8 steam refused spreadsheet-damage | #NAME?', '9 steam ready unusual-shape | 1E15',
  ], { refused: '1.23457E+15\n4,8E+14\n-2E+20\n########\n#N/A\n#REF!\n#NAME?\n' }),
  one('keys that a spreadsheet took for dates', 'dates.txt', 'AAAAA-BBBBB-00001\n3-Dec\nMAR-05\n2024-03-01 00:00:00\n01/12/2024\n', [
    '1 steam ready | AAAAA-BBBBB-00001', '2 steam ready looks-like-date+unusual-shape | 3-Dec', '3 steam ready looks-like-date+unusual-shape | MAR-05', '4 steam ready looks-like-date | 2024-03-01 00:00:00', '5 steam ready looks-like-date+unusual-shape | 01/12/2024',
  ]),
  one('leading zeros lost among numbers of one length', 'zeros.txt', `${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((first) => `${first}23456789012`).join('\n')}\n23456789012\n345678901\n`, [
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((line) => `${line} psn ready | ${line}23456789012`), '10 psn ready unusual-shape+leading-zero-lost | 23456789012', '11 psn ready unusual-shape+leading-zero-lost | 345678901',
  ], { offerId: 'off_psn' }),
  one('letters of other scripts and typographic hyphens', 'lookalike.txt', 'ААААА-BBBBB-00001\nAAAAA–BBBBB–00002\nAAAAA-BBBΒB-00003\nＡＡＡＡＡ-BBBBB-00004\nÄÖÜSS-BBBBB-00005\nAAAAA-BBBBB-00006\n', [
    '1 other ready confusable | ААААА-BBBBB-00001', '2 other ready confusable | AAAAA–BBBBB–00002', '3 other ready confusable | AAAAA-BBBΒB-00003', '4 other ready confusable | ＡＡＡＡＡ-BBBBB-00004', '5 other ready | ÄÖÜSS-BBBBB-00005', '6 other ready | AAAAA-BBBBB-00006',
  ], { offerId: 'off_other' }),
  one('control characters inside keys, a tab among them', 'control.txt', 'AAAAA-BBBBB-00001\nAAAAA\u0007BBBBB\nAAA\u0000AA\nAA\u001bBB\nCCCCC\tDDDDD\nAAAAA\u0085BBBBB\n', [
    '1 steam ready | AAAAA-BBBBB-00001', '2 steam refused control-characters | AAAAA\u0007BBBBB', '3 steam refused control-characters | AAA\u0000AA', '4 steam refused control-characters | AA\u001bBB', '5 steam refused control-characters | CCCCC\tDDDDD', '6 steam refused control-characters | AAAAA\u0085BBBBB',
  ]),
  one('keys of the longest length that is taken, and one character more', 'long.txt', `${'x'.repeat(4096)}\n${'y'.repeat(4097)}\n${'z'.repeat(70_000)}\nAAAAA-BBBBB-00001\n`, [
    `1 other ready | ${'x'.repeat(4096)}`, `2 other refused too-long | ${'y'.repeat(64)}`, '3 other refused too-long | ', '4 other ready | AAAAA-BBBBB-00001',
  ], { offerId: 'off_other' }),
  one('a line of five megabytes between two keys', 'giant.txt', `AAAAA-BBBBB-00001\n${'A'.repeat(5_000_000)}\nAAAAA-BBBBB-00002`, ['1 steam ready | AAAAA-BBBBB-00001', '2 steam refused too-long | ', '3 steam ready | AAAAA-BBBBB-00002'], { refused: '' }),
  one('only line ends', 'ends.txt', '\n\r\n\r', ['1 steam refused blank | ', '2 steam refused blank | ', '3 steam refused blank | ']),
  one('one key and nothing else', 'single.txt', 'AAAAA-BBBBB-00001', ['1 steam ready | AAAAA-BBBBB-00001']),
  one('a heading over a list', 'heading.txt', 'Keys\nAAAAA-BBBBB-00001\nAAAAA-BBBBB-00002\n', ['2 steam ready | AAAAA-BBBBB-00001', '3 steam ready | AAAAA-BBBBB-00002'], { settings: { form: 'lines', header: true } }),
  one('logins whose passwords hold delimiters', 'logins.txt', 'ann@example.net:p;a,ss\nben@example.net:x;y,z\ncar@example.net:1;2,3\ndan@example.net::;,\n', [
    '1 steam ready | ann@example.net:p;a,ss', '2 steam ready | ben@example.net:x;y,z', '3 steam ready | car@example.net:1;2,3', '4 steam ready | dan@example.net::;,',
  ], { settings: { form: 'lines' } }),
  one('links as keys', 'links.txt', 'https://example.net/gift/AbC1\nhttps://example.net/gift/AbC2?x=1,2\n', ['1 steam ready | https://example.net/gift/AbC1', '2 steam ready | https://example.net/gift/AbC2?x=1,2'], { settings: { form: 'lines' } }),
  one('old, short and lower-case shapes on a platform that has others', 'shapes.txt', 'AAAAA-BBBBB-CCCCC\naaaaa-bbbbb-ccccc-ddddd-eeeee\nAAAA-BBBB-CCCC\nAAAAABBBBBCCCCC\nAAAAA-BBBBB-CCCCC-\n', [
    '1 steam ready | AAAAA-BBBBB-CCCCC', '2 steam ready | aaaaa-bbbbb-ccccc-ddddd-eeeee', '3 steam ready unusual-shape | AAAA-BBBB-CCCC', '4 steam ready unusual-shape | AAAAABBBBBCCCCC', '5 steam ready unusual-shape | AAAAA-BBBBB-CCCCC-',
  ]),
  one('a line separator that is no line end', 'separator.txt', 'AAAAA\u2028BBBBB\nCCCCC\u2029DDDDD\n', ['1 other ready | AAAAA\u2028BBBBB', '2 other ready | CCCCC\u2029DDDDD'], { offerId: 'off_other' }),
  one('notes of a person between the keys', 'notes.txt', '# batch of Monday\nAAAAA-BBBBB-00001\n--- second half ---\nAAAAA-BBBBB-00002\n', [
    '1 steam ready unusual-shape | # batch of Monday', '2 steam ready | AAAAA-BBBBB-00001', '3 steam ready unusual-shape | --- second half ---', '4 steam ready | AAAAA-BBBBB-00002',
  ]),
  one('a list without an offer', 'homeless.txt', 'AAAAA-BBBBB-00001\n\nAAAAA-BBBBB-00001\n', ['1 no-offer | AAAAA-BBBBB-00001', '2 refused blank | ', '3 no-offer | AAAAA-BBBBB-00001'], { offerId: null }),
]
