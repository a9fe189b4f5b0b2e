import { cents } from '../../../../server/api/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatMessage } from '../../../contract/localization/localized.ts'
import type { CostLine } from '../../../contract/keys/cost-table.ts'
import type { Import } from '../../../contract/keys/import-records.ts'
import type { ImportReport } from '../../../contract/keys/import-reports.ts'
import { PLAIN_EXPORT_PHRASE } from '../../../contract/app/vault.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { problemOf, startTestCore, until } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { memoryKeychain } from '../../testing/keychains.ts'

let backend: TestBackend
let harness: TestCore
let accountId: string
const folder = temporaryFolder()

beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  harness = await startTestCore(folder.path, memoryKeychain(), { rates: null })
  const key = backend.ready.demo?.sellerKey ?? ''
  const { baseUrl } = backend.ready
  accountId = (await harness.ask.accounts.connect({ key, baseUrl, name: 'Seller' })).id
  await until(
    () => harness.ask.offers.list({ accountId }),
    ({ total }) => total > 1,
  )
})
afterAll(async () => {
  await harness.close()
  await backend.stop()
  folder.remove()
})

const settled = (importId: string): Promise<Import> =>
  until(
    () => harness.ask.imports.get({ importId }),
    ({ files }) =>
      files.length > 0 && files.every(({ state }) => state === 'checked' || state === 'failed'),
  )
async function send(importId: string, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  const { fileId } = await harness.ask.imports.addFile({ importId, name, size: bytes.length })
  const base64 = bytes.toString('base64')
  await harness.ask.imports.writeFile({ importId, fileId, offset: 0, base64, last: true })
  await settled(importId)
}
async function uploaded(importId: string): Promise<ImportReport> {
  await harness.ask.imports.upload({ importId })
  await until(
    () => harness.ask.imports.get({ importId }),
    ({ state }) => state === 'done',
  )
  return harness.ask.imports.report({ importId })
}
/** Every line read has one of these outcomes. */
const outcomesOf = ({ counts, ...file }: ImportReport['files'][number]): number =>
  file.added +
  file.duplicates +
  file.unsure +
  file.notTaken +
  file.notSent +
  (counts?.duplicate ?? 0) +
  (counts?.refused ?? 0) +
  (counts?.noOffer ?? 0) +
  (counts?.setAside ?? 0)
const csvOf = async (importId: string): Promise<string[][]> => {
  const { base64 } = await harness.ask.imports.exportReport({ importId })
  return Buffer.from(base64, 'base64')
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
}

