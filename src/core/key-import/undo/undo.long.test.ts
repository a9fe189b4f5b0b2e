import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PLAIN_EXPORT_PHRASE } from '../../../contract/app/vault.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Import } from '../../../contract/keys/import-records.ts'
import type { ImportReport } from '../../../contract/keys/import-reports.ts'
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
const keychain = memoryKeychain()

const startHarness = (): Promise<TestCore> => startTestCore(folder.path, keychain, { rates: null })

beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  harness = await startHarness()
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
})
afterAll(async () => {
  await harness.close()
  await backend.stop()
  folder.remove()
})

async function service<Answer>(method: string, where: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${backend.ready.sellerUrl}${where}`, {
    method,
    headers: {
      authorization: `Bearer ${backend.ready.demo?.sellerKey ?? ''}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Answer
}
const keys = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${String(index).padStart(5, '0')}-KEY22`)

const importTable = (fileName: string, lines: readonly string[]): Promise<Import> =>
  importKeys(null, fileName, lines)
async function importKeys(
  offerId: string | null,
  fileName: string,
  lines: readonly string[],
): Promise<Import> {
  const { importId } = await harness.ask.imports.create({ accountId })
  const bytes = Buffer.from(lines.join('\n'))
  const { fileId } = await harness.ask.imports.addFile({
    importId,
    name: fileName,
    size: bytes.length,
    offerId,
  })
  await harness.ask.imports.writeFile({
    importId,
    fileId,
    offset: 0,
    base64: bytes.toString('base64'),
    last: true,
  })
  await until(
    () => harness.ask.imports.get({ importId }),
    ({ files }) => files.every(({ state }) => state === 'checked'),
  )
  await harness.ask.imports.upload({ importId })
  return until(
    () => harness.ask.imports.get({ importId }),
    ({ endedAt }) => endedAt !== null,
  )
}
const emptyOffer = async (): Promise<string> => {
  const { rows } = await harness.ask.offers.list({
    accountId,
    sort: { column: 'stock', direction: 'asc' },
  })
  const offerId =
    rows.find(
      ({ status, stock, deliveryType }) =>
        status === 'active' && stock === 0 && deliveryType === 'key',
    )?.offerId ??
    rows[0]?.offerId ??
    ''
  await service('POST', `/offers/${offerId}/withdraw`, {})
  return offerId
}
const undone = (importId: string): Promise<ImportReport> =>
  until(
    () => harness.ask.imports.report({ importId }),
    ({ undos }) => undos.every(({ state }) => state === 'done' || state === 'stopped'),
    60_000,
  )

test('withdraws an undone import and returns other keys, even if Keydesk stops at any step', async () => {
  const courses = [
    { endsIn: null },
    { endsIn: 'withdrawing' },
    { endsIn: 'returning' },
    // A power failure can lose the copy of the offers, which isn't flushed to the disk.
    { endsIn: 'pausing', losesMirror: true },
  ]
  for (const { endsIn, losesMirror = false } of courses) {
    const tag = (endsIn ?? 'none').slice(0, 5).toUpperCase()
    const offerId = await emptyOffer()
    const others = keys(`OTHR${tag}`, 1010)
    await service('POST', `/offers/${offerId}/keys`, { keys: others.slice(0, 1000) })
    await service('POST', `/offers/${offerId}/keys`, { keys: others.slice(1000) })
    const good = await importKeys(offerId, 'good.txt', keys(`GOOD${tag}`, 30))
    const bad = await importKeys(offerId, 'bad.txt', keys(`BADD${tag}`, 40))
    const { importId } = bad
    await harness.ask.offers.list({ accountId })
    const [planned] = await harness.ask.imports.undoPlan({ importId })
    expect(planned).toMatchObject({ offerId, added: 40, gone: 0, safe: true, problem: null })

    await harness.ask.imports.undo({ importId, offerId })
    if (endsIn !== null) {
      await until(
        () => harness.ask.imports.report({ importId }),
        ({ undos }) => undos[0]?.state === endsIn || undos[0]?.state === 'done',
      )
      await harness.close()
      if (losesMirror)
        for (const suffix of ['', '-wal', '-shm'])
          rmSync(join(folder.path, 'mirrors', `${accountId}.db${suffix}`), { force: true })
      harness = await startHarness()
    }
    const { undos } = await undone(importId)
    expect(undos[0], `stopped in ${endsIn ?? 'no step'}`).toMatchObject({
      state: 'done',
      takenBack: 40,
      toReturn: 1040,
      returned: 1040,
      problem: null,
    })

    const { status } = await service<{ status: string }>('GET', `/offers/${offerId}`)
    expect(status).toBe('active')
    const kept = Buffer.from(
      (
        await harness.ask.offers.withdrawals.export({
          accountId,
          withdrawalId: undos[0]?.withdrawalId ?? '',
          typed: PLAIN_EXPORT_PHRASE,
        })
      ).base64,
      'base64',
    )
      .toString()
      .trim()
      .split('\n')
    expect(kept.toSorted()).toEqual(keys(`BADD${tag}`, 40))
    const { keys: there } = await service<{ keys: string[] }>(
      'POST',
      `/offers/${offerId}/withdraw`,
      {},
    )
    expect(there.toSorted()).toEqual([...others, ...keys(`GOOD${tag}`, 30)].toSorted())

    const { batches } = await harness.ask.batches.list({ accountId, offerId })
    expect(batches.find((batch) => batch.importId === importId)).toMatchObject({
      keys: 40,
      gone: 40,
    })
    expect(batches.find((batch) => batch.importId === good.importId)).toMatchObject({
      keys: 30,
      gone: 0,
    })
  }
}, 180_000)

test('undoes an import on all its offers one after another, and retries the one that failed', async () => {
  const ids: string[] = []
  const { rows } = await harness.ask.offers.list({ accountId })
  for (const { offerId, sold, deliveryType } of rows) {
    if (ids.length === 3 || (sold ?? 0) > 0 || deliveryType !== 'key') continue
    ids.push(offerId)
    await service('POST', `/offers/${offerId}/withdraw`, {})
  }
  const lines = ids.flatMap((offerId, at) => keys(`ALL${at}X`, 5).map((key) => `${offerId};${key}`))
  const { importId } = await importTable('all.csv', ['offer;key', ...lines])
  const deleted = ids[1] ?? ''
  await service('POST', `/offers/${deleted}/withdraw`, {})
  const { authorization } = { authorization: `Bearer ${backend.ready.demo?.sellerKey ?? ''}` }
  await fetch(`${backend.ready.sellerUrl}/offers/${deleted}`, {
    method: 'DELETE',
    headers: { authorization },
  })
  const begun = await harness.ask.imports.undoImport({ importId, offerIds: ids })
  expect(begun.undos.filter(({ state }) => state === 'queued')).toHaveLength(2)
  const { undos } = await undone(importId)
  expect(undos.map(({ offerId, state, takenBack }) => [offerId, state, takenBack])).toEqual([
    [ids[0], 'done', 5],
    [deleted, 'stopped', 0],
    [ids[2], 'done', 5],
  ])
  const { fileName, base64 } = await harness.ask.imports.exportUndo({ importId })
  expect(fileName).toMatch(/^import-\d+-undo\.csv$/)
  const text = Buffer.from(base64, 'base64').toString()
  expect(text.split('\r\n')[2]).toContain('Stopped,0,0,')
  await harness.ask.imports.undoImport({ importId, offerIds: [deleted] })
  expect((await undone(importId)).undos[1]).toMatchObject({ state: 'stopped' })
}, 60_000)

test('lets withdrawn keys be imported again and assigns them to the new import', async () => {
  const offerId = await emptyOffer()
  const lines = keys('AGAIN', 25)
  const first = await importKeys(offerId, 'first.txt', lines)
  await harness.ask.imports.undo({ importId: first.importId, offerId })
  await undone(first.importId)
  const again = await importKeys(offerId, 'again.txt', lines)
  expect(again.sums).toMatchObject({ ready: 25, duplicate: 0 })
  expect(again.offers[0]).toMatchObject({ added: 25, duplicates: 0, refused: 0 })
  const { batches } = await harness.ask.batches.list({ accountId, offerId })
  expect(
    batches
      .filter(({ importId }) => importId === again.importId || importId === first.importId)
      .map(({ keys: added, gone }) => ({ added, gone })),
  ).toEqual([
    { added: 25, gone: 0 },
    { added: 25, gone: 25 },
  ])
})

test('saves the keys of an offer deleted midway for export, and allows no undo during an upload', async () => {
  const offerId = await emptyOffer()
  const { rows } = await harness.ask.offers.list({
    accountId,
    sort: { column: 'stock', direction: 'asc' },
  })
  const gone =
    rows.find((row) => row.offerId !== offerId && row.sold === 0 && row.deliveryType === 'key')
      ?.offerId ?? ''
  const { importId } = await harness.ask.imports.create({ accountId })
  const lines = [
    ...keys('STAYS', 20).map((key) => `${offerId};${key}`),
    ...keys('LEAVE', 20).map((key) => `${gone};${key}`),
  ]
  const bytes = Buffer.from(['offer;key', ...lines].join('\n'))
  const { fileId } = await harness.ask.imports.addFile({
    importId,
    name: 'two.csv',
    size: bytes.length,
    offerId: null,
  })
  await harness.ask.imports.writeFile({
    importId,
    fileId,
    offset: 0,
    base64: bytes.toString('base64'),
    last: true,
  })
  await until(
    () => harness.ask.imports.get({ importId }),
    ({ files, sums }) => files.every(({ state }) => state === 'checked') && sums.ready === 40,
  )
  await service('POST', `/offers/${gone}/withdraw`, {})
  await fetch(`${backend.ready.sellerUrl}/offers/${gone}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${backend.ready.demo?.sellerKey ?? ''}` },
  })
  await harness.ask.imports.upload({ importId })
  const ended = await until(
    () => harness.ask.imports.get({ importId }),
    ({ endedAt }) => endedAt !== null,
  )
  expect(ended.offers.find((offer) => offer.offerId === offerId)).toMatchObject({
    added: 20,
    refused: 0,
    problem: null,
  })
  expect(ended.offers.find((offer) => offer.offerId === gone)).toMatchObject({
    added: 0,
    refused: 20,
    problem: { code: 'NOT_FOUND' },
  })
  const report = await harness.ask.imports.report({ importId })
  expect(report).toMatchObject({
    unaccepted: 20,
    files: [{ name: 'two.csv', read: 40, added: 20, notTaken: 20 }],
  })
  const exported = await harness.ask.imports.exportUnaccepted({
    importId,
    typed: PLAIN_EXPORT_PHRASE,
  })
  expect(Buffer.from(exported.base64, 'base64').toString()).toBe(
    `${keys('LEAVE', 20).join('\n')}\n`,
  )
  const { message } = await problemOf(
    harness.ask.imports.undo({ importId, offerId: 'off_none' }),
  ).then((problem) => ({ message: problem.code }))
  expect(message).toBe('NOT_FOUND')
})
