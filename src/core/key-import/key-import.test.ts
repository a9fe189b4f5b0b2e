import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLAIN_EXPORT_PHRASE } from '../../contract/app/vault.ts'
import { formatMessages } from '../testing/format-messages.ts'
import { problemOf, until } from '../testing/core.ts'
import { keyNumber, startImportingSeller } from './testing/importing-seller.ts'
import type { ImportingSeller } from './testing/importing-seller.ts'

let seller: ImportingSeller
beforeAll(async () => {
  seller = await startImportingSeller()
})
afterAll(() => seller.close())

test('imports 5,000 lines with 37 duplicates and 12 broken ones, and agrees with the seller API', async () => {
  const [first, second] = await seller.offers(2)
  if (first === undefined || second === undefined) throw new Error('no offers')
  const before = await Promise.all([seller.stockOf(first.offerId), seller.stockOf(second.offerId)])
  const lines: string[] = []
  for (let index = 0; index < 4951; index++)
    lines.push(`${keyNumber(index, 'AAAAA')};${index % 3 === 0 ? first.productId : second.offerId}`)
  for (let index = 0; index < 37; index++)
    lines.splice(
      100 * (index + 1),
      0,
      `${keyNumber(index, 'AAAAA')};${index % 3 === 0 ? first.productId : second.offerId}`,
    )
  const broken = [
    '1.23E+15',
    '#####',
    '',
    '',
    'A\u0007B',
    '4,8E+14',
    '   ',
    'x'.repeat(5000),
    '#REF!',
    '\u00a0',
    '\u200b',
    'K\u0001',
  ]
  for (const [index, text] of broken.entries())
    lines.splice(7 + index * 400, 0, `${text};${first.productId}`)
  const importId = (await seller.draft()).importId
  await seller.send(importId, 'restock.csv', Buffer.from(`code;sku\r\n${lines.join('\r\n')}\r\n`))
  const preview = await seller.checked(importId)
  expect(preview.sums).toMatchObject({
    read: 5000,
    ready: 4951,
    noOffer: 0,
    duplicate: 37,
    refused: 12,
  })
  expect(preview.files[0]?.settings).toMatchObject({
    form: 'table',
    delimiter: ';',
    header: true,
    keyColumn: 0,
    offerColumn: 1,
  })
  expect(
    preview.files[0]?.targets
      .map(({ offerId, matchedBy }) => ({ offerId, matchedBy }))
      .toSorted((a, b) => a.matchedBy.localeCompare(b.matchedBy)),
  ).toEqual([
    { offerId: second.offerId, matchedBy: 'offer-id' },
    { offerId: first.offerId, matchedBy: 'product-id' },
  ])
  expect(preview.problems.find(({ reason }) => reason === 'spreadsheet-damage')).toMatchObject({
    count: 2,
    fate: 'refused',
    examples: [{ file: 'restock.csv', line: 9, shown: '1.23E+15' }, expect.anything()],
  })

  const started = await seller.ask.imports.upload({ importId })
  expect(started.upload).toMatchObject({ keys: 4951, requests: 6 })
  const report = await seller.ended(importId)
  expect(report).toMatchObject({
    state: 'done',
    upload: { keysSettled: 4951, requestsSettled: 6, squares: 'ssssss' },
  })
  expect(
    formatMessages(
      (await seller.ask.notices.list()).filter(({ kind }) => kind.startsWith('import-')),
    ),
  ).toMatchObject([
    { kind: 'import-done', title: '4,951 keys uploaded', path: `/import/${importId}`, seen: false },
  ])
  expect(
    report.offers.map(({ added, duplicates, sent, total }) => ({
      added,
      duplicates,
      left: total - sent,
    })),
  ).toEqual(
    [
      { added: 3300, duplicates: 0, left: 0 },
      { added: 1651, duplicates: 0, left: 0 },
    ].toSorted(() => (report.offers[0]?.offerId === second.offerId ? 0 : -1)),
  )
  const after = await Promise.all([seller.stockOf(first.offerId), seller.stockOf(second.offerId)])
  expect([after[0] - (before[0] ?? 0), after[1] - (before[1] ?? 0)]).toEqual([1651, 3300])
  expect(report.offers.map(({ offerId, stock }) => [offerId, stock]).toSorted()).toEqual(
    [
      [first.offerId, after[0]],
      [second.offerId, after[1]],
    ].toSorted(),
  )

  const exported = await seller.ask.imports.exportRefused({ importId, typed: PLAIN_EXPORT_PHRASE })
  const text = Buffer.from(exported.base64, 'base64').toString('utf8').trimEnd().split('\n')
  expect(exported.fileName).toBe('restock-rejected.csv')
  expect(text).toEqual(['code;sku', ...broken.map((each) => `${each};${first.productId}`)])
  await until(
    () => readdirSync(join(seller.folder, 'spool', seller.accountId, importId)),
    (files) => files.join() === 'lines,refused',
  )
})

