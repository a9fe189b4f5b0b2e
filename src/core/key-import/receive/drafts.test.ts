import { afterAll, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import type { Import } from '../../../contract/keys/import-records.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { problemOf, startTestCore, until } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { memoryKeychain } from '../../testing/keychains.ts'
import { makePng } from '../testing/make-picture.ts'
import { makeWorkbook } from '../testing/make-workbook.ts'

let backend: TestBackend
let harness: TestCore
let accountId: string
const folder = temporaryFolder()
const authorization = (): { authorization: string } => ({
  authorization: `Bearer ${backend.ready.demo?.sellerKey ?? ''}`,
})

beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  harness = await startTestCore(folder.path, memoryKeychain(), { rates: null })
  accountId = (
    await harness.ask.accounts.connect({
      key: backend.ready.demo?.sellerKey ?? '',
      baseUrl: backend.ready.baseUrl,
      name: 'Seller',
    })
  ).id
  await until(
    () => harness.ask.offers.list({ accountId }),
    ({ total }) => total > 1,
  )
  await until(
    () => harness.ask.catalogue.search({ accountId }),
    ({ total }) => total >= 60,
  )
})
afterAll(async () => {
  await harness.close()
  await backend.stop()
  folder.remove()
})

const draft = async (): Promise<string> =>
  (await harness.ask.imports.create({ accountId })).importId
async function send(
  importId: string,
  name: string,
  bytes: Buffer,
  pictures: { name: string; size: number }[] | null = null,
): Promise<string> {
  const { fileId } = await harness.ask.imports.addFile({
    importId,
    name,
    size: bytes.length,
    pictures,
  })
  await harness.ask.imports.writeFile({
    importId,
    fileId,
    offset: 0,
    base64: bytes.toString('base64'),
    last: true,
  })
  return fileId
}
const checked = (importId: string): Promise<Import> =>
  until(
    () => harness.ask.imports.get({ importId }),
    ({ files }) =>
      files.length > 0 && files.every(({ state }) => state === 'checked' || state === 'failed'),
  )
const someOffers = async (): Promise<{ offerId: string; name: string }[]> =>
  (await harness.ask.offers.list({ accountId, sort: { column: 'stock', direction: 'asc' } })).rows

test('suggests a saved profile for files with the same layout and reads them like the first @long', async () => {
  const [first] = await someOffers()
  const importId = await draft()
  const fileId = await send(
    importId,
    'a.csv',
    Buffer.from('code;item;note\nAAAAA-BBBBB-00001;X1;n\nAAAAA-BBBBB-00002;X2;n\n'),
  )
  await checked(importId)
  await harness.ask.imports.configureFile({ importId, fileId, settings: { offerColumn: 1 } })
  await checked(importId)
  await harness.ask.imports.chooseOffer({
    importId,
    fileId,
    value: 'X1',
    offerId: first?.offerId ?? '',
  })
  const left = await harness.ask.imports.chooseOffer({
    importId,
    fileId,
    value: 'X2',
    offerId: null,
  })
  expect(left.sums).toMatchObject({ ready: 1, noOffer: 1 })
  const saved = await harness.ask.imports.saveProfile({ importId, fileId, name: 'Supplier' })
  expect(saved.files[0]?.profile?.name).toBe('Supplier')
  expect(await harness.ask.imports.profiles({ accountId })).toMatchObject([
    { name: 'Supplier', offers: 1 },
  ])

  const next = await draft()
  const other = await send(
    next,
    'b.csv',
    Buffer.from('code;item;note\nAAAAA-BBBBB-00003;X1;n\nAAAAA-BBBBB-00004;X3;n\n'),
  )
  await send(next, 'c.csv', Buffer.from('serial;item\nAAAAA-BBBBB-00005;X1\n'))
  const seen = await checked(next)
  expect(seen.files.map(({ offered }) => offered.map(({ name }) => name))).toEqual([
    ['Supplier'],
    [],
  ])
  await harness.ask.imports.applyProfile({
    importId: next,
    fileId: other,
    profileId: seen.files[0]?.offered[0]?.profileId ?? '',
  })
  const applied = await checked(next)
  expect(applied.files[0]).toMatchObject({
    settings: { offerColumn: 1 },
    profile: { name: 'Supplier' },
    offered: [],
  })
  expect(
    applied.files[0]?.targets.map(({ value, offerId, matchedBy }) => [value, offerId, matchedBy]),
  ).toEqual([
    ['X1', first?.offerId, 'chosen'],
    ['X3', null, 'none'],
  ])

  const [profile] = await harness.ask.imports.profiles({ accountId })
  await harness.ask.imports.removeProfile({ accountId, profileId: profile?.profileId ?? '' })
  expect(
    (
      await problemOf(
        harness.ask.imports.applyProfile({
          importId: next,
          fileId: other,
          profileId: profile?.profileId ?? '',
        }),
      )
    ).code,
  ).toBe('NOT_FOUND')
  for (const id of [importId, next]) await harness.ask.imports.discard({ importId: id })
})

