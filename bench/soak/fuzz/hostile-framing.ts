import { text } from './hostile-kit.ts'
import type { Hostile, Kit } from './hostile-kit.ts'
import type { Part } from './wire.ts'

/** Valid requests that few clients send, and requests in pieces. */
export function connections({ auth, ping, order }: Kit): Hostile[] {
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
