import { one } from './case.ts'
import type { CorpusCase } from './case.ts'

const byColumn = (
  name: string,
  file: string,
  content: string | Buffer,
  expected: readonly string[],
  more: Partial<CorpusCase> = {},
): CorpusCase => one(name, file, content, expected, { offerId: null, ...more })

export const tables: CorpusCase[] = [
  byColumn(
    'offers named by offer ID, product ID, name in any case, and missing',
    'mapped.csv',
    'code;sku\nAAAAA-BBBBB-00001;off_steam\nAAAAA-BBBBB-00002;10442\nAAAAA-BBBBB-CCCCC-00003;sable ' +
      'horizon - complete edition\nAAAAA-BBBBB-00004;Cinderkeep ' +
      'PlayStation\nAAAAA-BBBBB-00005;MIRR-EU\n',
    [
      '2 steam ready | AAAAA-BBBBB-00001',
      '3 steam ready | AAAAA-BBBBB-00002',
      '4 gog ready | AAAAA-BBBBB-CCCCC-00003',
      '5 psn ready unusual-shape | AAAAA-BBBBB-00004',
      '6 no-offer | AAAAA-BBBBB-00005',
    ],
    { settings: { form: 'table', delimiter: ';', header: true, keyColumn: 0, offerColumn: 1 } },
  ),
  byColumn(
    'offer before key, tabs, no header',
    'pasted.txt',
    '10442\tAAAAA-BBBBB-00001\n10871\tAAAAA-BBBBB-CCCCC-00002\n',
    ['1 steam ready | AAAAA-BBBBB-00001', '2 gog ready | AAAAA-BBBBB-CCCCC-00002'],
    { settings: { form: 'table', delimiter: '\t', header: false, keyColumn: 1, offerColumn: 0 } },
  ),
  byColumn(
    'pipes as delimiters',
    'bars.txt',
    'key|game\nAAAAA-BBBBB-00001|Ironwharf 3\nAAAAA-BBBBB-00002|Ironwharf 3\n',
    ['2 steam ready | AAAAA-BBBBB-00001', '3 steam ready | AAAAA-BBBBB-00002'],
    { settings: { delimiter: '|' } },
  ),
  byColumn(
    'quoted fields that contain delimiters, doubled quotes and line endings',
    'quoted.csv',
    'code,game,note\n"AAAAA-BBBBB-00001",10442,"a, ' +
      'b"\nAAAAA-BBBBB-00002,10442,"two\nlines"\nAAAAA-BBBBB-00003,10442,"say ""hi"""\n',
    [
      '2 steam ready | AAAAA-BBBBB-00001',
      '3 steam ready | AAAAA-BBBBB-00002',
      '5 steam ready | AAAAA-BBBBB-00003',
    ],
  ),
  byColumn(
    'an unclosed quote affects only its own line',
    'unclosed.csv',
    'code,sku\n"AAAAA-BBBBB-00001,10442\nAAAAA-BBBBB-00002,10442\nAAAAA-BBBBB-00003,10442\n',
    [
      '2 refused missing-column | "AAAAA-BBBBB-00001,10442',
      '3 steam ready | AAAAA-BBBBB-00002',
      '4 steam ready | AAAAA-BBBBB-00003',
    ],
  ),
  byColumn(
    'rows with too few and too many columns',
    'ragged.csv',
    'sku,code\n10442,AAAAA-BBBBB-00001\n10442\n10442,AAAAA-BBBBB-00002,more,and more\n10442,\n',
    [
      '2 steam ready | AAAAA-BBBBB-00001',
      '3 steam refused missing-column | 10442',
      '4 steam ready | AAAAA-BBBBB-00002',
      '5 steam refused blank | ',
    ],
  ),
  byColumn(
    'a table whose cells a spreadsheet quoted or damaged',
    'export.csv',
    'code;sku\n"=""0012345""";10999\n1,23E+15;10999\n\'0012346\';10999\n',
    [
      '2 other ready quotes-removed | 0012345',
      '3 other refused spreadsheet-damage | 1,23E+15',
      '4 other ready quotes-removed | 0012346',
    ],
  ),
  one(
    'a csv file with a single column',
    'one-column.csv',
    'code\nAAAAA-BBBBB-00001\nAAAAA-BBBBB-00002\n',
    ['2 steam ready | AAAAA-BBBBB-00001', '3 steam ready | AAAAA-BBBBB-00002'],
    { settings: { form: 'table', header: true } },
  ),
  one(
    'a table with columns of prices and dates next to the keys',
    'prices.csv',
    'bought;cost;serial\n2024-01-05;3,50;AAAAA-BBBBB-00001\n2024-01-06;3,50;AAAAA-BBBBB-00002\n',
    ['2 steam ready | AAAAA-BBBBB-00001', '3 steam ready | AAAAA-BBBBB-00002'],
    { settings: { delimiter: ';', keyColumn: 2, offerColumn: null } },
  ),
  one(
    'logins in a table with a login header',
    'accounts.csv',
    'login:password,region\nann@example.net:secret1,EU\nben@example.net:secret2,EU\n',
    ['2 steam ready | ann@example.net:secret1', '3 steam ready | ben@example.net:secret2'],
    { settings: { form: 'table', keyColumn: 0 } },
  ),
  {
    ...one(
      'the user corrects delimiter, header and column',
      'wrong.txt',
      'x,AAAAA_BBBBB_00001;a\ny,AAAAA_BBBBB_00002;b\n',
      ['1 other ready | x,AAAAA_BBBBB_00001', '2 other ready | y,AAAAA_BBBBB_00002'],
    ),
    files: [
      {
        name: 'wrong.txt',
        bytes: Buffer.from('x,AAAAA_BBBBB_00001;a\ny,AAAAA_BBBBB_00002;b\n'),
        offerId: 'off_other',
        fixed: { form: 'table', delimiter: ';', header: false, keyColumn: 0, offerColumn: null },
      },
    ],
  },
  {
    ...one('the user selects Windows-1252 for a file', 'forced.txt', '', []),
    files: [
      {
        name: 'forced.txt',
        bytes: Buffer.from('K\xc3\xbc-1\n', 'latin1'),
        offerId: 'off_other',
        fixed: { encoding: 'windows-1252' },
      },
    ],
    expected: [['1 other ready | KÃ¼-1']],
  },
]