test('accounts for every line by reason, as a file, and continues with those without an offer @long', async () => {
  const [offer] = (await harness.ask.offers.list({ accountId })).rows
  const offerId = offer?.offerId ?? ''
  const { importId } = await harness.ask.imports.create({ accountId })
  await send(
    importId,
    'november.csv',
    [
      'November',
      'sku;key',
      `${offerId};AAAAA-REPRT-00001`,
      `${offerId};AAAAA-REPRT-00001`,
      ...['1.2E+15', '1.3E+15', '1.4E+15'].map((damaged) => `${offerId};${damaged}`),
      `${offerId};AAAAA-REPRT-00002`,
      `${offerId};1.5E+15`,
      'MIRR-EU;AAAAA-REPRT-00003',
      'MIRR-EU;AAAAA-REPRT-00004',
      `${offerId};AAAAA-REPRT-00005 used`,
      '',
    ].join('\n'),
  )
  const report = await uploaded(importId)
  const [file] = report.files
  if (file === undefined) throw new Error('no file')
  expect(file).toMatchObject({
    read: 10,
    added: 2,
    counts: { duplicate: 1, refused: 4, noOffer: 2, setAside: 1 },
  })
  expect(outcomesOf(file)).toBe(file.read)
  const reasons = file.reasons.map(({ reason, count, lines }) => [reason, count, lines])
  expect(reasons).toContainEqual(['spreadsheet-damage', 4, '5–7, 9'])
  expect(reasons).toContainEqual(['duplicate-in-file', 1, '4'])
  expect(reasons).toContainEqual(['no-offer', 2, '10–11'])
  expect(report).toMatchObject({ hasLines: true, remaining: { lines: 3, continuedBy: null } })

  const [titles, ...rows] = await csvOf(importId)
  expect(titles?.slice(0, 4)).toEqual(['File', 'Line', 'Result', 'Reason'])
  expect(rows.map(([, line, result, reason]) => [Number(line), result, reason])).toEqual([
    [3, 'Added', ''],
    [4, 'Skipped duplicate', 'Duplicate in file'],
    [5, 'Rejected', 'Spreadsheet damage'],
    [6, 'Rejected', 'Spreadsheet damage'],
    [7, 'Rejected', 'Spreadsheet damage'],
    [8, 'Added', ''],
    [9, 'Rejected', 'Spreadsheet damage'],
    [10, 'No offer', ''],
    [11, 'No offer', ''],
    [12, 'Set aside', 'Marked used'],
  ])
  expect(rows.flat().join()).not.toContain('REPRT')

  const exported = await harness.ask.imports.exportRemaining({
    importId,
    typed: PLAIN_EXPORT_PHRASE,
  })
  expect(
    exported.map(({ fileName, base64 }) => [fileName, Buffer.from(base64, 'base64').toString()]),
  ).toEqual([
    [
      'november-remaining.csv',
      `sku;key\nMIRR-EU;AAAAA-REPRT-00003\nMIRR-EU;AAAAA-REPRT-00004\n${offerId};AAAAA-REPRT-00005 used\n`,
    ],
  ])

  const next = await harness.ask.imports.continueImport({ importId })
  expect((await harness.ask.imports.continueImport({ importId })).importId).toBe(next.importId)
  const draft = await settled(next.importId)
  expect(draft.sums).toMatchObject({ read: 3, noOffer: 2, setAside: 1 })
  expect(draft.files[0]?.settings).toMatchObject({ delimiter: ';', keyColumn: 1, offerColumn: 0 })
  await harness.ask.imports.chooseOffer({
    importId: next.importId,
    fileId: draft.files[0]?.fileId ?? '',
    value: 'MIRR-EU',
    offerId,
  })
  expect((await uploaded(next.importId)).files[0]).toMatchObject({ read: 3, added: 2 })
  expect((await harness.ask.imports.report({ importId })).remaining).toMatchObject({
    continuedBy: { importId: next.importId, isDraft: false },
  })
  const { rows: recorded } = await harness.ask.activity.list({})
  expect(recorded.map(({ detail }) => detail && formatMessage(detail))).toContain(
    'Saved lines of import 1, in plain text',
  )
  await harness.ask.imports.discardRemaining({ importId })
  expect((await harness.ask.imports.report({ importId })).remaining.lines).toBe(0)
  expect(
    (await problemOf(harness.ask.imports.exportRemaining({ importId, typed: PLAIN_EXPORT_PHRASE })))
      .code,
  ).toBe('NOT_FOUND')
})

test('lists the lines of two files with the same name separately @long', async () => {
  const offerId = (await harness.ask.offers.list({ accountId })).rows[0]?.offerId ?? ''
  const keys = ['AAAAA-FIRST-00001', 'AAAAA-OTHER-00001']
  const added = await fetch(`${backend.ready.sellerUrl}/offers/${offerId}/keys`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${backend.ready.demo?.sellerKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ keys }),
  })
  expect(added.ok).toBe(true)
  const { importId } = await harness.ask.imports.create({ accountId })
  for (const key of keys) await send(importId, 'keys.csv', `sku;key\n${offerId};${key}\n`)
  await uploaded(importId)
  const found = await harness.ask.imports.outcomes({ importId, fate: 'duplicate' })
  expect(found.map(({ fileName, line }) => [fileName, line])).toEqual([
    ['keys.csv', 2],
    ['keys.csv', 2],
  ])
  expect(new Set(found.map(({ file }) => file)).size).toBe(2)
})

