import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { readPasted, verify } from './verify.ts'

const secret = 'whsec_test_0123456789'
const now = Date.UTC(2026, 10, 21, 15, 31, 59)
const body = Buffer.from('{"id":"evt_1","event":"webhook.test","data":{"message":"ü"}}')
/** The signature as another library computes it. */
const signature = (at = now, text = body.toString(), by = secret): string =>
  Stripe.webhooks.generateTestHeaderString({
    payload: text,
    secret: by,
    timestamp: Math.floor(at / 1000),
  })
const headers = (value = signature()): [string, string][] => [
  ['x-svc-event', 'webhook.test'],
  ['X-SVC-Delivery', 'dlv_1'],
  ['X-Svc-Signature', value],
]
const check = (
  given: Partial<{
    headers: [string, string][]
    body: Buffer
    secret: string
    known: boolean
    tolerance: number
  }>,
) =>
  verify(
    { headers: given.headers ?? headers(), body: given.body ?? body },
    {
      secret: given.secret ?? secret,
      toleranceSeconds: given.tolerance ?? 300,
      now,
      isKnown: () => given.known ?? false,
    },
  )
const failed = (result: ReturnType<typeof check>): string | undefined =>
  result.steps.find((step) => step.result === 'failed')?.id

test('a genuine delivery passes six steps, which show both digests', () => {
  const { verdict, steps } = check({})
  expect(verdict).toBe('genuine')
  expect(steps.map(({ id, result }) => `${id} ${result}`)).toEqual([
    'headers passed',
    'fresh passed',
    'signed passed',
    'digest passed',
    'equal passed',
    'new passed',
  ])
  const [computed, received] = steps.find(({ id }) => id === 'equal')?.values ?? []
  expect(computed?.value).toBe(received?.value)
  expect(JSON.stringify(steps)).not.toContain(secret)
})

test.each([
  ['a missing header', { headers: headers().slice(1) }, 'headers'],
  ['a signature of another form', { headers: headers('v1=abc') }, 'headers'],
  ['a timestamp a second too old', { headers: headers(signature(now - 301_000)) }, 'fresh'],
  ['a timestamp too far ahead', { headers: headers(signature(now + 301_000)) }, 'fresh'],
  ['a body changed by one byte', { body: Buffer.from(body.toString().replace('ü', 'u')) }, 'equal'],
  ['another secret', { secret: 'whsec_other' }, 'equal'],
  ['no signing secret', { secret: 'svc_live_x' }, 'digest'],
] as const)('%s fails at the right step and skips the others', (_what, given, where) => {
  const result = check(given as Parameters<typeof check>[0])
  expect(result.verdict).toBe('refused')
  expect(failed(result)).toBe(where)
  const at = result.steps.findIndex(({ id }) => id === where)
  expect(result.steps.slice(at + 1).every((step) => step.result === 'skipped')).toBe(true)
})

test('a timestamp at the limit of the tolerance passes; a second signature in the header can be the right one', () => {
  expect(check({ headers: headers(signature(now - 300_000)) }).verdict).toBe('genuine')
  const [t, right] = signature().split(',')
  expect(check({ headers: headers(`${t},v1=${'0'.repeat(64)},${right}`) }).verdict).toBe('genuine')
})

test('a repeated delivery is genuine and a repeat', () => {
  const { verdict, steps } = check({ known: true })
  expect(verdict).toBe('repeat')
  expect(steps.at(-1)).toMatchObject({ id: 'new', result: 'failed' })
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
    }).verdict,
  ).toBe('genuine')
  expect(readPasted(text.split('\r\n').slice(1).join('\n'))?.body.equals(body)).toBe(true)
  expect(readPasted('nothing of the kind')).toBeNull()
})