test('names products for values without an offer, creates offers, and marks the lines as ready @long', async () => {
  const { rows } = await harness.ask.catalogue.search({ accountId, filter: { notSoldByMe: true } })
  const [byId, byName] = rows.filter(
    ({ name }) => rows.filter((row) => row.name === name).length === 1,
  )
  if (byId === undefined || byName === undefined) throw new Error('no products')
  const importId = await draft()
  const fileId = await send(
    importId,
    'new.csv',
    Buffer.from(
      `code;sku\nNEWAA-BBBBB-00001;${byId.productId}\nNEWAA-BBBBB-00002;${byName.name} ` +
        `${byName.platform} ${byName.region}\nNEWAA-BBBBB-00003;No such thing\n`,
    ),
  )
  await checked(importId)
  await harness.ask.imports.configureFile({ importId, fileId, settings: { offerColumn: 1 } })
  expect((await checked(importId)).sums).toMatchObject({ ready: 0, noOffer: 3 })
  const { rows: missing } = await harness.ask.imports.missingOffers({ importId, fileId })
  expect(missing.map(({ lines, product }) => [lines, product?.productId ?? null])).toEqual([
    [1, byId.productId],
    [1, byName.productId],
    [1, null],
  ])
  const made = await harness.ask.imports.createOffers({
    importId,
    fileId,
    offers: [
      {
        value: missing[0]?.value ?? null,
        productId: byId.productId,
        priceCents: cents(1234),
        status: 'paused',
      },
      {
        value: missing[1]?.value ?? null,
        productId: byName.productId,
        priceCents: cents(500),
        status: 'paused',
      },
      {
        value: missing[2]?.value ?? null,
        productId: 'nothing',
        priceCents: cents(500),
        status: 'paused',
      },
    ],
  })
  expect(made.results.map(({ problem }) => problem?.code ?? null)).toEqual([
    null,
    null,
    'PRODUCT_UNAVAILABLE',
  ])
  expect(made.import.sums).toMatchObject({ ready: 2, noOffer: 1 })
  const offer = (await (
    await fetch(`${backend.ready.sellerUrl}/offers/${made.results[0]?.offerId ?? ''}`, {
      headers: authorization(),
    })
  ).json()) as { productId: string; price: number; status: string }
  expect(offer).toMatchObject({ productId: byId.productId, price: 12.34, status: 'paused' })
  await harness.ask.imports.discard({ importId })
})

