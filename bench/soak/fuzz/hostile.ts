/** Hostile connections, and unusual ones that HTTP still allows. */
import { gzipSync } from 'node:zlib'
import type { OperationId } from '../../../server/api/endpoints/endpoints.ts'
import type { Part } from './wire.ts'
import type { World } from './world.ts'

/**
 * `answers`: the required statuses, in order, `executed` for an order that was understood; null:
 * any response within the contract. `operation`: the operation whose contract applies, null for a
 * request that matches none.
 */
export type Hostile = {
  name: string
  parts: readonly Part[]
  answers: readonly (number | 'executed')[] | null
  operation: OperationId | null
  head?: boolean
}

const text = (...lines: readonly string[]): string => [...lines, '', ''].join('\r\n')

/** `order`: a valid body, always of the same length but with a new externalId. */
type Kit = { auth: string; seller: string; ping: string; order: () => string }

function kitOf({ keyOf, bodies }: World, below: (limit: number) => number): Kit {
  const auth = `Authorization: Bearer ${keyOf.partner}`
  const order = () =>
    JSON.stringify({
      ...(bodies.createOrder as object),
      externalId: `wire-${String(below(2 ** 30)).padStart(10, '0')}`,
    })
  return {
    auth,
    seller: `Authorization: Bearer ${keyOf.seller}`,
    order,
    ping: text('GET /v1/ping HTTP/1.1', 'Host: x', auth),
  }
}

/**
 * Requests that Node's parser must reject: one response, 400 with our own error, then the
 * connection closes.
 */
