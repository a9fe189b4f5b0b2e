import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../testing/context.ts'
import { problemOf, startTestCore } from '../testing/core.ts'
import { missingKeychain } from '../testing/keychains.ts'
import { keyNumber, startImportingSeller } from './testing/importing-seller.ts'
import type { ImportingSeller } from './testing/importing-seller.ts'

let seller: ImportingSeller
beforeAll(async () => {
  seller = await startImportingSeller()
})
afterAll(() => seller.close())

test('reads a file again for a corrected column, but not for a corrected offer choice @long', async () => {
  const [first, second] = await seller.offers(2)
  const importId = (await seller.draft()).importId
  const text = [
    'sku,note,code',
    ...Array.from(
      { length: 20 },
      (_, index) =>
        `${index % 2 === 0 ? 'MIRR-EU' : second?.productId},n${index},${keyNumber(index, 'BBBBB')}`,
    ),
  ].join('\n')
  const fileId = await seller.send(importId, 'map.csv', Buffer.from(text))
  const preview = await seller.checked(importId)
  expect(preview.sums).toMatchObject({ read: 20, ready: 10, noOffer: 10 })
  expect(preview.files[0]?.settings).toMatchObject({ keyColumn: 2, offerColumn: 0 })
  const chosen = await seller.ask.imports.chooseOffer({
    importId,
    fileId,
    value: 'MIRR-EU',
    offerId: first?.offerId ?? '',
  })
  expect(chosen.sums).toMatchObject({ ready: 20, noOffer: 0 })
  expect(chosen.files[0]?.targets.find(({ value }) => value === 'MIRR-EU')).toMatchObject({
    matchedBy: 'chosen',
    lines: 10,
  })
  const left = await seller.ask.imports.chooseOffer({
    importId,
    fileId,
    value: 'MIRR-EU',
    offerId: null,
  })
  expect(left.sums).toMatchObject({ ready: 10, noOffer: 10 })
  await seller.ask.imports.configureFile({
    importId,
    fileId,
    settings: { keyColumn: 1, offerColumn: null, offerId: first?.offerId ?? '' },
  })
  const again = await seller.checked(importId)
  expect(again.sums).toMatchObject({ read: 20, ready: 20 })
  const shown = await seller.ask.imports.lines({ importId, fileId, limit: 1, reveal: true })
  expect(shown).toMatchObject({ total: 20, rows: [{ line: 2, key: 'n0', fate: 'ready' }] })
  await seller.ask.imports.discard({ importId })
})

test('masks lines until they are revealed and filters them by outcome', async () => {
  const xbox = (await seller.offers(60)).find(({ platform }) => platform === 'Xbox')
  const importId = (await seller.draft()).importId
  const fileId = await seller.send(
    importId,
    'keys.txt',
    Buffer.from(
      `\ufeff${keyNumber(1, 'CCCCC')}\n${keyNumber(1, 'CCCCC')}\n\n "${keyNumber(2, 'CCCCC')}" \n1.23E+15`,
    ),
    xbox?.offerId,
  )
  expect((await seller.checked(importId)).sums).toMatchObject({
    read: 5,
    ready: 2,
    noOffer: 0,
    duplicate: 1,
    refused: 2,
    setAside: 0,
    cleaned: 1,
    warned: 2,
  })
  const { rows } = await seller.ask.imports.lines({ importId, fileId })
  expect(rows.map(({ line, key, fate }) => ({ line, key, fate }))).toEqual([
    { line: 1, key: 'CCCCC-•••••-•••••', fate: 'ready' },
    { line: 2, key: 'CCCCC-•••••-•••••', fate: 'duplicate' },
    { line: 3, key: '', fate: 'refused' },
    { line: 4, key: 'CCCCC-•••••-•••••', fate: 'ready' },
    { line: 5, key: '1.23E+15', fate: 'refused' },
  ])
  const refused = await seller.ask.imports.lines({
    importId,
    fileId,
    only: 'refused',
    reveal: true,
  })
  expect(refused).toMatchObject({
    total: 2,
    rows: [
      { line: 3, reasons: ['blank'] },
      { line: 5, reasons: ['spreadsheet-damage'] },
    ],
  })
  expect(
    (await seller.ask.imports.lines({ importId, fileId, offset: 3, limit: 1, reveal: true }))
      .rows[0],
  ).toMatchObject({
    key: keyNumber(2, 'CCCCC'),
    reasons: expect.arrayContaining(['spaces-removed', 'quotes-removed']),
  })
  await seller.ask.imports.discard({ importId })
})

