/** Requests from the endpoint table: valid, nearly valid, and hostile ones. */
import fc from 'fast-check'
import { apiRoots } from '../../../server/api/endpoints/endpoint.ts'
import type { Api } from '../../../server/api/endpoints/endpoint.ts'
import { endpointOf, operationIds } from '../../../server/api/endpoints/endpoints.ts'
import type { OperationId } from '../../../server/api/endpoints/endpoints.ts'
import type { World } from './world.ts'

/**
 * Never sent: they would remove the data, the time or the valid responses of the other requests.
 */
const leftOut: ReadonlySet<OperationId> = new Set<OperationId>([
  'reset',
  'advanceClock',
  'putFaults',
  'restoreSnapshot',
  'startMarket',
])

const hostile = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'null',
  'true',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00+14:00',
  '9'.repeat(400),
  'x'.repeat(5000),
  '../../etc/passwd',
  '%00',
  '\u0000',
  '\ud800',
  'a\udfffb',
  '\u202e',
  '💣',
  "' OR 1=1 --",
  '"; DROP TABLE orders; --',
  '%',
  '_',
  '*',
  'constructor',
  '__proto__',
  'toString',
  'a,b,,c',
  '{"a":1}',
  'active',
  'live',
  'game',
  '::ffff:1.2.3.4',
  '10.0.0.0/33',
  '\ufeff',
  '1'.repeat(101),
]

export type Request = {
  operation: OperationId
  method: string
  target: string
  headers: Readonly<Record<string, string | string[]>>
  /** JSON text, null for none. */
  body: string | null
  /** The account whose key it uses; only a key of the operation's own API is accepted. */
  auth: 'own' | 'other' | 'none' | 'torn'
  idempotencyKey: string | null
}

const isRecord = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** The body with one member, at any depth, replaced, added or removed. */
function damaged(body: unknown, path: readonly number[], replacement: unknown): unknown {
  const [step = 0, ...rest] = path
  if (Array.isArray(body) && body.length > 0)
    return body.map((item: unknown, index) =>
      index === step % body.length ? damaged(item, rest, replacement) : item,
    )
  if (!isRecord(body) || rest.length === 0) return replacement
  const names = Object.keys(body)
  const name = names[step % (names.length + 1)]
  return name === undefined
    ? { ...body, surplus: replacement }
    : { ...body, [name]: damaged(body[name], rest, replacement) }
}

/** JSON in a form that our own serializers never produce. */
const oddities: readonly ((json: string) => string)[] = [
  (json) => json.replace(/\d+(\.\d+)?/, '1e999'),
  (json) => json.replace(/\d+/, '9'.repeat(400)),
  (json) => json.replace('{', '{"__proto__":{"externalId":"p"},'),
  (json) => json.replace('{', '{"constructor":{"prototype":{}},'),
  (json) => json.replace(/"([^"]+)":/, '"$1":1,"$1":'),
  (json) => json.replace(/":"/, String.raw`":"\ud83d`),
  (json) => json.replace(/":"/, String.raw`":"\u0000`),
  (json) => `\ufeff${json}`,
  (json) => json.slice(0, -1),
  (json) => `${json}${json}`,
  (json) => json.replaceAll('"', "'"),
  () => '',
  () => 'NaN',
  () => '"text"',
  () => 'null',
  () => '[]',
  () => '-0',
  () => `${'['.repeat(3000)}${']'.repeat(3000)}`,
]

const otherApi: Readonly<Record<Api, Api>> = {
  partner: 'seller',
  seller: 'partner',
  dashboard: 'partner',
}

function authorization(
  { keyOf }: World,
  api: Api,
  auth: Request['auth'],
): Record<string, string | string[]> {
  const own = `Bearer ${keyOf[api]}`
  if (auth === 'none') return {}
  if (auth === 'other') return { authorization: `Bearer ${keyOf[otherApi[api]]}` }
  return auth === 'torn'
    ? { authorization: own, 'x-api-key': `${keyOf[api]}x` }
    : { authorization: own }
}

/** One request to this world. */
export function requests(world: World): fc.Arbitrary<Request> {
  const words = [...Object.values(world.ids).flat(), ...hostile]
  const word = fc.oneof(
    { weight: 3, arbitrary: fc.nat().map((index) => words[index % words.length] ?? '') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  )
  const scalar = fc.oneof(
    word,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100),
  )
  const value = fc.oneof(
    { weight: 4, arbitrary: scalar },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.array(scalar, { maxLength: 12 }) },
  )

  const targetOf = (
    operation: OperationId,
    param: string | null,
    which: number,
    query: readonly [number, string][],
  ): string => {
    const { api, path, query: schema } = endpointOf(operation)
    const filled = path.replace(/(?:(\w+)\/)?\{\w+\}/g, (whole, kind: string | undefined) => {
      const known = world.ids[kind ?? ''] ?? words
      const id =
        encodeURIComponent((param ?? known[which % known.length] ?? '').toWellFormed()) || '-'
      return whole.replace(/\{\w+\}/, () => id)
    })
    const names = Object.keys(schema?.shape ?? { page: null })
    const search = query
      .map(
        ([index, text]) =>
          `${names[index % names.length] ?? ''}=${encodeURIComponent(text.toWellFormed())}`,
      )
      .join('&')
    return `${apiRoots[api]}${filled}${search === '' ? '' : `?${search}`}`
  }

  const bodyOf = (
    operation: OperationId,
    intact: boolean,
    which: number,
    path: readonly number[],
    replacement: unknown,
    oddity: number | null,
  ): string | null => {
    if (endpointOf(operation).method === 'GET') return null
    const valid = world.bodies[operation]
    const fresh =
      isRecord(valid) && 'externalId' in valid ? { ...valid, externalId: `fuzz-${which}` } : valid
    const json = JSON.stringify(intact ? fresh : damaged(fresh, path, replacement)) ?? null
    return oddity === null || json === null ? json : (oddities[oddity]?.(json) ?? json)
  }

  return fc
    .record({
      operation: fc.constantFrom(...operationIds.filter((id) => !leftOut.has(id))),
      /** Null: an existing id. */
      param: fc.option(word, { freq: 3 }),
      which: fc.nat(),
      query: fc.array(fc.tuple(fc.nat(), word), { maxLength: 3 }),
      intact: fc.boolean(),
      path: fc.array(fc.nat({ max: 20 }), { maxLength: 4 }),
      replacement: value,
      oddity: fc.option(fc.nat({ max: oddities.length - 1 }), { freq: 8 }),
      key: fc.option(word, { freq: 2 }),
      auth: fc.oneof(
        { weight: 30, arbitrary: fc.constant('own' as const) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('other' as const, 'none' as const, 'torn' as const),
        },
      ),
    })
    .map(({ operation, param, which, query, intact, path, replacement, oddity, key, auth }) => {
      const { api, method } = endpointOf(operation)
      const body = bodyOf(operation, intact, which, path, replacement, oddity)
      const idempotencyKey = key !== null && /^[\x20-\x7e]*$/.test(key) ? key.trim() : null
      const headers = {
        ...authorization(world, api, auth),
        ...(body === null
          ? {}
          : {
              'content-type': 'application/json',
              'content-length': String(Buffer.byteLength(body)),
            }),
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      }
      return {
        operation,
        method,
        target: targetOf(operation, param, which, query),
        headers,
        body,
        auth,
        idempotencyKey,
      }
    })
}
