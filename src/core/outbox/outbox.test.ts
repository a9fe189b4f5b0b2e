import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import type { OfferRow } from '../../contract/offers/offers.ts'
import type { OutboxEntry } from '../../contract/outbox.ts'
import { formatMessage } from '../../contract/localization/localized.ts'
import { startTestBackend } from '../testing/backend.ts'
import type { TestBackend } from '../testing/backend.ts'
import { temporaryFolder } from '../testing/context.ts'
import { startTestCore, until } from '../testing/core.ts'
import type { TestCore } from '../testing/core.ts'
import { fastClock } from '../testing/fast-clock.ts'
import { startFaultyProxy } from '../testing/faulty-proxy.ts'
import type { FaultyProxy } from '../testing/faulty-proxy.ts'
import { memoryKeychain } from '../testing/keychains.ts'

/** Pauses between retries are real: eight times shorter, and limits for responses at least 15 s. */
const clock = fastClock(8, 15_000)

let backend: TestBackend
beforeAll(async () => {
  backend = await startTestBackend({ products: 120, noLimits: true })
})
afterAll(() => backend.stop())

let folder: ReturnType<typeof temporaryFolder>
let proxy: FaultyProxy
let keychain: ReturnType<typeof memoryKeychain>
let harness: TestCore
let accountId: string
let offers: OfferRow[]

beforeEach(async () => {
  folder = temporaryFolder()
  keychain = memoryKeychain()
  proxy = await startFaultyProxy(backend.ready.baseUrl)
  harness = await startTestCore(folder.path, keychain, { clock })
  accountId = (
    await harness.ask.accounts.connect({
      key: backend.ready.demo?.sellerKey ?? '',
      baseUrl: proxy.baseUrl,
      name: 'Shop',
    })
  ).id
  const { rows } = await until(
    () => harness.ask.offers.list({ accountId }),
    ({ total }) => total >= 40,
  )
  offers = rows.filter(({ status }) => status === 'active').slice(0, 6)
  await until(
    () => harness.ask.catalogue.sync({ accountId }),
    ({ state }) => state === 'idle',
  )
})
afterEach(async () => {
  await harness.close()
  await proxy.close()
  folder.remove()
})

const waiting = async (): Promise<OutboxEntry[]> =>
  (await harness.ask.outbox.list({ accountId })).rows
const offer = (at: number): OfferRow =>
  offers[at] ??
  (() => {
    throw new Error('no such offer')
  })()
const setPrice = (at: number, priceCents: number): Promise<OfferRow> =>
  harness.ask.offers.change({
    accountId,
    offerId: offer(at).offerId,
    priceCents: cents(priceCents),
    expectedPriceCents: offer(at).priceCents,
  })
