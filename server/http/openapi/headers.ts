import { replayedStatuses } from '../../api/errors.ts'
import { rateLimits } from '../../api/limits.ts'

const { second, minute } = rateLimits

const component = (name: string) => ({ $ref: `#/components/headers/${name}` })

/** The document's response headers: `components.headers`. */
export const headerComponents = {
  RequestId: {
    description: 'Id of this request, also `error.requestId` of a refusal.',
    schema: { type: 'string' },
    example: 'req_1m7zsbn16cezyzfp1py1',
  },
  Challenge: { description: 'How to authenticate.', schema: { type: 'string' }, example: 'Bearer' },
  RetryAfter: {
    description:
      'Seconds to wait before a retry; with RATE_LIMITED `details.retryAfterMs` rounded up.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  Replayed: {
    description:
      'Present with `true` when this is the stored response of an earlier request with the same ' +
      'Idempotency-Key. The body is the first one, byte for byte, including `error.requestId`; ' +
      '`X-Request-Id` is the id of this request.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  RateLimit: {
    description:
      'The exhausted rate, the requests left (`r`) and the seconds until there are more (`t`), ' +
      'as in draft-ietf-httpapi-ratelimit-headers-10.',
    schema: { type: 'string' },
    example: '"key-second";r=0;t=1',
  },
  RateLimitPolicy: {
    description: 'Every rate that applies to the request: quota (`q`) and window in seconds (`w`).',
    schema: { type: 'string' },
    example: `"key-second";q=${second.max};w=1, "key-minute";q=${minute.max};w=60`,
  },
}

const always = { 'X-Request-Id': component('RequestId') }

const byStatus: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': component('Challenge') },
  503: { 'Retry-After': component('RetryAfter') },
  429: {
    'Retry-After': component('RetryAfter'),
    RateLimit: component('RateLimit'),
    'RateLimit-Policy': component('RateLimitPolicy'),
  },
}

/** Headers of a response with the given status; `idempotent` operations can replay it. */
export const headersOf = (status: number, { idempotent = false } = {}): object => ({
  ...always,
  ...byStatus[status],
  ...(idempotent &&
    (status < 300 || replayedStatuses.has(status)) && {
      'Idempotent-Replayed': component('Replayed'),
    }),
  ...(idempotent && status === 409 && { 'Retry-After': component('RetryAfter') }),
})
