import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { conclusionOf } from '../../contract/webhook-inspector.ts'
import { readPasted, verify } from './verify.ts'
import type { Arrivals } from './verify.ts'

const secret = 'whsec_test_0123456789'
const now = Date.UTC(2026, 10, 21, 15, 31, 59)
const body = Buffer.from(
  '{"id":"evt_1","event":"webhook.test","createdAt":"2026-11-21T15:31:58.000Z","data":{"message":"ü"}}',
)
/** The signature as another library computes it. */
const signature = (at = now, text = body.toString(), by = secret): string =>
  Stripe.webhooks.generateTestHeaderString({
    payload: text,
    secret: by,
    timestamp: Math.floor(at / 1000),
  })
const headers = (value = signature(), event = 'webhook.test'): [string, string][] => [
  ['x-svc-event', event],
  ['X-SVC-Delivery', 'dlv_1'],
  ['X-Svc-Signature', value],
]
const arrivals = (deliveries: string[] = [], events: string[] = []): Arrivals => ({
  deliveries: new Map(deliveries.map((id) => [id, now - 1000])),
  events: new Map(events.map((id) => [id, { at: now - 19_000, delivery: 'dlv_0' }])),
})
const check = (
  given: Partial<{
    headers: [string, string][]
    body: Buffer
    secret: string
    seen: Arrivals
    now: number | null
  }>,
) =>
  verify(
    { headers: given.headers ?? headers(), body: given.body ?? body },
    {
      secret: given.secret ?? secret,
      toleranceSeconds: 300,
      now: given.now === undefined ? now : given.now,
      seen: given.seen ?? arrivals(),
    },
  )
const resultsOf = ({ signature: signed, age, duplicate }: ReturnType<typeof check>): string =>
  `${signed.result} ${age.result} ${duplicate.result}`

test('a genuine delivery has three results, which show both digests and no secret', () => {
  const result = check({})
  expect(resultsOf(result)).toBe('genuine recent new')
  expect(conclusionOf(result)).toEqual({
    title: 'Genuine, recent and new',
    process: 'process',
  })
  const digests = result.signature.values.filter(({ label }) => label !== 'Secret')
  expect(digests.map(({ label }) => label)).toEqual(['Computed', 'Received'])
  expect(digests[0]?.value).toBe(digests[1]?.value)
  expect(JSON.stringify(result)).not.toContain(secret)
})

test.each([
  ['no signature', { headers: headers().slice(0, 2) }],
  ['a signature of another form', { headers: headers('v1=abc') }],
  ['a body changed by one byte', { body: Buffer.from(body.toString().replace('ü', 'u')) }],
  ['another secret', { secret: 'whsec_other' }],
] as const)('%s is forged, and neither its age nor its ids are judged', (_what, given) => {
  const result = check({ ...(given as Parameters<typeof check>[0]), seen: arrivals(['dlv_1']) })
  expect(resultsOf(result)).toBe('forged notJudged notJudged')
  expect(conclusionOf(result)).toEqual({ title: 'Forged', process: 'reject' })
})

test.each(['', 'svc_live_x'])('can’t tell with the secret “%s”', (given) => {
  const result = check({ secret: given })
  expect(result.signature.result).toBe('unknown')
  expect(conclusionOf(result).process).toBe('unknown')
})

test.each([
  [-301_000, 'genuine old new', 'Genuine, but too old', 'reject'],
  [301_000, 'genuine future new', 'Genuine, but from the future', 'reject'],
  [-300_000, 'genuine recent new', 'Genuine, recent and new', 'process'],
  [300_000, 'genuine recent new', 'Genuine, recent and new', 'process'],
])('signed %i ms from its arrival: %s', (offset, results, title, process) => {
  const result = check({ headers: headers(signature(now + offset)) })
  expect(resultsOf(result)).toBe(results)
  expect(conclusionOf(result)).toEqual({ title, process })
})

test('a request of an unknown arrival is never recent: its age is not judged', () => {
  const of2023 = headers(signature(1_700_000_000_000))
  const unknown = check({ headers: of2023, now: null })
  expect(resultsOf(unknown)).toBe('genuine notJudged new')
  expect(conclusionOf(unknown)).toEqual({
    title: 'Genuine and new, age not judged',
    process: 'unknown',
  })
  expect(resultsOf(check({ headers: of2023 }))).toBe('genuine old new')
})

test('a known delivery id and a known event id under a new delivery id are two kinds of duplicate', () => {
  const again = check({ seen: arrivals(['dlv_1'], ['evt_1']) })
  expect(resultsOf(again)).toBe('genuine recent sameDelivery')
  const resent = check({ seen: arrivals([], ['evt_1']) })
  expect(resultsOf(resent)).toBe('genuine recent sameEvent')
  expect(JSON.stringify(resent.duplicate.values)).toContain('dlv_0')
  for (const result of [again, resent])
    expect(conclusionOf(result)).toEqual({
      title: 'Genuine and recent, but a duplicate',
      process: 'skip',
    })
  const undated = check({ seen: arrivals([], ['evt_1']), now: null })
  expect(conclusionOf(undated).title).toBe('Genuine, but a duplicate, age not judged')
})

test('an event header that differs from the signed body is reported and never changes the signature', () => {
  const result = check({ headers: headers(signature(), 'order.completed') })
  expect(resultsOf(result)).toBe('genuine recent new')
  expect(result.headerFields.find(({ field }) => field === 'event')).toMatchObject({
    header: 'order.completed',
    body: 'webhook.test',
    differs: true,
  })
  expect(conclusionOf(result)).toEqual({
    title: 'Genuine, recent and new, but a header differs',
    process: 'process',
  })
  expect(check({}).headerFields.every(({ differs }) => !differs)).toBe(true)
  const missing = check({ headers: headers().slice(1) }).headerFields
  expect(missing.find(({ field }) => field === 'event')).toMatchObject({
    header: '–',
    differs: true,
  })
  const short = check({ headers: [...headers(), ['Content-Length', '7']] }).headerFields
  expect(short.find(({ field }) => field === 'length')?.differs).toBe(true)
})

test('a second signature in the header can be the right one', () => {
  const [t, right] = signature().split(',')
  const result = check({ headers: headers(`${t},v1=${'0'.repeat(64)},${right}`) })
  expect(result.signature.result).toBe('genuine')
})

test('reads the body of a pasted request byte for byte, with and without a request line', () => {
  const text =
    'POST /hook HTTP/1.1\r\nX-SVC-Event: webhook.test\r\nX-SVC-Delivery: dlv_1\r\n' +
    `X-SVC-Signature: ${signature()}\r\n\r\n${body.toString()}`
  const read = readPasted(text)
  expect(read).toMatchObject({ method: 'POST', path: '/hook' })
  expect(
    check({
      headers: [...(read?.headers ?? [])] as [string, string][],
      body: read?.body ?? Buffer.alloc(0),
    }).signature.result,
  ).toBe('genuine')
  expect(readPasted(text.split('\r\n').slice(1).join('\n'))?.body.equals(body)).toBe(true)
  expect(readPasted('nothing of the kind')).toBeNull()
})
