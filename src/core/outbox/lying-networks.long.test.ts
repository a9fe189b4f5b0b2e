import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { cents } from '../../../server/api/money.ts'
import type { OfferRow } from '../../contract/offers/offers.ts'
import type { OutboxEntry } from '../../contract/outbox.ts'
import { msSince } from '../clock.ts'
import type { Clock } from '../clock.ts'
import { startTestBackend } from '../testing/backend.ts'
import type { TestBackend } from '../testing/backend.ts'
import { temporaryFolder } from '../testing/context.ts'
import { startTestCore, until } from '../testing/core.ts'
import type { TestCore } from '../testing/core.ts'
import { fastClock } from '../testing/fast-clock.ts'
import { startFaultyProxy } from '../testing/faulty-proxy.ts'
import type { ExchangeOutcome, FaultyProxy } from '../testing/faulty-proxy.ts'
import { memoryKeychain } from '../testing/keychains.ts'

/** At half speed, so that a busy machine has twice the time for its own work. */
const slowClock = fastClock(0.5)

const loginPage = '<!doctype html><title>Welcome to Hotel Wi-Fi</title>'
const html = { 'content-type': 'text/html' }
const networks: readonly (readonly [string, ExchangeOutcome])[] = [
  ['accepts requests and cuts the connection', 'cut'],
  ['accepts requests and never responds', 'swallow'],
  ['delivers requests and loses the responses', 'swallow-answer'],
  ['delivers responses byte by byte', { kind: 'trickle', pieces: 200, everyMs: 500 }],
  [
    'responds with a login page',
    { kind: 'answer', answer: { status: 200, headers: html, body: loginPage } },
  ],
  [
    'redirects to a login page',
    {
      kind: 'answer',
      answer: { status: 302, headers: { ...html, location: '/login' }, body: loginPage },
    },
  ],
]

let backend: TestBackend
let folder: ReturnType<typeof temporaryFolder>
let proxy: FaultyProxy
let harness: TestCore
let accountId: string
let offers: OfferRow[]

beforeAll(async () => {
  backend = await startTestBackend({ products: 120, noLimits: true })
})
afterAll(() => backend.stop())
async function connect(clock: Clock): Promise<void> {
  folder = temporaryFolder()
  proxy = await startFaultyProxy(backend.ready.baseUrl)
  harness = await startTestCore(folder.path, memoryKeychain(), { clock })
  const key = backend.ready.demo?.sellerKey ?? ''
  const { baseUrl } = proxy
  accountId = (await harness.ask.accounts.connect({ key, baseUrl, name: 'Shop' })).id
  const { rows } = await until(
    () => harness.ask.offers.list({ accountId }),
    ({ complete }) => complete,
  )
  offers = rows.filter(({ status }) => status === 'active').slice(0, 2)
}
afterEach(async () => {
  await harness.close()
  await proxy.close()
  folder.remove()
})

const queued = async (): Promise<OutboxEntry[]> =>
  (await harness.ask.outbox.list({ accountId })).rows
const stateNow = async (): Promise<string> =>
  (await harness.ask.accounts.connection({ accountId })).state
const offer = (at: number): OfferRow => {
  const found = offers[at]
  if (found === undefined) throw new Error('no such offer')
  return found
}
const setPrice = ({ offerId, priceCents }: OfferRow): Promise<OfferRow> =>
  harness.ask.offers.change({
    accountId,
    offerId,
    priceCents: cents(priceCents + 5),
    expectedPriceCents: priceCents,
  })
const pauseOffer = ({ offerId }: OfferRow): Promise<OfferRow> =>
  harness.ask.offers.change({ accountId, offerId, status: 'paused' })

it.each(networks)(
  'queues an edit within 2 s, and shows the connection as it is, in a network that %s',
  async (_name, outcome) => {
    await connect(slowClock)
    const changes: string[] = []
    proxy.decide = (method) => {
      if (method !== 'GET') changes.push(method)
      return outcome
    }
    const startedAt = slowClock.monotonic()
    const rows = await Promise.all([setPrice(offer(0)), pauseOffer(offer(1))])
    expect(msSince(slowClock, startedAt)).toBeLessThan(2000)
    expect(rows.map(({ pending }) => pending?.state)).toEqual(['waits', 'waits'])
    expect((await queued()).map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
      'offer-price waiting',
      'offer-status waiting',
    ])
    expect(['doubtful', 'offline']).toContain(await stateNow())
    expect(msSince(slowClock, startedAt)).toBeLessThan(5000)
    expect(changes).toEqual([])

    proxy.decide = () => 'pass'
    await until(stateNow, (state) => state === 'online')
  },
)

it('queues an edit within 2 s while the service answers that it is unavailable', async () => {
  await connect(slowClock)
  const body = JSON.stringify({
    error: {
      code: 'SERVICE_UNAVAILABLE',
      message: 'Try again.',
      requestId: 'req_1',
      retryable: true,
    },
  })
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' }
  proxy.decide = () => ({ kind: 'answer', answer: { status: 503, headers, body } })
  const startedAt = slowClock.monotonic()
  const rows = await Promise.all([setPrice(offer(0)), pauseOffer(offer(1))])
  expect(msSince(slowClock, startedAt)).toBeLessThan(2000)
  expect(rows.map(({ pending }) => pending?.state)).toEqual(['waits', 'waits'])
})

it.each([
  ['made', 'swallow-answer', 'sent'],
  ['not made', 'swallow', 'waiting'],
] as const)(
  'checks a queued change whose response was lost: %s',
  async (_name, outcome, expected) => {
    await connect(fastClock(2))
    let isLost = false
    proxy.decide = (method) => {
      if (method === 'PATCH') isLost = true
      return isLost ? outcome : 'pass'
    }
    const { offerId, priceCents } = offer(0)
    const row = await setPrice(offer(0))
    expect(row.pending).toMatchObject({ state: 'waits', priceCents: priceCents + 5 })
    const [entry] = await queued()
    expect(entry).toMatchObject({ subjectId: offerId, state: 'unknown' })

    proxy.decide = () => 'pass'
    await until(
      () => harness.ask.outbox.entry({ accountId, entryId: entry?.entryId ?? '' }),
      ({ state }) => state === expected,
    )
  },
)
