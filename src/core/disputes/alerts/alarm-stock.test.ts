import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DisputeDetail } from '../../../contract/disputes/dispute-records.ts'
import type { Batch } from '../../../contract/keys/batches.ts'
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
  backend = await startTestBackend({ products: 20, noLimits: true })
  harness = await startTestCore(folder.path, memoryKeychain(), { rates: null })
  accountId = (
    await harness.ask.accounts.connect({
      key: backend.ready.demo?.sellerKey ?? '',
      baseUrl: backend.ready.baseUrl,
      name: 'Shop',
    })
  ).id
})
afterAll(async () => {
  await harness.close()
  await backend.stop()
  folder.remove()
})

async function call<T>(role: 'seller' | 'partner', path: string, body?: object): Promise<T> {
  const { sellerUrl, baseUrl, demo } = backend.ready
  const answer = await fetch(`${role === 'seller' ? sellerUrl : baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${role === 'seller' ? demo?.sellerKey : demo?.partnerLiveKey}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as T
}
async function createOffer(): Promise<{ offerId: string; productId: string }> {
  const { id: productId } = await backend.dashboard('POST', '/products', {
    name: 'Saltwind Harbour',
    platform: 'Steam',
    region: 'Global',
    productType: 'game',
    deliveryType: 'key',
  })
  const { offer } = await call<{ offer: { id: string } }>('seller', '/offers', {
    productId,
    price: 4,
  })
  await harness.ask.accounts.syncNow({ accountId })
  await until(
    () => harness.ask.offers.offer({ accountId, offerId: offer.id }).catch(() => null),
    (found) => found !== null,
  )
  return { offerId: offer.id, productId: String(productId) }
}
async function importKeys(offerId: string, name: string, count: number): Promise<void> {
  const { importId } = await harness.ask.imports.create({ accountId })
  const lines = Array.from({ length: count }, (_, at) => `${name}-${10_000 + at}-WHARF`)
  const bytes = Buffer.from(lines.join('\n'))
  const file = { name: `${name}.txt`, size: bytes.length, offerId }
  const { fileId } = await harness.ask.imports.addFile({ importId, ...file })
  const base64 = bytes.toString('base64')
  await harness.ask.imports.writeFile({ importId, fileId, offset: 0, base64, last: true })
  await until(
    () => harness.ask.imports.get({ importId }),
    ({ files }) => files.every(({ state }) => state === 'checked'),
  )
  await harness.ask.imports.upload({ importId })
  await until(
    () => harness.ask.imports.get({ importId }),
    ({ endedAt }) => endedAt !== null,
  )
}
/** Sells this many keys and disputes all of them; returns the disputes. */
async function dispute(productId: string, count: number): Promise<string[]> {
  const items = [{ productId, qty: count, maxUnitPrice: 10 }]
  const externalId = `order-${productId}-${count}`
  const { id } = await call<{ id: string }>('partner', '/orders?wait=10', { externalId, items })
  const { keys } = await call<{ keys: { id: string }[] }>('partner', `/orders/${id}/keys`)
  const disputes: string[] = []
  for (const { id: keyId } of keys) {
    const made = await backend.dashboard('POST', '/claims', {
      orderId: id,
      keyId,
      message: 'Already used',
    })
    disputes.push(String(made['disputeId']))
  }
  await harness.ask.accounts.syncNow({ accountId })
  return disputes
}
const detail = (disputeId: string): Promise<DisputeDetail> =>
  harness.ask.disputes.dispute({ accountId, disputeId })
const batchesOf = async (offerId: string): Promise<Batch[]> =>
  (await harness.ask.batches.list({ accountId, offerId })).batches.toReversed()
/** Reads batches, stock and alarms, and expects that they agree. */
async function readCounts(offerId: string, disputeId: string): Promise<(number | undefined)[]> {
  const batches = await batchesOf(offerId)
  const { offer, alarmsInStock } = await detail(disputeId)
  const alarms = await harness.ask.disputes.alarms({ accountId })
  expect(batches.reduce((sum, { forSale }) => sum + forSale, 0)).toBe(offer?.stock)
  for (const { keys, gone, sold, sent, forSale } of batches)
    expect(gone + sold + sent + forSale).toBe(keys)
  for (const alarm of [...alarmsInStock, ...alarms].filter((each) => each.offerId === offerId)) {
    expect(alarm.forSale).toBe(batches.find(({ batchId }) => batchId === alarm.batchId)?.forSale)
  }
  for (const alarm of alarms.filter((each) => each.offerId === offerId))
    expect(alarm.stock).toBe(offer?.stock)
  return batches.flatMap(({ sold, sent, forSale }) => [sold, sent, forSale])
}
async function settled(disputeId: string): Promise<void> {
  await until(
    () => detail(disputeId).catch(() => null),
    (found) => found?.origin != null && found.offer !== null && found.messages === 1,
  )
}

it('counts a replacement in its batch, and sends no key of a batch with an alarm @long', async () => {
  const { offerId, productId } = await createOffer()
  await importKeys(offerId, 'FIRST', 9)
  await importKeys(offerId, 'SECND', 6)
  const [one = '', two = ''] = await dispute(productId, 2)
  await settled(two)
  // Offers, sales and disputes are read one after another; the counts agree once all were read.
  await until(
    () => readCounts(offerId, two).catch(() => []),
    ([sold]) => sold === 2,
  )
  expect((await detail(one)).alarmsInStock).toEqual([])
  const seen = { status: 'open', messages: 1 }
  await harness.ask.disputes.act({ accountId, disputeId: one, kind: 'replace-stock', seen })
  expect(await readCounts(offerId, two)).toEqual([2, 1, 6, 0, 0, 6])

  const [three = ''] = await dispute(productId, 1)
  await settled(three)
  const { alarmsInStock } = await until(
    () => detail(three),
    (found) => found.alarmsInStock.length > 0,
  )
  expect(alarmsInStock).toMatchObject([{ name: 'Import 1', claimed: 3, keys: 9, forSale: 5 }])
  expect(await readCounts(offerId, three)).toEqual([3, 1, 5, 0, 0, 6])
  const asked = { accountId, disputeId: three, kind: 'replace-stock' as const }
  expect(await harness.ask.disputes.effects(asked)).toMatchObject({
    obstacle: 'batch-alarm',
    stock: { before: 11, after: 10 },
  })
  expect(await problemOf(harness.ask.disputes.act({ ...asked, seen }))).toMatchObject({
    code: 'CONFLICT',
    effect: 'No key was sent.',
    next: 'Withdraw the batch first, or replace with a key.',
  })

  // Without the batch, the oldest key in stock is one of the other import.
  const { importId } = alarmsInStock[0] ?? { importId: '' }
  await harness.ask.imports.undo({ importId, offerId })
  await until(
    () => harness.ask.imports.report({ importId }),
    ({ undos }) => undos.every(({ state }) => state === 'done'),
  )
  await until(
    () => detail(three),
    (found) => found.offer?.stock === 6,
  )
  await harness.ask.disputes.act({ ...asked, seen })
  expect(await readCounts(offerId, three)).toEqual([3, 1, 0, 0, 1, 5])
})