test('counts a repeated chunk once, rejects a gap, and fails only a file that changed', async () => {
  const { importId } = await seller.draft()
  const { fileId } = await seller.ask.imports.addFile({ importId, name: 'a.txt', size: 12 })
  const write = (offset: number, text: string, last = false) =>
    seller.ask.imports.writeFile({
      importId,
      fileId,
      offset,
      base64: Buffer.from(text).toString('base64'),
      last,
    })
  expect(await write(0, 'ABCDE-')).toEqual({ received: 6 })
  expect(await write(0, 'ABCDE-')).toEqual({ received: 6 })
  expect(await problemOf(write(0, 'OTHER-'))).toMatchObject({
    code: 'WRONG_OFFSET',
    details: { received: 6 },
  })
  expect((await problemOf(write(9, 'XYZ'))).code).toBe('WRONG_OFFSET')
  await write(6, 'FGH', true)
  const seen = await seller.checked(importId)
  expect(seen.files[0]).toMatchObject({ state: 'failed', problem: { code: 'FILE_CHANGED' } })
  expect((await problemOf(seller.ask.imports.upload({ importId }))).code).toBe('NOTHING_READY')
  await seller.ask.imports.discard({ importId })
})

test('explains why a file that isn’t text can’t be imported', async () => {
  const { importId } = await seller.draft()
  await seller.send(importId, 'keys.csv', Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0]))
  await seller.send(importId, 'empty.txt', Buffer.alloc(0))
  await seller.send(importId, 'noise.txt', Buffer.alloc(4096, Buffer.from([1, 0, 2, 200, 7])))
  // Compressed bytes contain few zeros, and some of their lines would pass as keys.
  await seller.send(
    importId,
    'compressed.txt',
    Buffer.from(Array.from({ length: 4096 }, (_, at) => 1 + ((at * 167 + (at >> 3) * 29) % 255))),
  )
  await seller.send(importId, 'good.txt', Buffer.from(keyNumber(5, 'DDDDD')))
  await seller.send(importId, 'one-broken.txt', Buffer.from('AB\u0007CD'))
  const seen = await seller.checked(importId)
  expect(seen.files.map(({ state, problem }) => problem?.code ?? state)).toEqual([
    'ARCHIVE_DAMAGED',
    'EMPTY_FILE',
    'NOT_TEXT',
    'NOT_TEXT',
    'checked',
    'checked',
  ])
  expect(seen.sums).toMatchObject({ read: 2, noOffer: 1, refused: 1 })
  await seller.ask.imports.discard({ importId })
})

test('accepts no bytes while the vault isn’t open @long', async () => {
  const other = temporaryFolder()
  const shut = await startTestCore(other.path, missingKeychain())
  try {
    const account = await shut.ask.accounts.connect({
      key: seller.backend.ready.demo?.sellerKey ?? '',
      baseUrl: seller.backend.ready.baseUrl,
      name: 'S',
      keep: 'session',
    })
    const { importId } = await shut.ask.imports.create({ accountId: account.id })
    expect(
      (await problemOf(shut.ask.imports.addFile({ importId, name: 'a.txt', size: 3 }))).code,
    ).toBe('VAULT_UNSET')
    await shut.ask.vault.choosePassphrase({ passphrase: 'correct horse battery' })
    const { fileId } = await shut.ask.imports.addFile({ importId, name: 'a.txt', size: 3 })
    await shut.ask.vault.lock()
    expect(
      (
        await problemOf(
          shut.ask.imports.writeFile({ importId, fileId, offset: 0, base64: 'QUJD', last: true }),
        )
      ).code,
    ).toBe('VAULT_LOCKED')
  } finally {
    await shut.close()
    other.remove()
  }
})

test('stores no key and no column value unencrypted in any file', async () => {
  const importId = (await seller.draft()).importId
  await seller.send(
    importId,
    'secret.csv',
    Buffer.from(
      [
        'CANAR-YKEY1-AAAAA,CANAR-YKEY2-BBBBB',
        ...Array.from(
          { length: 9 },
          (_, index) => `CANAR-YKEY3-${String(index).repeat(5)},CANAR-YKEY4-CCCCC`,
        ),
      ].join('\n'),
    ),
  )
  await seller.checked(importId)
  const files = readdirSync(seller.folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile(),
  )
  expect(files.length).toBeGreaterThan(5)
  const found = files
    .filter((entry) =>
      /CANAR-YKEY/.test(readFileSync(join(entry.parentPath, entry.name), 'latin1')),
    )
    .map(({ name }) => name)
  expect(found).toEqual([])
  await seller.ask.imports.discard({ importId })
})