test('recognizes all keys as uploaded before when the same file is imported again', async () => {
  const [first] = await seller.offers(10).then((rows) => rows)
  const uploaded = (await seller.ask.imports.list({ accountId: seller.accountId })).find(
    ({ state }) => state === 'done',
  )
  const report = await seller.ask.imports.get({ importId: uploaded?.importId ?? '' })
  const offerId = report.offers[0]?.offerId ?? first?.offerId ?? ''
  const indexes = Array.from({ length: 40 }, (_, index) => index)
  const importId = (await seller.draft()).importId
  await seller.send(
    importId,
    'again.txt',
    Buffer.from(indexes.map((index) => keyNumber(index, 'AAAAA')).join('\n')),
    offerId,
  )
  const preview = await seller.checked(importId)
  const mine = indexes.filter(
    (index) => (index % 3 === 0) !== (report.offers[0]?.total === 3300),
  ).length
  expect(preview.sums).toMatchObject({ read: 40, duplicate: 40, ready: 0 })
  expect(
    Object.fromEntries(
      preview.problems.map(({ reason, count, fate }) => [`${reason}, ${fate}`, count]),
    ),
  ).toEqual({ 'uploaded-before, duplicate': mine, 'on-another-offer, duplicate': 40 - mine })
  await seller.ask.imports.discard({ importId })
  expect((await problemOf(seller.ask.imports.get({ importId }))).code).toBe('NOT_FOUND')
})

test('keeps a draft and a paused upload across a restart and completes the upload after resuming @long', async () => {
  const [first] = await seller.offers(1)
  const waiting = (await seller.draft()).importId
  await seller.send(
    waiting,
    'later.txt',
    Buffer.from(Array.from({ length: 30 }, (_, index) => keyNumber(index, 'EEEEE')).join('\n')),
    first?.offerId,
  )
  await seller.checked(waiting)
  const { importId } = await seller.draft()
  await seller.send(
    importId,
    'now.txt',
    Buffer.from(Array.from({ length: 9500 }, (_, index) => keyNumber(index, 'FFFFF')).join('\n')),
    first?.offerId,
  )
  await seller.checked(importId)
  const before = await seller.stockOf(first?.offerId ?? '')
  await seller.ask.imports.upload({ importId })
  expect((await problemOf(seller.ask.imports.upload({ importId: waiting }))).code).toBe(
    'UPLOAD_RUNNING',
  )
  const paused = await seller.ask.imports.pause({ importId })
  expect(paused.state).toBe('paused')
  await seller.restart()
  const again = await seller.ask.imports.get({ importId })
  expect(again.state).toBe('paused')
  await until(
    () => seller.ask.app.jobs(),
    (jobs) => jobs.some((job) => job.id === importId && job.state === 'paused'),
  )
  expect(again.upload.keysSettled).toBeLessThan(9500)
  expect((await seller.ask.imports.get({ importId: waiting })).sums).toMatchObject({
    read: 30,
    ready: 30,
  })
  await seller.ask.imports.resume({ importId })
  expect((await seller.ended(importId)).offers).toMatchObject([
    { added: 9500, duplicates: 0, stock: before + 9500 },
  ])
  await seller.ask.imports.upload({ importId: waiting })
  expect((await seller.ended(waiting)).offers).toMatchObject([{ added: 30 }])
})

test('keeps uploaded keys and deletes waiting ones when an upload is canceled @long', async () => {
  const [first] = await seller.offers(1)
  const { importId } = await seller.draft()
  await seller.send(
    importId,
    'stop.txt',
    Buffer.from(Array.from({ length: 9500 }, (_, index) => keyNumber(index, 'GGGGG')).join('\n')),
    first?.offerId,
  )
  await seller.checked(importId)
  const before = await seller.stockOf(first?.offerId ?? '')
  await seller.ask.imports.upload({ importId })
  const report = await seller.ask.imports.cancel({ importId })
  expect(report).toMatchObject({ state: 'cancelled', problem: null })
  expect(report.offers[0]?.added).toBe((await seller.stockOf(first?.offerId ?? '')) - before)
  await until(
    () => readdirSync(join(seller.folder, 'spool', seller.accountId, importId)),
    (files) => files.join() === 'lines,refused',
  )
})
