import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLAIN_EXPORT_PHRASE } from '../../contract/app/vault.ts'
import type { Import } from '../../contract/keys/import-records.ts'
import { startTestBackend } from '../testing/backend.ts'
import type { TestBackend } from '../testing/backend.ts'
import { temporaryFolder } from '../testing/context.ts'
import { problemOf, startTestCore, until } from '../testing/core.ts'
import type { TestCore } from '../testing/core.ts'
import { memoryKeychain, missingKeychain } from '../testing/keychains.ts'
import { formatMessages } from '../testing/format-messages.ts'

let backend: TestBackend
let harness: TestCore
let accountId: string
const folder = temporaryFolder()
const harnessKeychain = memoryKeychain()

beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  harness = await startTestCore(folder.path, harnessKeychain, { rates: null })
  const account = await harness.ask.accounts.connect({
    key: backend.ready.demo?.sellerKey ?? '',
    baseUrl: backend.ready.baseUrl,
    name: 'Seller',
  })
  accountId = account.id
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

const draft = (): Promise<Import> => harness.ask.imports.create({ accountId })

async function send(
  importId: string,
  name: string,
  bytes: Buffer,
  offerId: string | null = null,
  chunk = 64 * 1024,
): Promise<string> {
  const { fileId } = await harness.ask.imports.addFile({
    importId,
    name,
    size: bytes.length,
    offerId,
  })
  let offset = 0
  do {
    const part = bytes.subarray(offset, offset + chunk)
    const { received } = await harness.ask.imports.writeFile({
      importId,
      fileId,
      offset,
      base64: part.toString('base64'),
      last: offset + part.length >= bytes.length,
    })
    offset = received
  } while (offset < bytes.length)
  return fileId
}
const checked = (importId: string): Promise<Import> =>
  until(
    () => harness.ask.imports.get({ importId }),
    ({ files }) =>
      files.length > 0 && files.every(({ state }) => state === 'checked' || state === 'failed'),
  )
const ended = (importId: string): Promise<Import> =>
  until(
    () => harness.ask.imports.get({ importId }),
    ({ endedAt }) => endedAt !== null,
    30_000,
  )
async function offers(
  count: number,
): Promise<{ offerId: string; productId: string; stock: number; platform: string }[]> {
  const { rows } = await harness.ask.offers.list({
    accountId,
    sort: { column: 'stock', direction: 'asc' },
  })
  return rows.slice(0, count)
}
async function stockOf(offerId: string): Promise<number> {
  const answer = await fetch(`${backend.ready.sellerUrl}/offers/${offerId}`, {
    headers: { authorization: `Bearer ${backend.ready.demo?.sellerKey ?? ''}` },
  })
  return ((await answer.json()) as { stock: number }).stock
}
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const keyNumber = (number: number, batch: string): string => {
  let rest = number
  const part = Array.from({ length: 5 }, () => {
    const letter = alphabet[rest % 32]
    rest = Math.floor(rest / 32)
    return letter
  }).join('')
  return `${batch}-${part}-KEY22`
}

