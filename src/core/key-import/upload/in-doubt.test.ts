import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Import } from '../../../contract/keys/import-records.ts'
import { PLAIN_EXPORT_PHRASE } from '../../../contract/app/vault.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { startTestCore, until } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'
import { formatMessages } from '../../testing/format-messages.ts'
import { startFaultyProxy } from '../../testing/faulty-proxy.ts'
import type { FaultyProxy } from '../../testing/faulty-proxy.ts'

let backend: TestBackend
let proxy: FaultyProxy
let harness: TestCore
let accountId: string
const folder = temporaryFolder()

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

beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  proxy = await startFaultyProxy(backend.ready.baseUrl)
  // A service that doesn't announce support for Idempotency-Keys: only what both documents specify
  // is certain (Decision 33).
  const { idempotency: _taken, ...me } = await service<Record<string, unknown>>('GET', '/me')
  proxy.decide = (_method, path) =>
    path === '/v1/seller/me'
      ? {
          kind: 'replace',
          answer: {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(me),
          },
        }
      : 'pass'
  harness = await startTestCore(folder.path)
  accountId = (
    await harness.ask.accounts.connect({
      key: backend.ready.demo?.sellerKey ?? '',
      baseUrl: proxy.baseUrl,
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
  await proxy.close()
  await backend.stop()
  folder.remove()
})

/** Offers that received keys; the mirror may not have them yet. */
const used = new Set<string>()
const keys = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${String(index).padStart(5, '0')}-KEY22`)

/** A checked import of these lines to an offer without keys. */
async function checkedImport(
  name: string,
  lines: readonly string[],
  chosen?: string,
): Promise<Import & { offerId: string }> {
  const { rows } = await harness.ask.offers.list({ accountId, view: 'empty' })
  const offerId = chosen ?? rows.find((row) => !used.has(row.offerId))?.offerId ?? ''
  used.add(offerId)
  const { importId } = await harness.ask.imports.create({ accountId })
  const bytes = Buffer.from(lines.join('\n'))
  const { fileId } = await harness.ask.imports.addFile({
    importId,
    name: `${name}.txt`,
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
  const checked = await until(
    () => harness.ask.imports.get({ importId }),
    ({ files }) => files.every(({ state }) => state === 'checked'),
  )
  return { ...checked, offerId }
}

/**
 * An import whose only request arrives while its response is lost, and five of whose keys are
 * withdrawn by someone else before Keydesk checks.
 */
async function importInDoubt(
  name: string,
): Promise<{ importId: string; offerId: string; lines: string[]; sent: string[][] }> {
  const lines = keys(name, 30)
  const { importId, offerId } = await checkedImport(name, lines)
  const before = proxy.decide
  const sent: string[][] = []
  const withdrawn = Promise.withResolvers<void>()
  proxy.served = ({ method, path, sent: body }) => {
    if (method !== 'POST' || path !== `/v1/seller/offers/${offerId}/keys`) return
    sent.push((JSON.parse(body) as { keys: string[] }).keys)
    if (sent.length === 1)
      service('POST', `/offers/${offerId}/withdraw`, { count: 5 }).then(
        () => withdrawn.resolve(),
        withdrawn.reject,
      )
  }
  let looks = false
  void withdrawn.promise.then(() => {
    looks = true
  })
  proxy.decide = (method, path) => {
    if (method === 'POST' && path === `/v1/seller/offers/${offerId}/keys` && sent.length === 0)
      return 'lose-answer'
    // The offer's stock is reported after the five keys were withdrawn.
    return path === `/v1/seller/offers/${offerId}` && sent.length > 0 && !looks
      ? 'cut'
      : before(method, path)
  }
  await harness.ask.imports.upload({ importId })
  await until(
    () => harness.ask.imports.get({ importId }),
    ({ state }) => state === 'stopped',
  )
  expect(await harness.ask.notices.list()).toContainEqual(
    expect.objectContaining({ kind: 'import-stopped', path: `/import/${importId}`, seen: false }),
  )
  await withdrawn.promise
  proxy.decide = before
  return { importId, offerId, lines, sent }
}

test('without Idempotency-Keys, stops and asks if stock doesn’t explain a lost response @long', async () => {
  const { importId, offerId, lines, sent } = await importInDoubt('LEAVE')
  expect((await harness.ask.imports.get({ importId })).problem).toMatchObject({
    code: 'UPLOAD_UNCLEAR',
    details: { keys: 30, before: 0, now: 25, sold: 0, request: 1 },
  })
  await harness.ask.imports.decide({ importId, choice: 'leave-out' })
  const ended = await until(
    () => harness.ask.imports.get({ importId }),
    ({ endedAt }) => endedAt !== null,
  )
  expect(ended.offers[0]).toMatchObject({ added: 0, refused: 0, excluded: 30 })
  expect(await harness.ask.imports.report({ importId })).toMatchObject({
    unaccepted: 30,
    excluded: 30,
    files: [{ notTaken: 0, excluded: 30, added: 0, unsure: 0, notSent: 0 }],
  })
  expect(await harness.ask.imports.outcomes({ importId, fate: 'excluded' })).toHaveLength(30)
  const saved = await harness.ask.imports.exportReport({ importId })
  const results = Buffer.from(saved.base64, 'base64').toString().trimEnd().split('\r\n').slice(1)
  expect(new Set(results.map((line) => line.split(',')[2]))).toEqual(new Set(['Excluded']))
  const { fileName, base64 } = await harness.ask.imports.exportUnaccepted({
    importId,
    typed: PLAIN_EXPORT_PHRASE,
  })
  expect([fileName, Buffer.from(base64, 'base64').toString()]).toEqual([
    `import-${ended.number}-rejected-keys.txt`,
    `${lines.join('\n')}\n`,
  ])
  expect(formatMessages((await harness.ask.activity.list({})).rows)).toContainEqual(
    expect.objectContaining({
      detail: `Rejected or excluded keys of import ${ended.number}, in plain text`,
    }),
  )
  const history = await harness.ask.keyHistory.find({ accountId, key: lines[10] ?? '' })
  expect(history).toMatchObject({ state: 'excluded', uploads: [{ fate: 'excluded' }] })
  expect(history.neighbours.map(({ state }) => state)).toEqual(Array(5).fill('excluded'))
  expect(sent).toHaveLength(1)
  expect((await service<{ stock: number }>('GET', `/offers/${offerId}`)).stock).toBe(25)
})

test('sends a request in doubt again on demand and reports its keys as undetermined @long', async () => {
  const { importId, offerId, lines, sent } = await importInDoubt('AGAIN')
  await harness.ask.imports.decide({ importId, choice: 'send-again' })
  const ended = await until(
    () => harness.ask.imports.get({ importId }),
    ({ endedAt }) => endedAt !== null,
  )
  expect(sent).toEqual([lines, lines])
  // The five withdrawn keys were added again; the others were duplicates.
  expect(ended.offers[0]).toMatchObject({ added: 30, duplicates: 0, refused: 0, stock: 30 })
  expect(await harness.ask.imports.report({ importId })).toMatchObject({
    unaccepted: 0,
    files: [{ unsure: 30, notTaken: 0 }],
  })
  const { keys: there } = await service<{ keys: string[] }>(
    'POST',
    `/offers/${offerId}/withdraw`,
    {},
  )
  expect(there.toSorted()).toEqual(lines)
})

test('reports the keys of a canceled import as undetermined if their response was lost @long', async () => {
  const lines = keys('CANCEL', 2500)
  const { importId, offerId } = await checkedImport('cancel', lines)
  const path = `/v1/seller/offers/${offerId}/keys`
  const before = proxy.decide
  let requests = 0
  proxy.decide = (method, where) => {
    if (where !== path) return before(method, where)
    requests += 1
    return requests === 2 ? 'lose-answer' : 'pass'
  }
  const canceled = Promise.withResolvers<Import>()
  proxy.served = ({ path: where }) => {
    if (where === path && requests === 2)
      harness.ask.imports.cancel({ importId }).then(canceled.resolve, canceled.reject)
  }
  await harness.ask.imports.upload({ importId })
  const ended = await canceled.promise
  proxy.served = () => {}
  proxy.decide = before
  const { stock } = await service<{ stock: number }>('GET', `/offers/${offerId}`)
  expect([requests, stock]).toEqual([2, 2000])

  expect(ended).toMatchObject({
    state: 'cancelled',
    upload: { keys: 2500, keysSettled: 1000, keysInDoubt: 1000 },
    offers: [{ total: 2500, sent: 1000, added: 1000, duplicates: 0, refused: 0 }],
  })
  expect((await harness.ask.imports.report({ importId })).files).toMatchObject([
    { read: 2500, added: 1000, unsure: 1000, duplicates: 0, notTaken: 0, notSent: 500 },
  ])
  expect(formatMessages(ended.journal.slice(0, 1))).toMatchObject([
    { what: 'Canceled', detail: expect.stringContaining('1,000 keys may or may not be') },
  ])
  const { rows } = await harness.ask.activity.list({})
  expect(rows.map(({ detail }) => formatMessages(detail))).toContain(
    '1,000 of 2,500 keys added, 1,000 may or may not be on their offers, 500 not sent',
  )
  // The keys in doubt can be sent again: the service skips those that it has.
  const again = await checkedImport('again', lines, offerId)
  expect(again.sums).toMatchObject({ ready: 1500, duplicate: 1000 })
})

test.each([false, true])(
  'reports the keys of a request in doubt as undetermined if its import is canceled (to be sent again: %s) @long',
  async (isDecided) => {
    const { importId, offerId } = await importInDoubt(`STOP${Number(isDecided)}`)
    const before = proxy.decide
    if (isDecided) {
      proxy.decide = (method, path) =>
        path === `/v1/seller/offers/${offerId}` ? 'cut' : before(method, path)
      await harness.ask.imports.decide({ importId, choice: 'send-again' })
      await until(
        () => harness.ask.imports.get({ importId }),
        ({ state }) => state === 'waiting',
      )
    }
    await harness.ask.imports.cancel({ importId })
    proxy.decide = before
    expect((await harness.ask.imports.report({ importId })).files).toMatchObject([
      { read: 30, added: 0, unsure: 30, notSent: 0 },
    ])
  },
)