function malformed({ auth }: Kit): Hostile[] {
  const heads: readonly (readonly [string, ...string[]])[] = [
    ['not HTTP', 'HELLO'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001'],
    ['an unknown method', 'BREW /v1/ping HTTP/1.1', 'Host: x'],
    ['HTTP/9.9', 'GET /v1/ping HTTP/9.9', 'Host: x'],
    ['a space in the target', 'GET /v1/pi ng HTTP/1.1', 'Host: x'],
    ['a NUL in the target', 'GET /v1/\u0000ping HTTP/1.1', 'Host: x'],
    ['a NUL in a header', 'GET /v1/ping HTTP/1.1', 'Host: x', 'X-A: \u0000'],
    ['a header without colon', 'GET /v1/ping HTTP/1.1', 'Host: x', 'nonsense'],
    ['a space before the colon', 'GET /v1/ping HTTP/1.1', 'Host : x'],
    ['a folded header', 'GET /v1/ping HTTP/1.1', ' Host: x'],
    ['a CR in a header', 'GET /v1/ping HTTP/1.1', 'Host: x\rX: y'],
    ['a head beyond 64 KiB', 'GET /v1/ping HTTP/1.1', `X: ${'x'.repeat(70_000)}`],
    [
      '2,500 headers',
      'GET /v1/ping HTTP/1.1',
      ...Array.from({ length: 2500 }, (_, index) => `X-${index}: 1`),
    ],
    ['a target beyond 64 KiB', `GET /v1/products/${'x'.repeat(70_000)} HTTP/1.1`, 'Host: x'],
    ...['-1', '+2', '2,2', '1e3', '0x10', '99999999999999999999', 'two', ''].map(
      (length) =>
        [
          `Content-Length ${length}`,
          'POST /v1/orders HTTP/1.1',
          'Host: x',
          auth,
          `Content-Length: ${length}`,
        ] as const,
    ),
    [
      'two lengths',
      'POST /v1/orders HTTP/1.1',
      'Host: x',
      auth,
      'Content-Length: 2',
      'Content-Length: 3',
    ],
    [
      'length and chunks',
      'POST /v1/orders HTTP/1.1',
      'Host: x',
      auth,
      'Content-Length: 2',
      'Transfer-Encoding: chunked',
    ],
    [
      'an unknown coding',
      'POST /v1/orders HTTP/1.1',
      'Host: x',
      auth,
      'Transfer-Encoding: xchunked',
    ],
  ]
  return heads.map(([name, ...lines]) => ({
    name,
    parts: [Buffer.from(text(...lines), 'latin1')],
    answers: [400],
    operation: null,
  }))
}

/** Chunked bodies: valid ones in unusual pieces, and broken ones. */
function chunked({ auth, order }: Kit): Hostile[] {
  const head = text(
    'POST /v1/orders HTTP/1.1',
    'Host: x',
    auth,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  )
  const cut = order()
  const chunk = (data: string, extension = '') =>
    `${Buffer.byteLength(data).toString(16)}${extension}\r\n${data}\r\n`
  const good = (name: string, parts: readonly Part[]): Hostile => ({
    name,
    parts: [head, ...parts],
    answers: ['executed'],
    operation: 'createOrder',
  })
  const broken = (name: string, part: string): Hostile => ({
    name,
    parts: [head, part],
    answers: [400],
    operation: 'createOrder',
  })
  const bad = (name: string, ...parts: readonly Part[]): Hostile => ({
    name,
    parts: [head, ...parts],
    answers: null,
    operation: 'createOrder',
  })
  return [
    good('one byte per chunk', [[...order()].map((letter) => chunk(letter)).join(''), '0\r\n\r\n']),
    good('chunks with pauses', [chunk(cut.slice(0, 9)), 40, chunk(cut.slice(9)), 40, '0\r\n\r\n']),
    good('an extension and a trailer', [chunk(order(), ';a=b'), '0\r\nX-Trailer: 1\r\n\r\n']),
    broken('an invalid size', 'zz\r\n'),
    broken('a negative size', '-1\r\n'),
    broken('a size over any limit', 'FFFFFFFFFFFFFFFFF\r\n'),
    broken('a chunk that is longer than declared', '2\r\n{"a":1}\r\n0\r\n\r\n'),
    bad('no last chunk', chunk(order()), { leave: 'end' }),
    bad('aborted', chunk(cut.slice(0, 9)), 20, { leave: 'reset' }),
  ]
}

/** Bodies that are JSON, or claim to be. */
function bodies({ auth, seller, order }: Kit): Hostile[] {
  const post = (
    name: string,
    body: string | Buffer,
    status: readonly number[] | null,
    ...headers: readonly string[]
  ): Hostile => ({
    name,
    answers: status,
    operation: 'createOrder',
    parts: [
      text(
        'POST /v1/orders HTTP/1.1',
        'Host: x',
        auth,
        ...(headers.length > 0 ? headers : ['Content-Type: application/json']),
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
      ),
      body,
    ],
  })
  const deep = (levels: number, open: string, close: string) =>
    `${open.repeat(levels)}1${close.repeat(levels)}`
  // This body is compared with other bodies under the same key, which requires its canonical form.
  const repeatable = `{"count":1,"deep":${deep(20_000, '[', ']')}}`
  return [
    {
      name: 'deep nesting with an idempotency key',
      answers: null,
      operation: 'withdrawKeys',
      parts: [
        text(
          'POST /v1/seller/offers/off_1/withdraw HTTP/1.1',
          'Host: x',
          seller,
          'Content-Type: application/json',
          'Idempotency-Key: 12345678',
          `Content-Length: ${repeatable.length}`,
          'Connection: close',
        ),
        repeatable,
      ],
    },
    post('arrays 100,000 deep', deep(100_000, '[', ']'), [400]),
    post('objects 100,000 deep', deep(100_000, '{"a":', '}'), [400]),
    post('arrays 20,000 deep', deep(20_000, '[', ']'), [400]),
    post('deep nesting within a line', `{"externalId":"a","items":${deep(9000, '[', ']')}}`, [400]),
    post('a prototype', '{"__proto__":{"externalId":"a"},"items":[]}', [400]),
    post('half a surrogate pair', order().replace('{', String.raw`{"\ud800":1,`), [400]),
    post('not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), [400]),
    post('UTF-16', Buffer.from(order(), 'utf16le'), [400]),
    post(
      'gzip',
      gzipSync(order()),
      [400],
      'Content-Type: application/json',
      'Content-Encoding: gzip',
    ),
    post('invalid gzip', order(), null, 'Content-Type: application/json', 'Content-Encoding: gzip'),
    post('a byte order mark', `\ufeff${order()}`, null),
    post('a form', 'externalId=a', [400], 'Content-Type: application/x-www-form-urlencoded'),
    post('no type', order(), [400], 'X-Nothing: 1'),
    post('two types', order(), [400], 'Content-Type: application/json', 'Content-Type: text/plain'),
    post('another charset', order(), [400], 'Content-Type: application/json; charset=latin1'),
    post(
      'an excessive content type',
      order(),
      [400],
      `Content-Type: application/json;${'a'.repeat(20_000)}`,
    ),
    post('white space', ' '.repeat(100_000), [400]),
    post('nothing', '', [400]),
    post('10,000 lines', `{"externalId":"a","items":[${'{},'.repeat(9999)}{}]}`, [400]),
    post(
      '100,000 names',
      `{${Array.from({ length: 100_000 }, (_, index) => `"n${index}":0`).join(',')}}`,
      [400],
    ),
    post(
      'two idempotency keys',
      order(),
      [400],
      'Content-Type: application/json',
      'Idempotency-Key: 12345678',
      'Idempotency-Key: 12345679',
    ),
    post(
      'an idempotency key beyond ASCII',
      order(),
      [400],
      'Content-Type: application/json',
      'Idempotency-Key: 1234567\u00e4',
    ),
  ]
}

/** Valid requests that few clients send, and requests in pieces. */
function connections({ auth, ping, order }: Kit): Hostile[] {
  const close = 'Connection: close'
  const get = (name: string, status: number, ...lines: readonly string[]): Hostile => ({
    name,
    parts: [text(...lines)],
    answers: [status],
    operation: 'ping',
  })
  const head = text(
    'POST /v1/orders HTTP/1.1',
    'Host: x',
    auth,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(order())}`,
  )
  const orderOf = (name: string, ...parts: readonly Part[]): Hostile => ({
    name,
    parts,
    answers: ['executed'],
    operation: 'createOrder',
  })
  const apart = (name: string, ...parts: readonly Part[]): Hostile => ({
    name,
    parts,
    answers: null,
    operation: 'createOrder',
  })
  const body = order()
  return [
    get('HTTP/1.0', 200, 'GET /v1/ping HTTP/1.0', auth),
    get('HTTP/1.0 with keep-alive', 200, 'GET /v1/ping HTTP/1.0', 'Connection: keep-alive', auth),
    get('no Host', 200, 'GET /v1/ping HTTP/1.1', auth, close),
    get('two Hosts', 200, 'GET /v1/ping HTTP/1.1', 'Host: x', 'Host: y', auth, close),
    get(
      'an absolute URL as target',
      200,
      'GET http://evil.example/v1/ping HTTP/1.1',
      'Host: x',
      auth,
      close,
    ),
    get(
      'an absolute URL without key',
      401,
      'GET https://evil.example:99/v1/ping?a=/ HTTP/1.1',
      'Host: x',
      close,
    ),
    get(
      'an unknown expectation',
      200,
      'GET /v1/ping HTTP/1.1',
      'Host: x',
      'Expect: wonders',
      auth,
      close,
    ),
    get(
      'an upgrade',
      200,
      'GET /v1/ping HTTP/1.1',
      'Host: x',
      'Connection: Upgrade, close',
      'Upgrade: h2c',
      auth,
    ),
    get(
      '900 headers',
      200,
      'GET /v1/ping HTTP/1.1',
      auth,
      close,
      ...Array.from({ length: 900 }, (_, index) => `X-${index}: 1`),
    ),
    get('the key twice', 200, 'GET /v1/ping HTTP/1.1', auth, auth, close),
    get('two keys', 401, 'GET /v1/ping HTTP/1.1', auth, 'Authorization: Bearer svc_live_x', close),
    get('two kinds of key', 401, 'GET /v1/ping HTTP/1.1', auth, 'X-Api-Key: svc_live_x', close),
    get(
      'another scheme',
      401,
      'GET /v1/ping HTTP/1.1',
      `Authorization: Basic ${'YTpi'.repeat(5000)}`,
      close,
    ),
    get(
      'a key beyond ASCII',
      401,
      'GET /v1/ping HTTP/1.1',
      'Authorization: Bearer svc_live_\u00e4',
      close,
    ),
    get('a body with GET', 200, 'GET /v1/ping HTTP/1.1', auth, close, 'Content-Length: 0'),
    get('X-Forwarded-For', 200, 'GET /v1/ping HTTP/1.1', auth, 'X-Forwarded-For: 1.2.3.4', close),
    {
      name: 'pipelined requests',
      parts: [ping.repeat(20), text('GET /v1/ping HTTP/1.1', auth, close)],
      answers: Array.from({ length: 21 }, () => 200),
      operation: 'ping',
    },
    {
      name: 'pipelined requests followed by noise',
      parts: [ping.repeat(3), 'NOISE\r\n\r\n'],
      answers: [200, 200, 200, 400],
      operation: 'ping',
    },
    {
      name: 'pipelined orders',
      parts: Array.from({ length: 4 }, () => `${head}${order()}`),
      answers: ['executed', 'executed', 'executed', 'executed'],
      operation: 'createOrder',
    },
    orderOf(
      '100-continue',
      head.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'),
      20,
      order(),
    ),
    orderOf(
      'byte by byte',
      ...[...head].flatMap((letter, index) => (index % 40 === 0 ? [letter, 1] : [letter])),
      body.slice(0, 5),
      30,
      body.slice(5),
    ),
    orderOf('a client that stops sending', head, order(), { leave: 'end' }),
    apart('half a head', head.slice(0, 60), 20, { leave: 'end' }),
    apart('half a head, aborted', head.slice(0, 60), 20, { leave: 'reset' }),
    apart('half a body', head, body.slice(0, 20), 20, { leave: 'end' }),
    apart('half a body, aborted', head, body.slice(0, 20), 20, { leave: 'reset' }),
    apart('a client gone before the response', head, order(), { leave: 'reset' }),
    apart('nothing', 20, { leave: 'end' }),
    apart('more bytes than declared', head, order(), 'GARBAGE\r\n\r\n'),
    {
      name: 'CONNECT',
      parts: [text('CONNECT evil.example:443 HTTP/1.1', 'Host: x')],
      answers: null,
      operation: null,
    },
  ]
}

/** Targets and methods that don't exist: first the key is checked, then 404. */
function targets({ auth }: Kit): Hostile[] {
  const nowhere = [
    '/v1/%2e%2e/dashboard/partners',
    '/v1/../dashboard/partners',
    '/v1//ping',
    '/v1/ping/',
    '/V1/ping',
    '/v1/ping%00',
    '/v1/pi%6eg%2f',
    '/v1/products/%c0%af',
    '/v1/products/%zz',
    '/v1/products/%',
    '/v1/orders/a%2f..%2fb/keys/',
    '/v1/ping;a=b',
    '/v1/',
    '/v1',
    `/v1/${'a/'.repeat(5000)}`,
  ]
  const gone = (name: string, ...lines: readonly string[]): Hostile => ({
    name,
    parts: [text(...lines, 'Connection: close')],
    answers: [404],
    operation: 'getProduct',
  })
  const search = [
    'page=1&page=2',
    'limit[]=1',
    '__proto__=1',
    '&&&==&',
    'page=%',
    'page=%zz',
    `${'a=1&'.repeat(5000)}`,
    `search=${'%f0%9f%92%a3'.repeat(500)}`,
    'search=%00%00',
    'ids=,,,',
    'cursor=e30',
    'page=1e0',
    'page=%31',
    'page= 1',
    'limit=١٠',
  ]
  return [
    ...nowhere.map((target) =>
      gone(target.slice(0, 40), `GET ${target} HTTP/1.1`, 'Host: x', auth),
    ),
    ...['OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY'].map((method) =>
      gone(method, `${method} /v1/ping HTTP/1.1`, 'Host: x', auth),
    ),
    {
      name: 'HEAD',
      parts: [text('HEAD /v1/ping HTTP/1.1', 'Host: x', auth, 'Connection: close')],
      answers: null,
      operation: null,
      head: true,
    },
    gone('OPTIONS *', 'OPTIONS * HTTP/1.1', 'Host: x', auth),
    ...search.map((query): Hostile => ({
      name: query.slice(0, 40),
      parts: [
        Buffer.from(
          text(
            `GET /v1/products?${query.replaceAll(' ', '+')} HTTP/1.1`,
            'Host: x',
            auth,
            'Connection: close',
          ),
          'utf8',
        ),
      ],
      answers: null,
      operation: 'listProducts',
    })),
  ]
}

/** One of each. */
export function hostileConnections(world: World, below: (limit: number) => number): Hostile[] {
  const makers = [malformed, chunked, bodies, connections, targets]
  return makers.flatMap((make) => make(kitOf(world, below)))
}

const LIMIT = 16 * 1024 * 1024

/** Bodies at the limit of 16 MiB: the largest allowed one, and larger ones. */
export function largeBodies(world: World, below: (limit: number) => number): Hostile[] {
  const { auth, order } = kitOf(world, below)
  const of = (size: number) => Buffer.from(order().padEnd(size, ' '))
  const head = (framing: string) =>
    text(
      'POST /v1/orders HTTP/1.1',
      'Host: x',
      auth,
      'Content-Type: application/json',
      framing,
      'Connection: close',
    )
  const chunks = (size: number): Buffer[] => [
    Buffer.from(`${size.toString(16)}\r\n`),
    of(size),
    Buffer.from('\r\n0\r\n\r\n'),
  ]
  return [
    {
      name: '16 MiB',
      parts: [head(`Content-Length: ${LIMIT}`), of(LIMIT)],
      answers: ['executed'],
      operation: 'createOrder',
    },
    {
      name: 'one byte more',
      parts: [head(`Content-Length: ${LIMIT + 1}`), of(LIMIT + 1)],
      answers: [400],
      operation: 'createOrder',
    },
    {
      name: 'one byte more in chunks',
      parts: [head('Transfer-Encoding: chunked'), ...chunks(LIMIT + 1)],
      answers: [400],
      operation: 'createOrder',
    },
    {
      name: '16 MiB of brackets',
      parts: [head(`Content-Length: ${LIMIT}`), Buffer.alloc(LIMIT, '[')],
      answers: [400],
      operation: 'createOrder',
    },
    {
      name: '16 MiB, truncated',
      parts: [head(`Content-Length: ${LIMIT}`), of(LIMIT - 1), { leave: 'reset' }],
      answers: null,
      operation: 'createOrder',
    },
  ]
}