test('lets the user choose and add workbook sheets, and sends pictures in the service’s format @long', async () => {
  const [first] = await someOffers()
  const offerId = first?.offerId ?? ''
  const importId = await draft()
  const book = makeWorkbook([
    { name: 'One', rows: [['SHEET-BBBBB-00001']] },
    { name: 'Two', rows: [['SHEET-BBBBB-00002'], ['SHEET-BBBBB-00001']] },
  ])
  const fileId = await send(importId, 'book.xlsx', book)
  expect((await checked(importId)).files[0]).toMatchObject({
    kind: 'workbook',
    lines: 1,
    sheets: [{ name: 'One' }, { name: 'Two' }],
  })
  await harness.ask.imports.addSheet({ importId, fileId, sheet: 1 })
  const both = await checked(importId)
  expect(both.files.map(({ settings, lines }) => [settings.sheet, lines])).toEqual([
    [0, 1],
    [1, 2],
  ])
  const scans = [makePng(10, 10, 64, 1), makePng(10, 10, 300_000, 2), Buffer.from('no picture')]
  await send(
    importId,
    'scans',
    Buffer.concat(scans),
    scans.map(({ length }, index) => ({ name: `${index}.png`, size: length })),
  )
  const three = await checked(importId)
  for (const file of three.files)
    await harness.ask.imports.chooseOffer({ importId, fileId: file.fileId, value: null, offerId })
  const ready = await harness.ask.imports.get({ importId })
  expect(ready.sums).toMatchObject({ read: 6, ready: 4, duplicate: 1, refused: 1 })
  expect(
    (await harness.ask.imports.lines({ importId, fileId: three.files[2]?.fileId ?? '' })).rows.map(
      ({ key, fate }) => [key, fate],
    ),
  ).toEqual([
    ['0.png', 'ready'],
    ['1.png', 'ready'],
    ['2.png', 'refused'],
  ])
  await fetch(`${backend.ready.sellerUrl}/offers/${offerId}/withdraw`, {
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'application/json' },
    body: '{}',
  })
  await harness.ask.imports.upload({ importId })
  const report = await until(
    () => harness.ask.imports.get({ importId }),
    ({ endedAt }) => endedAt !== null,
    30_000,
  )
  expect(report.offers).toMatchObject([{ added: 4, duplicates: 0 }])
  const answer = await fetch(`${backend.ready.sellerUrl}/offers/${offerId}/withdraw`, {
    method: 'POST',
    headers: { ...authorization(), 'content-type': 'application/json' },
    body: '{}',
  })
  const { keys } = (await answer.json()) as { keys: string[] }
  expect(keys.toSorted()).toEqual(
    [
      'SHEET-BBBBB-00001',
      'SHEET-BBBBB-00002',
      ...scans.slice(0, 2).map((scan) => `data:image/png;base64,${scan.toString('base64')}`),
    ].toSorted(),
  )

  // Withdrawn keys may be uploaded again if the user chooses so.
  const again = await draft()
  const text = await send(again, 'again.txt', Buffer.from('SHEET-BBBBB-00001\nSHEET-BBBBB-00009'))
  await checked(again)
  expect(
    (await harness.ask.imports.chooseOffer({ importId: again, fileId: text, value: null, offerId }))
      .sums,
  ).toMatchObject({ ready: 1, duplicate: 1 })
  const sent = await harness.ask.imports.setRepeats({ importId: again, send: true })
  expect(sent).toMatchObject({ sendsRepeats: true, sums: { ready: 2, duplicate: 0, warned: 1 } })
  expect(
    (await harness.ask.imports.setRepeats({ importId: again, send: false })).sums,
  ).toMatchObject({
    ready: 1,
    duplicate: 1,
  })
  await harness.ask.imports.discard({ importId: again })
})

test('reports a file of 4 GB, a changed file and a vanished file, and continues with the others', async () => {
  const importId = await draft()
  const large = await problemOf(
    harness.ask.imports.addFile({ importId, name: 'huge.txt', size: 4 * 1024 ** 3 }),
  )
  expect(large).toMatchObject({ code: 'FILE_TOO_LARGE', what: 'huge.txt is larger than 2 GB.' })
  const { fileId } = await harness.ask.imports.addFile({ importId, name: 'open.csv', size: 100 })
  await harness.ask.imports.writeFile({ importId, fileId, offset: 0, base64: 'QUJD', last: false })
  await harness.ask.imports.failFile({ importId, fileId, reason: 'changed' })
  const gone = await harness.ask.imports.addFile({ importId, name: 'gone.csv', size: 100 })
  await harness.ask.imports.failFile({ importId, fileId: gone.fileId, reason: 'unreadable' })
  const short = await harness.ask.imports.addFile({ importId, name: 'short.csv', size: 100 })
  await harness.ask.imports.writeFile({
    importId,
    fileId: short.fileId,
    offset: 0,
    base64: 'QUJD',
    last: true,
  })
  await send(importId, 'good.txt', Buffer.from('AAAAA-BBBBB-00001'))
  const seen = await checked(importId)
  expect(seen.files.map(({ name, problem }) => [name, problem?.code ?? null])).toEqual([
    ['open.csv', 'FILE_CHANGED'],
    ['gone.csv', 'FILE_UNREADABLE'],
    ['short.csv', 'FILE_CHANGED'],
    ['good.txt', null],
  ])
  expect(seen.sums.read).toBe(1)
  expect(
    (await problemOf(harness.ask.imports.readAgain({ importId, fileId: short.fileId }))).code,
  ).toBe('FILE_INCOMPLETE')
  await harness.ask.imports.discard({ importId })
})

