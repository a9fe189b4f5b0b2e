import { afterAll, beforeAll, expect, test } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import type { Import } from '../../contract/keys/import-records.ts'
import { startTestBackend } from '../testing/backend.ts'
import type { TestBackend } from '../testing/backend.ts'
import { temporaryFolder } from '../testing/context.ts'
import { problemOf, startTestCore, until } from '../testing/core.ts'
import type { TestCore } from '../testing/core.ts'

let backend: TestBackend
let harness: TestCore
let accountId: string
let offerId: string
let work: Import
let order: { id: string }
const folder = temporaryFolder()
const keys = Array.from({ length: 12 }, (_, index) => `STORY-${String(10_000 + index)}-KEY22`)

async function call<Answer>(
  url: string,
  key: string,
  method: string,
  body?: object,
): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}
const seller = <Answer>(method: string, where: string, body?: object): Promise<Answer> =>
  call(`${backend.ready.sellerUrl}${where}`, backend.ready.demo?.sellerKey ?? '', method, body)
const look = (key: string) => harness.ask.keyHistory.find({ accountId, key })

/** Three of an import's keys are sold, and one of them is claimed. */
beforeAll(async () => {
  backend = await startTestBackend({ products: 60, noLimits: true })
  harness = await startTestCore(folder.path, undefined, { rates: null })
  accountId = (
    await harness.ask.accounts.connect({
      key: backend.ready.demo?.sellerKey ?? '',
      baseUrl: backend.ready.baseUrl,
      name: 'Seller',
    })
  ).id
  const { rows } = await until(
    () => harness.ask.offers.list({ accountId, sort: { column: 'stock', direction: 'asc' } }),
    ({ total }) => total > 1,
  )
  const offer = rows.find((row) => row.deliveryType === 'key' && row.status === 'active')
  offerId = offer?.offerId ?? ''
  await seller('POST', `/offers/${offerId}/withdraw`, {}).catch(() => null)
  await seller('PATCH', `/offers/${offerId}`, { price: 0.01 })
  const { importId } = await harness.ask.imports.create({ accountId })
  const bytes = Buffer.from([...keys, keys[0]].join('\n'))
  const { fileId } = await harness.ask.imports.addFile({
    importId,
    name: 'october.txt',
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
  work = await until(
    () => harness.ask.imports.get({ importId }),
    ({ endedAt }) => endedAt !== null,
  )
  order = await call<{ id: string }>(
    `${backend.ready.baseUrl}/orders?wait=10`,
    backend.ready.demo?.partnerLiveKey ?? '',
    'POST',
    {
      externalId: 'story-1',
      items: [{ productId: offer?.productId ?? '', qty: 3, maxUnitPrice: 1 }],
    },
  )
  const { results } = await seller<{
    results: { id: string; orderId: string; keyId: string; offerId: string }[]
  }>('GET', '/sales?limit=10')
  const sale = results.find((each) => each.orderId === order.id && each.offerId === offerId)
  await backend.dashboard('POST', '/claims', {
    orderId: order.id,
    keyId: sale?.keyId ?? '',
    message: 'Already used',
  })
  await harness.ask.accounts.syncNow({ accountId })
  await until(
    () => harness.ask.batches.list({ accountId, offerId }),
    ({ batches }) => batches[0]?.claimed === 1 && batches[0].sold === 3,
  )
}, 120_000)
afterAll(async () => {
  await harness.close()
  await backend.stop()
  folder.remove()
})

test("a pasted key finds its file, line, import, offer, sale and claim, and isn't stored", async () => {
  const stories = await Promise.all(keys.map(look))
  expect(stories.map(({ state }) => state).filter((state) => state === 'in-stock')).toHaveLength(9)
  const at = stories.findIndex(({ state }) => state === 'claimed')
  const claimed = stories[at]
  expect(claimed).toMatchObject({
    origin: {
      fileName: 'october.txt',
      line: at + 1,
      importNumber: work.number,
      offerId,
      fate: 'added',
    },
    sale: { status: 'pending', held: true },
    dispute: { status: 'open', answered: false },
  })
  expect(
    claimed?.events.map(({ title, kind }) => `${kind}: ${title.replace(/[\d.,]+/g, '#')}`),
  ).toEqual(
    [
      'fact: Read from october#txt# line #',
      'fact: New key',
      'done: Uploaded with import #',
      expect.stringMatching(/^fact: In stock on /),
      'done: Sold for ## customer paid #',
      'claim: Claimed by the customer',
      'next: Escalates to support',
    ].map((title) =>
      typeof title === 'string' ? title.replace('## customer', '# customer') : title,
    ),
  )
  expect(claimed?.neighbours.find(({ isThis }) => isThis)?.state).toBe('claimed')
  expect(JSON.stringify(claimed)).not.toContain(keys[at])
})

test('ignores spaces around a pasted key, and reports an unknown key as not found', async () => {
  expect((await look(`  ${keys[5] ?? ''}\n`)).origin).toMatchObject({ line: 6 })
  expect(await look('NOT-MINE-AT-ALL')).toMatchObject({
    state: 'unknown',
    origin: null,
    events: [],
    neighbours: [],
  })
})

test('a batch counts sold and claimed keys, stores its cost, and lists its claims by line', async () => {
  const batchId = `${work.importId}.0`
  const noted = await harness.ask.batches.change({
    accountId,
    batchId,
    name: 'October',
    supplier: 'Kestrel',
    costCents: cents(120),
  })
  expect(noted).toMatchObject({
    name: 'October',
    named: true,
    supplier: 'Kestrel',
    costCents: 120,
    keys: 12,
    sold: 3,
    claimed: 1,
    replaced: 0,
    refunded: 0,
    gone: 0,
  })
  const batch = await harness.ask.batches.batch({ accountId, batchId })
  expect([...batch.squares].toSorted().join('')).toBe('cnnnnnnnnnss')
  expect(batch.claims).toMatchObject([
    { fileName: 'october.txt', status: 'open', resolution: null },
  ])
  const { saleId, line } = batch.claims[0] ?? { saleId: '', line: 0 }
  expect(await harness.ask.keyHistory.ofSale({ accountId, saleId })).toMatchObject({
    origin: { line, batchName: 'October', supplier: 'Kestrel' },
  })
  expect(await problemOf(harness.ask.batches.batch({ accountId, batchId: 'no.0' }))).toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('attributes a dispute about a replacement to that key, not to the key it replaced', async () => {
  const stories = await Promise.all(keys.map(look))
  const first = stories.findIndex(({ state }) => state === 'claimed')
  const firstDispute = stories[first]?.dispute?.disputeId ?? ''
  await harness.ask.disputes.act({
    accountId,
    disputeId: firstDispute,
    kind: 'replace-stock',
    seen: { status: 'open', messages: 1 },
  })
  const unsold = keys.filter((_, index) => stories[index]?.state === 'in-stock')
  const { keys: delivered } = await call<{ keys: { id: string; value: string }[] }>(
    `${backend.ready.baseUrl}/orders/${order.id}/keys`,
    backend.ready.demo?.partnerLiveKey ?? '',
    'GET',
  )
  const replacement = delivered.find(({ value }) => unsold.includes(value))
  const second = keys.indexOf(replacement?.value ?? '')
  const made = await backend.dashboard('POST', '/claims', {
    orderId: order.id,
    keyId: replacement?.id ?? '',
    message: 'This one neither',
  })
  const disputeId = String(made['disputeId'])
  await harness.ask.accounts.syncNow({ accountId })
  const { saleId } = await until(
    () => harness.ask.disputes.dispute({ accountId, disputeId }).catch(() => null),
    (found) => found?.messages === 1 && found.sale !== null,
  ).then((found) => ({ saleId: found?.saleId ?? '' }))

  const replaced = await look(keys[first] ?? '')
  expect(replaced).toMatchObject({ state: 'replaced', dispute: { disputeId: firstDispute } })
  expect(replaced.events.map(({ detail }) => detail).join()).not.toContain(disputeId)
  const disputed = await look(keys[second] ?? '')
  expect(disputed).toMatchObject({
    state: 'claimed',
    origin: { fileName: 'october.txt', line: second + 1 },
    sale: null,
    dispute: { disputeId, status: 'open' },
  })
  expect(disputed.events.map(({ title }) => title)).toContain('Claimed by the customer')
  const next = await look(keys[second - 1] ?? '')
  expect(next.neighbours.find(({ line }) => line === second + 1)).toMatchObject({
    state: 'claimed',
  })
  const ofSale = (input: { disputeId?: string }) =>
    harness.ask.keyHistory.ofSale({ accountId, saleId, ...input })
  expect((await ofSale({}))?.origin).toMatchObject({ line: first + 1 })
  expect((await ofSale({ disputeId: firstDispute }))?.origin).toMatchObject({ line: first + 1 })
  expect(await ofSale({ disputeId })).toMatchObject({
    origin: { line: second + 1 },
    dispute: { disputeId },
  })
  const { findings } = await harness.ask.disputes.checkKey({
    accountId,
    disputeId,
    key: keys[second] ?? '',
  })
  expect(findings).toContain('claimed')
})
