/** Bodies that are chunked, compressed, of wrong length, or too large. */
import { gzipSync } from 'node:zlib'
import { kitOf, text } from './hostile-kit.ts'
import type { Hostile, Kit } from './hostile-kit.ts'
import type { Part } from './wire.ts'
import type { World } from './world.ts'

/** Chunked bodies: valid ones in unusual pieces, and broken ones. */
export function chunked({ auth, order }: Kit): Hostile[] {
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
export function bodies({ auth, seller, order }: Kit): Hostile[] {
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