test('imports 5,000 lines with 37 duplicates and 12 broken ones, and agrees with the seller API', async () => {
  const [first, second] = await offers(2)
  if (first === undefined || second === undefined) throw new Error('no offers')
  const before = await Promise.all([stockOf(first.offerId), stockOf(second.offerId)])
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
  const importId = (await draft()).importId
  await send(
    importId,
    'restock.csv',
    Buffer.from(`code;sku\r\n${lines.join('\r\n')}\r\n`),
    null,
    30_000,
  )
  const preview = await checked(importId)
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

  const started = await harness.ask.imports.upload({ importId })
  expect(started.upload).toMatchObject({ keys: 4951, requests: 6 })
  const report = await ended(importId)
  expect(report).toMatchObject({
    state: 'done',
    upload: { keysSettled: 4951, requestsSettled: 6, squares: 'ssssss' },
  })
  expect(
    formatMessages(
      (await harness.ask.notices.list()).filter(({ kind }) => kind.startsWith('import-')),
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
  const after = await Promise.all([stockOf(first.offerId), stockOf(second.offerId)])
  expect([after[0] - (before[0] ?? 0), after[1] - (before[1] ?? 0)]).toEqual([1651, 3300])
  expect(report.offers.map(({ offerId, stock }) => [offerId, stock]).toSorted()).toEqual(
    [
      [first.offerId, after[0]],
      [second.offerId, after[1]],
    ].toSorted(),
  )

  const exported = await harness.ask.imports.exportRefused({ importId, typed: PLAIN_EXPORT_PHRASE })
  const text = Buffer.from(exported.base64, 'base64').toString('utf8').trimEnd().split('\n')
  expect(exported.fileName).toBe('restock-rejected.csv')
  expect(text).toEqual(['code;sku', ...broken.map((each) => `${each};${first.productId}`)])
  await until(
    () => readdirSync(join(folder.path, 'spool', accountId, importId)),
    (files) => files.join() === 'lines,refused',
  )
})

test('recognizes all keys as uploaded before when the same file is imported again', async () => {
  const [first] = await offers(10).then((rows) => rows)
  const uploaded = (await harness.ask.imports.list({ accountId })).find(
    ({ state }) => state === 'done',
  )
  const report = await harness.ask.imports.get({ importId: uploaded?.importId ?? '' })
  const offerId = report.offers[0]?.offerId ?? first?.offerId ?? ''
  const indexes = Array.from({ length: 40 }, (_, index) => index)
  const importId = (await draft()).importId
  await send(
    importId,
    'again.txt',
    Buffer.from(indexes.map((index) => keyNumber(index, 'AAAAA')).join('\n')),
    offerId,
  )
  const preview = await checked(importId)
  const mine = indexes.filter(
    (index) => (index % 3 === 0) !== (report.offers[0]?.total === 3300),
  ).length
  expect(preview.sums).toMatchObject({ read: 40, duplicate: 40, ready: 0 })
  expect(
    Object.fromEntries(
      preview.problems.map(({ reason, count, fate }) => [`${reason}, ${fate}`, count]),
    ),
  ).toEqual({ 'uploaded-before, duplicate': mine, 'on-another-offer, duplicate': 40 - mine })
  await harness.ask.imports.discard({ importId })
  expect((await problemOf(harness.ask.imports.get({ importId }))).code).toBe('NOT_FOUND')
})

test('reads a file again for a corrected column, but not for a corrected offer choice', async () => {
  const [first, second] = await offers(2)
  const importId = (await draft()).importId
  const text = [
    'sku,note,code',
    ...Array.from(
      { length: 20 },
      (_, index) =>
        `${index % 2 === 0 ? 'MIRR-EU' : second?.productId},n${index},${keyNumber(index, 'BBBBB')}`,
    ),
  ].join('\n')
  const fileId = await send(importId, 'map.csv', Buffer.from(text))
  const preview = await checked(importId)
  expect(preview.sums).toMatchObject({ read: 20, ready: 10, noOffer: 10 })
  expect(preview.files[0]?.settings).toMatchObject({ keyColumn: 2, offerColumn: 0 })
  const chosen = await harness.ask.imports.chooseOffer({
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
  const left = await harness.ask.imports.chooseOffer({
    importId,
    fileId,
    value: 'MIRR-EU',
    offerId: null,
  })
  expect(left.sums).toMatchObject({ ready: 10, noOffer: 10 })
  await harness.ask.imports.configureFile({
    importId,
    fileId,
    settings: { keyColumn: 1, offerColumn: null, offerId: first?.offerId ?? '' },
  })
  const again = await checked(importId)
  expect(again.sums).toMatchObject({ read: 20, ready: 20 })
  const shown = await harness.ask.imports.lines({ importId, fileId, limit: 1, reveal: true })
  expect(shown).toMatchObject({ total: 20, rows: [{ line: 2, key: 'n0', fate: 'ready' }] })
  await harness.ask.imports.discard({ importId })
})

test('masks lines until they are revealed and filters them by outcome', async () => {
  const [first] = await offers(1)
  const importId = (await draft()).importId
  const fileId = await send(
    importId,
    'keys.txt',
    Buffer.from(
      `\ufeff${keyNumber(1, 'CCCCC')}\n${keyNumber(1, 'CCCCC')}\n\n "${keyNumber(2, 'CCCCC')}" \n1.23E+15`,
    ),
    first?.offerId,
  )
  expect((await checked(importId)).sums).toMatchObject({
    read: 5,
    ready: 2,
    noOffer: 0,
    duplicate: 1,
    refused: 2,
    setAside: 0,
    cleaned: 1,
    warned: first?.platform === 'Steam' ? 0 : 2,
  })
  const { rows } = await harness.ask.imports.lines({ importId, fileId })
  expect(rows.map(({ line, key, fate }) => ({ line, key, fate }))).toEqual([
    { line: 1, key: 'CCCCC-•••••-•••••', fate: 'ready' },
    { line: 2, key: 'CCCCC-•••••-•••••', fate: 'duplicate' },
    { line: 3, key: '', fate: 'refused' },
    { line: 4, key: 'CCCCC-•••••-•••••', fate: 'ready' },
    { line: 5, key: '1.23E+15', fate: 'refused' },
  ])
  const refused = await harness.ask.imports.lines({
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
    (await harness.ask.imports.lines({ importId, fileId, offset: 3, limit: 1, reveal: true }))
      .rows[0],
  ).toMatchObject({
    key: keyNumber(2, 'CCCCC'),
    reasons: expect.arrayContaining(['spaces-removed', 'quotes-removed']),
  })
  await harness.ask.imports.discard({ importId })
})

test('counts a repeated chunk once, rejects a gap, and fails only a file that changed', async () => {
  const { importId } = await draft()
  const { fileId } = await harness.ask.imports.addFile({ importId, name: 'a.txt', size: 12 })
  const write = (offset: number, text: string, last = false) =>
    harness.ask.imports.writeFile({
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
  const seen = await checked(importId)
  expect(seen.files[0]).toMatchObject({ state: 'failed', problem: { code: 'FILE_CHANGED' } })
  expect((await problemOf(harness.ask.imports.upload({ importId }))).code).toBe('NOTHING_READY')
  await harness.ask.imports.discard({ importId })
})

test('explains why a file that isn’t text can’t be imported', async () => {
  const { importId } = await draft()
  await send(importId, 'keys.csv', Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0]))
  await send(importId, 'empty.txt', Buffer.alloc(0))
  await send(importId, 'noise.txt', Buffer.alloc(4096, Buffer.from([1, 0, 2, 200, 7])))
  // Compressed bytes contain few zeros, and some of their lines would pass as keys.
  await send(
    importId,
    'compressed.txt',
    Buffer.from(Array.from({ length: 4096 }, (_, at) => 1 + ((at * 167 + (at >> 3) * 29) % 255))),
  )
  await send(importId, 'good.txt', Buffer.from(keyNumber(5, 'DDDDD')))
  await send(importId, 'one-broken.txt', Buffer.from('AB\u0007CD'))
  const seen = await checked(importId)
  expect(seen.files.map(({ state, problem }) => problem?.code ?? state)).toEqual([
    'ARCHIVE_DAMAGED',
    'EMPTY_FILE',
    'NOT_TEXT',
    'NOT_TEXT',
    'checked',
    'checked',
  ])
  expect(seen.sums).toMatchObject({ read: 2, noOffer: 1, refused: 1 })
  await harness.ask.imports.discard({ importId })
})

test('accepts no bytes while the vault isn’t open', async () => {
  const other = temporaryFolder()
  const shut = await startTestCore(other.path, missingKeychain())
  try {
    const account = await shut.ask.accounts.connect({
      key: backend.ready.demo?.sellerKey ?? '',
      baseUrl: backend.ready.baseUrl,
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
  const importId = (await draft()).importId
  await send(
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
  await checked(importId)
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  expect(files.length).toBeGreaterThan(5)
  const found = files
    .filter((entry) =>
      /CANAR-YKEY/.test(readFileSync(join(entry.parentPath, entry.name), 'latin1')),
    )
    .map(({ name }) => name)
  expect(found).toEqual([])
  await harness.ask.imports.discard({ importId })
})

test('keeps a draft and a paused upload across a restart and completes the upload after resuming', async () => {
  const [first] = await offers(1)
  const waiting = (await draft()).importId
  await send(
    waiting,
    'later.txt',
    Buffer.from(Array.from({ length: 30 }, (_, index) => keyNumber(index, 'EEEEE')).join('\n')),
    first?.offerId,
  )
  await checked(waiting)
  const { importId } = await draft()
  await send(
    importId,
    'now.txt',
    Buffer.from(Array.from({ length: 9500 }, (_, index) => keyNumber(index, 'FFFFF')).join('\n')),
    first?.offerId,
  )
  await checked(importId)
  const before = await stockOf(first?.offerId ?? '')
  await harness.ask.imports.upload({ importId })
  expect((await problemOf(harness.ask.imports.upload({ importId: waiting }))).code).toBe(
    'UPLOAD_RUNNING',
  )
  const paused = await harness.ask.imports.pause({ importId })
  expect(paused.state).toBe('paused')
  await harness.close()
  harness = await startTestCore(folder.path, harnessKeychain, { rates: null })
  const again = await harness.ask.imports.get({ importId })
  expect(again.state).toBe('paused')
  await until(
    () => harness.ask.app.jobs(),
    (jobs) => jobs.some((job) => job.id === importId && job.state === 'paused'),
  )
  expect(again.upload.keysSettled).toBeLessThan(9500)
  expect((await harness.ask.imports.get({ importId: waiting })).sums).toMatchObject({
    read: 30,
    ready: 30,
  })
  await harness.ask.imports.resume({ importId })
  expect((await ended(importId)).offers).toMatchObject([
    { added: 9500, duplicates: 0, stock: before + 9500 },
  ])
  await harness.ask.imports.upload({ importId: waiting })
  expect((await ended(waiting)).offers).toMatchObject([{ added: 30 }])
})

test('keeps uploaded keys and deletes waiting ones when an upload is canceled', async () => {
  const [first] = await offers(1)
  const { importId } = await draft()
  await send(
    importId,
    'stop.txt',
    Buffer.from(Array.from({ length: 9500 }, (_, index) => keyNumber(index, 'GGGGG')).join('\n')),
    first?.offerId,
  )
  await checked(importId)
  const before = await stockOf(first?.offerId ?? '')
  await harness.ask.imports.upload({ importId })
  const report = await harness.ask.imports.cancel({ importId })
  expect(report).toMatchObject({ state: 'cancelled', problem: null })
  expect(report.offers[0]?.added).toBe((await stockOf(first?.offerId ?? '')) - before)
  await until(
    () => readdirSync(join(folder.path, 'spool', accountId, importId)),
    (files) => files.join() === 'lines,refused',
  )
})
