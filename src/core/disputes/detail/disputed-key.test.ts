import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { startTestBackend } from '../../testing/backend.ts'
import type { TestBackend } from '../../testing/backend.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { startTestCore, until } from '../../testing/core.ts'
import type { TestCore } from '../../testing/core.ts'

type Delivered = { id: string; value: string }

let backend: TestBackend
let harness: TestCore
let accountId: string
let offer: { offerId: string; productId: string | null }
let first: { orderId: string; disputeId: string }
let ordered = 0
const folder = temporaryFolder()
const keys = ['HINTS-10000-KEY0A', 'HINTS-10001-KEY1B']

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
const seller = <Answer>(method: string, path: string, body?: object): Promise<Answer> =>
  call(`${backend.ready.sellerUrl}${path}`, backend.ready.demo?.sellerKey ?? '', method, body)
const partner = <Answer>(method: string, path: string, body?: object): Promise<Answer> =>
  call(`${backend.ready.baseUrl}${path}`, backend.ready.demo?.partnerLiveKey ?? '', method, body)
const detail = (disputeId: string) => harness.ask.disputes.dispute({ accountId, disputeId })

/** A customer buys the next key of the offer; returns the order. */
const buy = async (): Promise<string> =>
  (
    await partner<{ id: string }>('POST', '/orders?wait=10', {
      externalId: `claimed-key-${ordered++}`,
      items: [{ productId: offer.productId ?? '', qty: 1, maxUnitPrice: 1 }],
    })
  ).id
const delivered = async (orderId: string): Promise<Delivered[]> =>
  (await partner<{ keys: Delivered[] }>('GET', `/orders/${orderId}/keys`)).keys
/** The customer disputes a key of the order, and Keydesk has read the dispute. */
async function claim(
  orderId: string,
  keyId: string,
  message = 'It was used already',
): Promise<string> {
  const disputeId = String(
    (await backend.dashboard('POST', '/claims', { orderId, keyId, message }))['disputeId'],
  )
  await harness.ask.accounts.syncNow({ accountId })
  await until(
    () => detail(disputeId).catch(() => null),
    (found) => found?.messages === 1 && found.sale !== null,
  )
  return disputeId
}
async function lastFourOf(disputeId: string) {
  const { templateId } = await harness.ask.disputes.saveTemplate({
    accountId,
    template: { templateId: null, name: 'Ends', reasons: [], bodies: { en: 'Ends in {last4}' } },
  })
  const { text, missing } = await harness.ask.disputes.fillTemplate({
    accountId,
    disputeId,
    templateId,
    language: 'en',
  })
  return { text, missing }
}

/** The offer that sells first, with two keys uploaded from this computer. */
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
    () => harness.ask.offers.list({ accountId }),
    ({ total }) => total > 1,
  )
  offer = rows.find((row) => row.deliveryType === 'key' && row.status === 'active') ?? {
    offerId: '',
    productId: null,
  }
  await seller('POST', `/offers/${offer.offerId}/withdraw`, {}).catch(() => null)
  await seller('PATCH', `/offers/${offer.offerId}`, { price: 0.01 })
  const { importId } = await harness.ask.imports.create({ accountId })
  const bytes = Buffer.from(keys.join('\n'))
  const { fileId } = await harness.ask.imports.addFile({
    importId,
    name: 'october.txt',
    size: bytes.length,
    offerId: offer.offerId,
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
  await until(
    () => harness.ask.imports.get({ importId }),
    ({ endedAt }) => endedAt !== null,
  )
  await harness.ask.batches.change({
    accountId,
    batchId: `${importId}.0`,
    name: 'October',
    supplier: 'Kestrel',
    costCents: cents(120),
  })
}, 120_000)
afterAll(async () => {
  await harness.close()
  await backend.stop()
  folder.remove()
})

