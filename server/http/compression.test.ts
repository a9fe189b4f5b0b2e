import { gunzipSync, brotliDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { encodingFor, registerCompression } from './compression.ts'

describe('the encoding of a response', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['GZIP, deflate', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['gzip;q=x', null],
  ])('for Accept-Encoding %s is %s', (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding)
  })

  const long = JSON.stringify({ text: 'ä'.repeat(2000) })
  const app = fastify({ exposeHeadRoutes: true })
  registerCompression(app)
  const reply = (type: string, payload: string | Buffer) => () => ({ type, payload })
  const routes = {
    '/json': reply('application/json; charset=utf-8', long),
    '/bytes': reply('application/json; charset=utf-8', Buffer.from(long)),
    '/small': reply('application/json', JSON.stringify({ text: 'x'.repeat(900) })),
    '/picture': reply('image/png', Buffer.alloc(5000)),
  }
  for (const [path, make] of Object.entries(routes))
    app.get(path, (_request, sent) => {
      const { type, payload } = make()
      return sent.header('content-type', type).send(payload)
    })
  const get = (url: string, accepted?: string, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({
      method,
      url,
      ...(accepted !== undefined && { headers: { 'accept-encoding': accepted } }),
    })

  it.each(['/json', '/bytes'])('compresses %s as asked, with the same content', async (path) => {
    const [plain, gzipped, brotli] = [
      await get(path),
      await get(path, 'gzip'),
      await get(path, 'br, gzip'),
    ]
    expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([
      undefined,
      undefined,
    ])
    expect(plain.body).toBe(long)
    expect([gzipped.headers['content-encoding'], brotli.headers['content-encoding']]).toEqual([
      'gzip',
      'br',
    ])
    expect(gunzipSync(gzipped.rawPayload).toString()).toBe(long)
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(long)
    for (const { headers, rawPayload } of [gzipped, brotli]) {
      expect(headers['content-length']).toBe(String(rawPayload.length))
      expect(headers['vary']).toBe('accept-encoding')
    }
  })

  it.each(['/small', '/picture'])('leaves %s unchanged', async (path) => {
    const answer = await get(path, 'gzip, br')
    expect(answer.headers['content-encoding']).toBeUndefined()
  })

  it('gives HEAD the headers of the compressed response', async () => {
    const [full, head] = [await get('/json', 'gzip'), await get('/json', 'gzip', 'HEAD')]
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'])
      expect(head.headers[name], name).toBe(full.headers[name])
    expect(head.body).toBe('')
  })

  it('leaves the response to a client that refuses all encodings unchanged', async () => {
    const refusing = await get('/json', 'gzip;q=0')
    expect([refusing.headers['content-encoding'], refusing.headers['vary']]).toEqual([
      undefined,
      'accept-encoding',
    ])
    expect(refusing.body).toBe(long)
  })
})