test('includes lines that were set aside in the files on screen, not in a file added later @long', async () => {
  const [first] = await someOffers()
  const importId = await draft()
  const lines = (batch: string): Buffer =>
    Buffer.from(`AAAAA-${batch}-00001\nAAAAA-${batch}-00002 used\nN/A\n`)
  const add = async (name: string, batch: string): Promise<void> => {
    const fileId = await send(importId, name, lines(batch))
    await checked(importId)
    const settings = { offerId: first?.offerId ?? '' }
    await harness.ask.imports.configureFile({ importId, fileId, settings })
  }
  await add('a.txt', 'INCLA')
  expect((await checked(importId)).sums).toMatchObject({ ready: 1, setAside: 2 })
  const included = await harness.ask.imports.include({
    importId,
    reason: 'marked-used',
    include: true,
  })
  expect(included.sums).toMatchObject({ read: 3, ready: 2, setAside: 1 })
  expect(included.files[0]?.counts).toMatchObject({ ready: 2, setAside: 1 })
  await add('b.txt', 'INCLB')
  expect((await checked(importId)).sums).toMatchObject({ read: 6, ready: 3, setAside: 3 })
  const asBefore = { importId, reason: 'marked-used' as const, include: false }
  expect((await harness.ask.imports.include(asBefore)).sums).toMatchObject({
    ready: 2,
    setAside: 4,
  })
  await harness.ask.imports.discard({ importId })
})

test('checks an opened draft again after another upload, and sends nothing other than shown @long', async () => {
  const [first, second, third] = await someOffers()
  const offers = [first, second, third].map((offer) => offer?.offerId ?? '')
  const lines = Array.from(
    { length: 30 },
    (_, index) => `${offers[index % 3] ?? ''},STALE-${10_000 + index}-KEY22`,
  )
  const bytes = Buffer.from(['offer,key', ...lines].join('\n'))
  const [shown, closed] = [await draft(), await draft()]
  for (const importId of [shown, closed]) {
    await send(importId, 'stale.csv', bytes)
    // One request per offer.
    expect((await checked(importId)).sums).toMatchObject({ ready: 30, requests: 3 })
  }
  expect((await harness.ask.imports.recheck({ importId: shown })).sumsBefore).toBeNull()
  const other = await draft()
  await send(other, 'other.csv', bytes)
  await checked(other)
  const begun = await harness.ask.imports.upload({ importId: other, ready: 30 })
  expect(begun.upload.requests).toBe(3)
  const changed = await until(
    () => harness.ask.imports.get({ importId: shown }),
    ({ sumsBefore }) => sumsBefore !== null,
  )
  expect(changed).toMatchObject({
    sums: { ready: 0, duplicate: 30, requests: 0 },
    sumsBefore: { ready: 30, duplicate: 0 },
  })
  const refused = await problemOf(harness.ask.imports.upload({ importId: closed, ready: 30 }))
  expect(refused.code).toBe('CHANGED_MEANWHILE')
  expect(await harness.ask.imports.get({ importId: closed })).toMatchObject({
    state: 'draft',
    sums: { ready: 0, duplicate: 30 },
    sumsBefore: { ready: 30 },
  })
  const sentAnyway = await harness.ask.imports.setRepeats({ importId: closed, send: true })
  expect(sentAnyway).toMatchObject({ sumsBefore: null, sums: { ready: 30, requests: 30 } })
  for (const importId of [shown, closed]) await harness.ask.imports.discard({ importId })
})
