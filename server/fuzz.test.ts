import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from './api/client.ts'
import { type Api, apiRoots } from './api/endpoint.ts'
import { endpointOf, type OperationId, operationIds } from './api/endpoints.ts'
import { errorBodySchema, errorTable, isErrorCode } from './api/errors.ts'
import { cents } from './api/money.ts'
import { requestExamples } from './http/openapi/examples.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { fetchTransport } from './testing/fetch-transport.ts'

let sandbox: Sandbox
const keyOf = new Map<Api, string>()
/** Ids there are, by what stands before them in a path. */
let ids: Record<string, string[]> = {}
/** Values that mean something to this service, mixed with those that mean harm. */
let words: string[] = []
const defects: string[] = []

beforeAll(async () => {
  sandbox = await startSandbox(
    { port: 0, host: '127.0.0.1', allowRemote: false, dataFolder: null, world: { seed: 'demo', products: 40 }, smtp: null, limits: false, exitWithParent: false },
    { info: () => undefined, error: (message, fields) => defects.push(`${message} ${JSON.stringify(fields)}`) },
  )
  const { baseUrl, dashboardToken, demo } = sandbox.ready
  keyOf.set('dashboard', dashboardToken)
  keyOf.set('partner', demo?.partnerLiveKey ?? '')
  keyOf.set('seller', demo?.sellerKey ?? '')
  const client = (api: Api) => createClient<AbortSignal>({ baseUrl, key: keyOf.get(api) ?? '', send: fetchTransport })
  const [products, orders, offers, partners, sellers] = [
    (await client('partner').listProducts({ query: { limit: 5 } })).body.results.map(({ id }) => id),
    (await client('partner').listOrders({ query: { limit: 5 } })).body.results.map(({ id }) => id),
    ((await client('seller').listOffers({ query: { limit: 5 } })).body.results ?? []).map(({ id }) => id),
    (await client('dashboard').listPartners({ query: { limit: 3 } })).body.results.map(({ id }) => id),
    (await client('dashboard').listSellers({ query: { limit: 3 } })).body.results.map(({ id }) => id),
  ]
  await client('dashboard').createTopUp({ params: { id: partners[0] ?? '' }, body: { mode: 'live', amount: cents(100_000) } })
  const known = (await client('dashboard').listAllDisputes({})).body.results ?? []
  const [claimed] = known
  ids = { products, orders, offers, partners, sellers, disputes: known.flatMap(({ id }) => id ?? []) }
  words = [...Object.values(ids).flat(), ...hostile]
  seeds.createOrder = { externalId: 'fuzz', items: [{ productId: products[0], qty: 1, maxUnitPrice: 1000 }] }
  seeds.createClaim = { orderId: claimed?.orderId, keyId: claimed?.keyId, message: 'It says used.' }
  seeds.saveOffer = { productId: products[1], price: 1.5 }
})
afterAll(() => sandbox.stop())

const hostile = [
  '', ' ', '0', '-1', '1e999', 'null', 'true', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00+14:00', '9'.repeat(400), 'x'.repeat(5000), '../../etc/passwd', '%00', '\u0000', '\ud800', '\u202e', '💣',
  "' OR 1=1 --", '"; DROP TABLE orders; --', '%', '_', '*', 'constructor', '__proto__', 'toString', 'a,b,,c', '{"a":1}', 'active', 'live', 'game', '::ffff:1.2.3.4', '10.0.0.0/33',
]

const word = fc.oneof({ weight: 3, arbitrary: fc.nat().map((index) => words[index % words.length] ?? '') }, { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) })
const scalar = fc.oneof(word, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100))
const value = fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: fc.jsonValue() }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 12 }) })

/** Bodies near enough to valid ones that some pass. */
const seeds: Partial<Record<OperationId, unknown>> = {
  ...requestExamples,
  createPartner: { name: 'P', email: null, perOrderLimit: 10, dailyLimit: null, ipAllowlist: ['10.0.0.0/8'], priceFactor: 1.1 },
  createPartnerKey: { mode: 'live', scopes: ['orders:read'], expiresAt: '2030-01-01T00:00:00Z' },
  createTopUpReference: { mode: 'live' },
  createTopUp: { mode: 'live', amount: 12.34, reference: 'R' },
  resetTestBalance: { amount: 1 },
  putWebhook: { url: 'http://127.0.0.1:9/' },
  testPartnerWebhook: { mode: 'live' },
  createSeller: { name: 'S', status: 'active', commission: { keys: 10 } },
  createSellerKey: { expiresAt: null },
  createProduct: { name: 'N', platform: 'Steam', region: 'Global', productType: 'game', deliveryType: 'key', releaseDate: '2026-01-01', languages: ['English'] },
  changeProduct: { removed: true, supplyUnknown: true, description: null },
}

