/**
 * Explains random refusals: almost every one gets a request that a branch accepted, and no
 * explanation contains a secret.
 */
import { why as whySchema } from '../../server/api/dashboard/control.ts'
import { startSandbox } from '../../server/sandbox.ts'
import { testOptions } from '../../server/testing/sandbox-options.ts'
import { seeded } from '../../e2e/support/seeded.ts'
import { type Asked, askedAt, SECRET } from './why/refusals.ts'

/** A round is one request; those that aren't refused don't count. */
export const defaultRounds = 10_000

type Options = { rounds: number; seed: number; log: (text: string) => void; products?: number }
export type WhySoak = {
  lost: number
  twice: number
  wrong: number
  refused: number
  suggested: number
  p95Ms: number
}

const silent = { info: () => undefined, error: () => undefined }
const secret = new RegExp(`${SECRET}|(svc_test_|svc_live_|svcs_|whsec_)[0-9A-Za-z]`)

const start = (products: number) =>
  startSandbox(testOptions({ world: { seed: 'demo', products } }), silent)

export default async function soakWhy(options: Options): Promise<WhySoak> {
  const { rounds, seed, log, products = 2000 } = options
  const random = seeded(seed)
  const pick = <T>(values: readonly T[]): T => {
    const value = values[random(values.length)]
    if (value === undefined) throw new Error('nothing to pick from')
    return value
  }
  const { ready, stop } = await start(products)
  const origin = new URL(ready.baseUrl).origin
  const keys = {
    partner: ready.demo?.partnerTestKey ?? '',
    seller: ready.demo?.sellerKey ?? '',
    dashboard: ready.dashboardToken,
    unknown: 'no-key',
  }
  const send = ({ method, path, key, body, idempotencyKey }: Asked): Promise<Response> =>
    fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${keys[key]}`,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const result: WhySoak = { lost: 0, twice: 0, wrong: 0, refused: 0, suggested: 0, p95Ms: 0 }
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const asked = askedAt(pick, `${seed}-${round}`)
    const answer = await send(asked)
    await answer.arrayBuffer()
    if (answer.status < 400) continue
    result.refused += 1
    const id = answer.headers.get('x-request-id') ?? ''
    const begun = performance.now()
    const text = await (
      await send({ method: 'GET', path: `/dashboard/requests/${id}/why`, key: 'dashboard' })
    ).text()
    times.push(performance.now() - begun)
    const explained = whySchema.strict.safeParse(JSON.parse(text))
    const name = `${asked.method} ${asked.path} ${JSON.stringify(asked.body)}`
    if (secret.test(text) || !explained.success) {
      result.wrong += 1
      log(`wrong explanation of ${name}: ${text.slice(0, 500)}`)
    } else if (explained.data.suggestion === null) log(`no suggestion for ${name}`)
    else result.suggested += 1
  }
  await stop()
  times.sort((a, b) => a - b)
  result.p95Ms = Math.round(times[Math.floor(times.length * 0.95)] ?? 0)
  if (result.suggested < result.refused * 0.95) result.lost = result.refused - result.suggested
  return result
}
