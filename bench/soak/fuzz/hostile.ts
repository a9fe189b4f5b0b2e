/** Hostile connections, and unusual ones that HTTP still allows. */
import { bodies, chunked } from './hostile-bodies.ts'
import { connections } from './hostile-framing.ts'
import { kitOf, text } from './hostile-kit.ts'
import type { Hostile, Kit } from './hostile-kit.ts'
import type { World } from './world.ts'

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