/** Not sent here: they would take the world, the time or true answers away from the other requests. */
const leftOut: ReadonlySet<OperationId> = new Set<OperationId>(['reset', 'advanceClock', 'changePartner', 'changeSeller', 'putFaults', 'restoreSnapshot'])

const isRecord = (given: unknown): given is Record<string, unknown> => typeof given === 'object' && given !== null && !Array.isArray(given)

/** The body with one member, deep or not, replaced, added or taken away. */
function damaged(body: unknown, path: readonly number[], replacement: unknown): unknown {
  const [step = 0, ...rest] = path
  if (Array.isArray(body) && body.length > 0) return body.map((item: unknown, index) => (index === step % body.length ? damaged(item, rest, replacement) : item))
  if (!isRecord(body) || rest.length === 0) return replacement
  const names = Object.keys(body)
  const name = names[step % (names.length + 1)]
  return name === undefined ? { ...body, surplus: replacement } : { ...body, [name]: damaged(body[name], rest, replacement) }
}

const asked = fc.record({
  operation: fc.constantFrom(...operationIds.filter((id) => !leftOut.has(id))),
  /** Null: an id there is. */
  param: fc.option(word, { freq: 3 }),
  which: fc.nat(),
  query: fc.array(fc.tuple(fc.nat(), word), { maxLength: 3 }),
  intact: fc.boolean(),
  path: fc.array(fc.nat({ max: 20 }), { maxLength: 4 }),
  replacement: value,
  key: fc.option(word),
})

type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never

function send({ operation, param, which, query, intact, path, replacement, key }: Asked): Promise<{ status: number; body: string }> {
  const endpoint = endpointOf(operation)
  const names = Object.keys(endpoint.query?.shape ?? { page: null })
  const filled = endpoint.path.replace(/(\w+)\/\{\w+\}/g, (_, kind: string) => {
    const known = ids[kind] ?? words
    return `${kind}/${encodeURIComponent((param ?? known[which % known.length] ?? '').toWellFormed()) || '-'}`
  })
  const search = query.map(([index, text_]) => `${names[index % names.length]}=${encodeURIComponent(text_.toWellFormed())}`).join('&')
  const seed = seeds[operation]
  const fresh = operation === 'createOrder' && isRecord(seed) ? { ...seed, externalId: `fuzz-${which}` } : seed
  const body = endpoint.method === 'GET' ? null : JSON.stringify(intact ? fresh : damaged(fresh, path, replacement))
  const headers: Record<string, string> = { authorization: `Bearer ${keyOf.get(endpoint.api)}`, 'content-type': 'application/json' }
  if (body != null) headers['content-length'] = String(Buffer.byteLength(body))
  if (key !== null && /^[\x20-\x7e]*$/.test(key)) headers['idempotency-key'] = key.trim()
  const url = `${sandbox.ready.baseUrl.replace(/\/v1$/, '')}${apiRoots[endpoint.api]}${filled}?${search}`
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: endpoint.method, headers }, (answer) => {
      text(answer).then((read) => resolve({ status: answer.statusCode ?? 0, body: read }), reject)
    })
    sent.on('error', reject).end(body ?? undefined)
  })
}

it('answers anything by its contract and never with a defect', async () => {
  const statuses = new Map<number, number>()
  await fc.assert(fc.asyncProperty(asked, async (what) => {
    const { operation } = what
    const { status, body } = await send(what)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    expect(defects).toEqual([])
    if (status >= 400) {
      const { error } = errorBodySchema.parse(JSON.parse(body))
      expect(isErrorCode(error.code) && errorTable[error.code].status).toBe(status)
      return
    }
    const answer = endpointOf(operation).answers[status]
    expect(answer, `${operation} ${status}`).not.toBeUndefined()
    if (answer === null) expect(body).toBe('')
    else expect(answer?.strict.safeParse(JSON.parse(body)).error?.issues ?? []).toEqual([])
  }), { numRuns: Number(process.env['FUZZ_RUNS'] ?? 1000) })
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 404]))
})