test('keeps the cost and supplier of a batch, and makes it the offer’s cost @long', async () => {
  const { rows } = await harness.ask.offers.list({ accountId })
  const [, offer, other] = rows
  const ids = [offer, other].map((row) => row?.offerId ?? '')
  const { importId } = await harness.ask.imports.create({ accountId })
  await send(
    importId,
    'costs.csv',
    [
      'sku;key;EK;Währung;Lieferant',
      `${ids[0]};AAAAA-COSTS-00001;4,20;EUR;ACME`,
      `${ids[0]};AAAAA-COSTS-00002;4,40;EUR;ACME`,
      `${ids[0]};AAAAA-COSTS-00003;5,00;USD;ACME`,
      // Not ready, so its cost doesn't count.
      `${ids[0]};AAAAA-COSTS-00001;99,00;EUR;Nobody`,
      `${ids[1]};AAAAA-COSTS-00004;;;`,
      '',
    ].join('\n'),
  )
  const { purchases } = await harness.ask.imports.get({ importId })
  expect(purchases).toEqual([
    {
      offerId: ids[0],
      name: offer?.name,
      platform: offer?.platform,
      region: offer?.region,
      deliveryType: offer?.deliveryType,
      keys: 3,
      priced: 2,
      unreadable: 1,
      costCents: 430,
      lowestCents: 420,
      highestCents: 440,
      suppliers: ['ACME'],
      costNowCents: null,
    },
  ])
  await uploaded(importId)
  const costOf = async (id: string | undefined): Promise<number | null | undefined> =>
    (await harness.ask.offers.list({ accountId })).rows.find(({ offerId }) => offerId === id)
      ?.costCents
  expect([await costOf(ids[0]), await costOf(ids[1])]).toEqual([430, null])
  const batches = (await harness.ask.batches.list({ accountId })).batches.filter(
    (batch) => batch.importId === importId,
  )
  const batch = batches.find(({ offerId }) => offerId === ids[0])
  expect(batch).toMatchObject({ costCents: 430, supplier: 'ACME' })
  expect(batches.find(({ offerId }) => offerId === ids[1])).toMatchObject({
    costCents: null,
    supplier: '',
  })
  // A person's correction stays.
  const batchId = batch?.batchId ?? ''
  const changed = await harness.ask.batches.change({ accountId, batchId, costCents: null })
  expect(changed).toMatchObject({ costCents: null, supplier: 'ACME' })

  // Costs from a table, of the batch and of an offer, and back.
  const text = `offer,cost\n${batchId},2.50\n${ids[1] ?? ''},1.10\nunknown,3`
  const lines: CostLine[] = []
  for await (const part of await harness.ask.costs.read({ accountId, text }))
    lines.push(...part.lines)
  expect(lines).toMatchObject([
    { target: { of: 'batch', beforeCents: null }, costCents: 250, reason: null },
    { target: { of: 'offer', beforeCents: null }, costCents: 110, reason: null },
    { target: null },
  ])
  const { before } = await harness.ask.costs.save({
    accountId,
    costs: [
      { of: 'batch', id: batchId, costCents: cents(250) },
      { of: 'offer', id: ids[1] ?? '', costCents: cents(110) },
      { of: 'offer', id: 'unknown', costCents: cents(300) },
    ],
  })
  expect(before).toHaveLength(2)
  const now = async () => [
    (await harness.ask.batches.batch({ accountId, batchId })).costCents,
    await costOf(ids[1]),
  ]
  expect(await now()).toEqual([250, 110])
  await harness.ask.costs.save({ accountId, costs: before })
  expect(await now()).toEqual([null, null])
})
