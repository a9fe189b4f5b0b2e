import { afterAll, describe, expect, test } from 'vitest'
import type { SetAsideReason } from '../../../contract/keys/import-records.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { classifyFiles } from '../testing/classify-files.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

describe('a suspicious line', () => {
  const list = [
    'Steam CD Keys (30 pcs):',
    'AAAAA-BBBBB-00001',
    'AAAAA-BBBBB-00002 used',
    '3. AAAAA-BBBBB-00003',
    'Hollow Tide 2 - AAAAA-BBBBB-00004',
    'N/A',
    '',
    'AAAAA-BBBBB-00004',
  ].join('\n')
  const imported = (included: readonly SetAsideReason[]) =>
    classifyFiles(folder.path, [
      { name: 'a.txt', bytes: Buffer.from(list), offerId: 'off_steam', included },
    ])

  test('is set aside with its reason, and never sent without a person', async () => {
    const { files, sums, sent } = await imported([])
    expect(files[0]?.lines).toEqual([
      '1 steam set-aside no-key | Steam CD Keys (30 pcs):',
      '2 steam ready | AAAAA-BBBBB-00001',
      '3 steam set-aside marked-used | AAAAA-BBBBB-00002',
      '4 steam ready label-removed | AAAAA-BBBBB-00003',
      '5 steam set-aside text-beside-key | AAAAA-BBBBB-00004',
      '6 steam set-aside placeholder | N/A',
      '7 steam refused blank | ',
      '8 steam ready | AAAAA-BBBBB-00004',
    ])
    expect(sums).toMatchObject({ read: 8, ready: 3, setAside: 4, refused: 1, cleaned: 1 })
    expect(sent.map(({ key }) => key)).toEqual([
      'AAAAA-BBBBB-00001',
      'AAAAA-BBBBB-00003',
      'AAAAA-BBBBB-00004',
    ])
  })

  test('is sent as its key once a person includes its reason, each key once', async () => {
    const { files, sums, sent, problems } = await imported(['text-beside-key', 'marked-used'])
    expect(files[0]?.lines.slice(2, 5)).toEqual([
      '3 steam ready marked-used | AAAAA-BBBBB-00002',
      '4 steam ready label-removed | AAAAA-BBBBB-00003',
      '5 steam ready text-beside-key | AAAAA-BBBBB-00004',
    ])
    expect(files[0]?.lines.at(-1)).toBe('8 steam duplicate duplicate-in-file | AAAAA-BBBBB-00004')
    expect(sums).toMatchObject({ ready: 4, setAside: 2, duplicate: 1, warned: 2 })
    expect(sent.map(({ key }) => key)).toContain('AAAAA-BBBBB-00002')
    expect(
      problems.flatMap(({ reason, fate, isIncluded }) => (isIncluded ? [[reason, fate]] : [])),
    ).toEqual([
      ['marked-used', 'ready'],
      ['text-beside-key', 'ready'],
    ])
  })
})