it('shows an uploaded key masked with its origin, and fills its ending into a template', async () => {
  const orderId = await buy()
  const [sold] = await delivered(orderId)
  const disputeId = await claim(orderId, sold?.id ?? '')
  first = { orderId, disputeId }
  expect(await detail(disputeId)).toMatchObject({
    key: { masked: 'HINTS-•••••-•••••', last4: 'EY0A', from: 'upload', held: null },
    origin: {
      fileName: 'october.txt',
      line: 1,
      batchName: 'October',
      supplier: 'Kestrel',
      costCents: 120,
    },
  })
  expect(await lastFourOf(disputeId)).toEqual({ text: 'Ends in EY0A', missing: [] })
  const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder.path, name))
    .filter((path) => statSync(path).isFile())
  expect(
    files.filter((path) =>
      ['10000-KEY0A', 'EY0A'].some((part) => readFileSync(path).includes(part)),
    ),
  ).toEqual([])
  await harness.ask.vault.lock()
  await until(
    () => detail(disputeId),
    ({ locked }) => locked,
  )
  expect([(await detail(disputeId)).key, (await lastFourOf(disputeId)).missing]).toEqual([
    null,
    ['last4'],
  ])
  await harness.ask.vault.unlockWithKeychain()
})

it('shows the typed replacement that a dispute is about, not the key that was sold first', async () => {
  const { orderId, disputeId } = first
  await harness.ask.disputes.act({
    accountId,
    disputeId,
    kind: 'replace-key',
    key: 'FRESH-AAAA1-BBBB2',
    seen: { status: 'open', messages: 1 },
  })
  const replacement = (await delivered(orderId)).find(({ value }) => value === 'FRESH-AAAA1-BBBB2')
  const again = await claim(orderId, replacement?.id ?? '', 'This one neither')
  expect(await detail(again)).toMatchObject({
    key: { masked: 'FRESH-•••••-•••••', last4: 'BBB2', from: 'replacement' },
    origin: null,
  })
})

it('reveals a key that is stored in the vault', async () => {
  const { withdrawalId } = await harness.ask.offers.withdrawals.withdraw({
    accountId,
    offerId: offer.offerId,
    count: null,
    expectedStock: 1,
  })
  await until(
    () => harness.ask.offers.withdrawals.list({ accountId }),
    (list) => list.some((each) => each.withdrawalId === withdrawalId && each.state === 'kept'),
  )
  await seller('POST', `/offers/${offer.offerId}/keys`, { keys: [keys[1]] })
  const orderId = await buy()
  const [again] = await delivered(orderId)
  const disputeId = await claim(orderId, again?.id ?? '')
  const { key } = await detail(disputeId)
  expect(key).toMatchObject({
    masked: 'HINTS-•••••-•••••',
    last4: 'EY1B',
    from: 'vault',
    held: { withdrawalId },
  })
  expect(
    await harness.ask.offers.withdrawals.reveal({
      accountId,
      withdrawalId,
      position: key?.held?.position ?? -1,
    }),
  ).toEqual({ value: keys[1] })
})

it('leaves the field of an unknown key empty until the customer writes the key; only the sold key counts', async () => {
  await seller('POST', `/offers/${offer.offerId}/keys`, { keys: ['OTHER-AAAAA-BBBBB'] })
  const orderId = await buy()
  const [only] = await delivered(orderId)
  const disputeId = await claim(orderId, only?.id ?? '', 'The code WRONG-CCCCC-DDDDD does not work')
  expect((await detail(disputeId)).key).toBeNull()
  expect(await lastFourOf(disputeId)).toEqual({ text: 'Ends in {last4}', missing: ['last4'] })
  await backend.dashboard('POST', `/disputes/${disputeId}/messages`, {
    author: 'customer',
    body: 'I mean other-aaaaa-bbbbb, sorry',
  })
  await harness.ask.accounts.syncNow({ accountId })
  expect(
    (
      await until(
        () => detail(disputeId),
        ({ messages }) => messages === 2,
      )
    ).key,
  ).toEqual({ masked: 'OTHER-•••••-•••••', last4: 'BBBB', from: 'message', held: null })
})
