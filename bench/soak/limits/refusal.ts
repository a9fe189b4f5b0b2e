import { z } from 'zod'
import type { BruteForce, Demand, Rate } from './brute-force.ts'

type Answer = { headers: Readonly<Record<string, unknown>>; body: string }

const refusal = z.object({
  error: z.object({
    code: z.literal('RATE_LIMITED'),
    details: z.strictObject({ retryAfterMs: z.int().min(1) }),
    requestId: z.string(),
  }),
})
const policy = /^"([a-z-]+)";q=(\d+);w=(\d+)$/
const limit = /^"([a-z-]+)";r=0;t=(\d+)$/

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const same = (one: Rate, other: Rate | undefined): boolean =>
  one.limit === other?.limit && one.windowMs === other.windowMs

/**
 * The named rates of a RateLimit-Policy header; null if it isn't one
 * (draft-ietf-httpapi-ratelimit-headers-10).
 */
function policiesOf(header: string): Map<string, Rate> | null {
  const items = header.split(', ').map((item) => policy.exec(item))
  if (items.some((item) => item === null)) return null
  return new Map(
    items.map((item) => [
      item?.[1] ?? '',
      { limit: Number(item?.[2]), windowMs: Number(item?.[3]) * 1000 },
    ]),
  )
}

/**
 * The problem of a 429, if any. Its wait must be sufficient, and one millisecond less must not be.
 * The headers must name the rates that apply to the request, the last one to let it pass, and the
 * same wait in full seconds.
 */
export function refusalProblem(
  { headers, body }: Answer,
  demand: Demand,
  plain: BruteForce,
  now: number,
): string | { name: string; retryAfterMs: number } {
  const parsed = refusal.safeParse(JSON.parse(body))
  if (!parsed.success) return `not a rejection by rate: ${body}`
  const {
    details: { retryAfterMs },
    requestId,
  } = parsed.data.error
  if (headers['x-request-id'] !== requestId) return 'the request id of header and body differ'
  if (plain.refusing(demand, now + retryAfterMs).length > 0)
    return `waiting ${retryAfterMs} ms is not enough`
  const last = plain.refusing(demand, now + retryAfterMs - 1)
  if (last.length === 0) return `waiting ${retryAfterMs} ms is more than necessary`
  const seconds = Math.ceil(retryAfterMs / 1000)
  if (headers['retry-after'] !== String(seconds))
    return `Retry-After ${textOf(headers['retry-after'])} for ${retryAfterMs} ms`
  const policies = policiesOf(textOf(headers['ratelimit-policy']))
  const rates = plain.ratesOf(demand).map(({ rate }) => rate)
  if (
    policies === null ||
    policies.size !== rates.length ||
    ![...policies.values()].every((one, index) => same(one, rates[index]))
  )
    return `RateLimit-Policy ${textOf(headers['ratelimit-policy'])}`
  const [, name = '', t] = limit.exec(textOf(headers['ratelimit'])) ?? []
  const named = policies.get(name)
  if (t !== String(seconds) || named === undefined || !last.some((rate) => same(rate, named)))
    return `RateLimit ${textOf(headers['ratelimit'])}`
  return { name, retryAfterMs }
}
