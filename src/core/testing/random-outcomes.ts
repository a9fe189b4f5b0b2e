import type { ExchangeOutcome, ForeignResponse } from './faulty-proxy.ts'

const page = '<!doctype html><title>Gateway</title><h1>Please sign in to this network</h1>'
const rejection = (code: string, details?: unknown): string =>
  JSON.stringify({ error: { code, message: code, requestId: 'req_proxy', details } })

/** Responses with which the service itself says that it did nothing. */
const rejections: readonly ForeignResponse[] = [
  {
    status: 429,
    body: rejection('RATE_LIMITED', { retryAfterMs: 400 }),
    headers: { 'retry-after': '1' },
  },
  { status: 429, body: rejection('RATE_LIMITED') },
  { status: 503, body: rejection('SERVICE_UNAVAILABLE') },
]
/** Implausibly long waits. */
const implausible: readonly ForeignResponse[] = [
  {
    status: 429,
    body: rejection('RATE_LIMITED', { retryAfterMs: 1e15 }),
    headers: { 'retry-after': '99999999999999999999' },
  },
  { status: 503, body: page, headers: { 'retry-after': '86400' } },
]
/** Responses of proxies and of failing services. None says what happened to the request. */
const otherAnswers: readonly ForeignResponse[] = [
  { status: 429, body: page, headers: { 'retry-after': '2' } },
  { status: 429, body: page, headers: { 'retry-after': '-7' } },
  { status: 503, body: page, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' } },
  { status: 500, body: rejection('INTERNAL_ERROR') },
  { status: 500, body: rejection('A_CODE_OF_NEXT_YEAR') },
  { status: 502, body: page },
  { status: 504, body: '' },
  { status: 200, body: '' },
  { status: 200, body: page },
  { status: 200, body: 'null' },
  { status: 200, body: '{"results":[{"id":7}],"hasMore":"perhaps"' },
  {
    status: 200,
    body: '{"results":"none","hasMore":0,"nextCursor":{},"id":[],"price":"dear"}',
    headers: { 'content-type': 'application/json' },
  },
  { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/sign-in' } },
]

/**
 * A random outcome of one exchange; slightly less than half pass unchanged. `random` returns
 * numbers from 0 to below 1.
 */
export function randomOutcome(random: () => number): ExchangeOutcome {
  const among = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T
  const roll = random()
  if (roll < 0.45) return 'pass'
  if (roll < 0.55) return 'lose-answer'
  if (roll < 0.63) return 'cut'
  if (roll < 0.7) return { kind: 'delay', ms: Math.floor(random() * 60) }
  if (roll < 0.75) return { kind: 'trickle', pieces: 1 + Math.floor(random() * 6), everyMs: 5 }
  if (roll < 0.84) return { kind: 'cut-body', share: random() }
  if (roll < 0.92) return { kind: 'replace', answer: among(otherAnswers) }
  return {
    kind: 'answer',
    answer: among(roll < 0.9205 ? implausible : roll < 0.94 ? rejections : otherAnswers),
  }
}