/** The service's own state. */
async function atService(offerId: string): Promise<{ price: number; status: string }> {
  const answer = await fetch(`${backend.ready.baseUrl}/seller/offers/${offerId}`, {
    headers: { authorization: `Bearer ${backend.ready.demo?.sellerKey}` },
  })
  return (await answer.json()) as { price: number; status: string }
}
async function elsewhere(
  offerId: string,
  change: { price?: number; status?: string },
): Promise<void> {
  const answer = await fetch(`${backend.ready.baseUrl}/seller/offers/${offerId}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${backend.ready.demo?.sellerKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(change),
  })
  if (!answer.ok) throw new Error(await answer.text())
}
const compared = (): Promise<OutboxEntry[]> =>
  until(waiting, (rows) => rows.length > 0 && rows.every(({ verdict }) => verdict !== 'uncompared'))

it('queues changes while offline, compares them once online, and sends each approved one once @long', async () => {
  await proxy.disconnect()
  const start = offer(0).priceCents
  expect((await setPrice(0, start + 11)).pending).toMatchObject({
    state: 'waits',
    priceCents: start + 11,
  })
  await setPrice(1, offer(1).priceCents + 5)
  await harness.ask.offers.change({ accountId, offerId: offer(2).offerId, status: 'paused' })
  await harness.ask.offers.change({ accountId, offerId: offer(3).offerId, status: 'paused' })
  await setPrice(0, start + 12)
  const product = (await harness.ask.catalogue.search({ accountId, filter: { notSoldByMe: true } }))
    .rows[0]
  expect(
    await harness.ask.offers.create({
      accountId,
      productId: product?.productId ?? '',
      priceCents: cents(1234),
    }),
  ).toEqual({ created: false, offer: null })
  expect(await waiting()).toHaveLength(5)

  // Keydesk stops and starts again: nothing is lost.
  await harness.close()
  harness = await startTestCore(folder.path, keychain, { clock })
  expect((await waiting()).map(({ kind }) => kind).toSorted()).toEqual([
    'offer-new',
    'offer-price',
    'offer-price',
    'offer-status',
    'offer-status',
  ])

  await elsewhere(offer(1).offerId, { price: (offer(1).priceCents + 40) / 100 })
  await elsewhere(offer(3).offerId, { status: 'paused' })
  await proxy.reconnect()
  await harness.ask.accounts.syncNow({ accountId })
  const rows = await compared()
  const verdicts = Object.fromEntries(rows.map(({ subjectId, verdict }) => [subjectId, verdict]))
  expect(verdicts).toEqual({
    [offer(0).offerId]: 'ready',
    [offer(1).offerId]: 'decide',
    [offer(2).offerId]: 'ready',
    [offer(3).offerId]: 'already',
    [product?.productId ?? '']: 'ready',
  })
  expect((await atService(offer(0).offerId)).price * 100).toBeCloseTo(start, 5)

  const patches: string[] = []
  proxy.decide = (method, path) => {
    if (method !== 'GET') patches.push(`${method} ${path.split('/').at(-1) ?? ''}`)
    return 'pass'
  }
  const ready = rows.filter(({ verdict }) => verdict === 'ready').map(({ entryId }) => entryId)
  const sent = await harness.ask.outbox.send({ accountId, entryIds: ready })
  expect(sent.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
  await harness.ask.outbox.send({ accountId, entryIds: ready })
  expect(patches.toSorted()).toEqual(
    [`PATCH ${offer(0).offerId}`, `PATCH ${offer(2).offerId}`, 'POST offers'].toSorted(),
  )
  expect(await atService(offer(0).offerId)).toMatchObject({ price: (start + 12) / 100 })
  expect(await atService(offer(2).offerId)).toMatchObject({ status: 'paused' })

  const found = await harness.ask.outbox.list({
    accountId,
    query: offer(3).name.slice(0, 5).toUpperCase(),
  })
  expect(found.rows.map(({ subjectId }) => subjectId)).toContain(offer(3).offerId)
  expect(found).toMatchObject({ total: found.rows.length, counts: { waiting: 2 } })
  expect(await harness.ask.outbox.list({ accountId, query: 'no match for this' })).toMatchObject({
    total: 0,
    verdicts: { ready: 0, decide: 0 },
    counts: { waiting: 2 },
  })

  const conflict = rows.find(({ verdict }) => verdict === 'decide')
  expect(conflict).toMatchObject({
    seen: { priceCents: offer(1).priceCents },
    present: { priceCents: offer(1).priceCents + 40 },
    wanted: { priceCents: offer(1).priceCents + 5 },
  })
  const [settled] = await harness.ask.outbox.send({
    accountId,
    entryIds: [conflict?.entryId ?? ''],
    priceCents: cents(offer(1).priceCents + 7),
  })
  expect(settled).toMatchObject({ state: 'sent' })
  expect(await atService(offer(1).offerId)).toMatchObject({
    price: (offer(1).priceCents + 7) / 100,
  })

  const left = await waiting()
  expect(left.map(({ verdict }) => verdict)).toEqual(['already'])
  await harness.ask.outbox.discard({ accountId, entryIds: left.map(({ entryId }) => entryId) })
  expect((await harness.ask.outbox.list({ accountId, tab: 'sent' })).counts).toEqual({
    waiting: 0,
    sent: 4,
    dropped: 1,
  })
  expect(
    (await harness.ask.offers.list({ accountId })).rows.every(({ pending }) => pending === null),
  ).toBe(true)
  const told = await harness.ask.outbox.entry({ accountId, entryId: conflict?.entryId ?? '' })
  expect(told.events.map(({ what }) => formatMessage(what))).toEqual([
    'Last seen on the service',
    'Connection lost',
    expect.stringMatching(/^You typed/),
    expect.stringMatching(/^Compared/),
    'Sending',
    'Sent',
  ])
})

it('settles a lost response: a change that the service has is sent once, also after a restart @long', async () => {
  await proxy.disconnect()
  await setPrice(0, offer(0).priceCents + 21)
  await proxy.reconnect()
  await harness.ask.accounts.syncNow({ accountId })
  const [entry] = await compared()
  let patches = 0
  // The service makes the change; its response and every later request are lost.
  proxy.decide = (method) => {
    if (method === 'PATCH') patches += 1
    return patches > 0 ? 'lose-answer' : 'pass'
  }
  const [unsure] = await harness.ask.outbox.send({ accountId, entryIds: [entry?.entryId ?? ''] })
  expect(unsure?.state).not.toBe('sent')
  await harness.close()
  proxy.decide = (method) => {
    if (method === 'PATCH') patches += 1
    return 'pass'
  }
  harness = await startTestCore(folder.path, keychain, { clock })
  await until(
    () => harness.ask.outbox.list({ accountId, tab: 'sent' }),
    ({ counts }) => counts.waiting === 0,
    30_000,
  )
  expect(patches).toBe(1)
  expect(await atService(offer(0).offerId)).toMatchObject({
    price: (offer(0).priceCents + 21) / 100,
  })
}, 60_000)

it('replaces a queued change by a direct one, and restores a discarded change @long', async () => {
  await proxy.disconnect()
  await setPrice(0, offer(0).priceCents + 3)
  await setPrice(1, offer(1).priceCents + 3)
  const [first, second] = await waiting()
  await harness.ask.outbox.discard({ accountId, entryIds: [second?.entryId ?? ''] })
  expect(await waiting()).toHaveLength(1)
  await harness.ask.outbox.restore({ accountId, entryIds: [second?.entryId ?? ''] })
  expect(await waiting()).toHaveLength(2)
  await proxy.reconnect()
  await harness.ask.accounts.syncNow({ accountId })
  const direct = offers.find(({ offerId }) => offerId === first?.subjectId)
  const { priceCents: now } = await harness.ask.offers.offer({
    accountId,
    offerId: direct?.offerId ?? '',
  })
  await harness.ask.offers.change({
    accountId,
    offerId: direct?.offerId ?? '',
    priceCents: cents(now + 9),
  })
  expect((await waiting()).map(({ subjectId }) => subjectId)).toEqual([second?.subjectId])
})
