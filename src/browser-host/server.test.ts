import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startServer } from './server.ts'
import type { BrowserServer } from './server.ts'
import { createSessions, tokenLifetimeMs } from './session.ts'

type Answer = {
  status: number
  body: string
  headers: Record<string, string | string[] | undefined>
}

describe('allows only its own page', () => {
  let now = 1_000_000
  let server: BrowserServer
  let connections = 0
  let ready = true

  beforeEach(async () => {
    now = 1_000_000
    connections = 0
    ready = true
    server = await startServer({
      port: 0,
      sessions: createSessions(() => now),
      files: new Map([
        [
          '/index.html',
          { bytes: Buffer.from('<html></html>'), contentType: 'text/html', immutable: false },
        ],
      ]),
      isReady: () => ready,
      onConnection: (socket) => {
        connections++
        socket.send('hello')
      },
    })
  })
  afterEach(() => server.close())

  const call = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body = '',
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(server.origin)
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: { Host: `127.0.0.1:${port}`, ...headers },
        },
        (incoming) => {
          let text = ''
          incoming.on('data', (part) => {
            text += String(part)
          })
          incoming.on('end', () =>
            resolve({ status: incoming.statusCode ?? 0, body: text, headers: incoming.headers }),
          )
        },
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  const exchange = (token: string, headers: Record<string, string> = {}): Promise<Answer> =>
    call('POST', '/session', { Origin: server.origin, ...headers }, token)
  const token = (): string => new URL(server.newAddress()).searchParams.get('token') ?? ''
  const upgrade = (protocols: string[], headers: Record<string, string> = {}): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(server.origin.replace('http', 'ws') + '/rpc', protocols, {
        headers: { Origin: server.origin, ...headers },
      })
      socket.on('message', (data) => {
        resolve(String(data))
        socket.close()
      })
      socket.on('unexpected-response', (_request, response) => resolve(String(response.statusCode)))
      socket.on('error', () => resolve('refused'))
    })

  it('serves the page, then a connection to the core for the session its token was exchanged for', async () => {
    expect((await call('GET', '/?token=anything')).status).toBe(200)
    const session = await exchange(token())
    expect(session.status).toBe(200)
    expect(await upgrade(['keydesk', `session.${session.body}`])).toBe('hello')
    expect(connections).toBe(1)
  })

  it('asks a page to retry while there is no core, and closes its connection when the core stops', async () => {
    const { body: session } = await exchange(token())
    ready = false
    expect(await upgrade(['keydesk', `session.${session}`])).toBe('503')
    const check = async (key: string): Promise<number> =>
      (
        await call('POST', '/session/check', {
          Origin: server.origin,
          Authorization: `Bearer ${key}`,
        })
      ).status
    expect([await check(session), await check('of an earlier console')]).toEqual([503, 401])
    ready = true
    const socket = new WebSocket(
      `${server.origin.replace('http', 'ws')}/rpc`,
      ['keydesk', `session.${session}`],
      { headers: { Origin: server.origin } },
    )
    const closed = new Promise((resolve) => {
      socket.on('close', resolve)
    })
    await new Promise((resolve) => {
      socket.on('message', resolve)
    })
    server.disconnectPages()
    expect(await closed).toBe(1012)
    expect(await upgrade(['keydesk', `session.${session}`])).toBe('hello')
  })

  it('rejects a request without a token', async () => {
    expect((await exchange('')).status).toBe(401)
    expect((await exchange('guessed')).status).toBe(401)
  })

  it('rejects a used token', async () => {
    const once = token()
    expect((await exchange(once)).status).toBe(200)
    expect((await exchange(once)).status).toBe(401)
  })

  it('rejects a token older than a minute', async () => {
    const old = token()
    now += tokenLifetimeMs
    expect((await exchange(old)).status).toBe(401)
  })

  it('rejects a foreign Host, so that a foreign name pointing at loopback gets nothing', async () => {
    const { port } = new URL(server.origin)
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      `localhost:${port}`,
      '127.0.0.1',
      '[::1]',
    ]) {
      expect((await call('GET', '/', { Host: host })).status, host).toBe(403)
    }
  })

  it('rejects a foreign Origin on every method but GET and HEAD, and on those if one is sent', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      server.origin.replace('127.0.0.1', 'localhost'),
      `${server.origin}.evil.example`,
    ]) {
      expect((await exchange(token(), { Origin: origin })).status, origin).toBe(403)
      expect((await call('GET', '/', { Origin: origin })).status, origin).toBe(403)
    }
    expect((await call('POST', '/session', {}, token())).status).toBe(403)
  })

  it('rejects a request that another site caused', async () => {
    for (const site of ['cross-site', 'same-site'])
      expect((await call('GET', '/', { 'Sec-Fetch-Site': site })).status, site).toBe(403)
    for (const site of ['none', 'same-origin'])
      expect((await call('GET', '/', { 'Sec-Fetch-Site': site })).status, site).toBe(200)
  })

  it('rejects an upgrade without a session, with a wrong one, from a foreign origin, and on another path', async () => {
    const { body: session } = await exchange(token())
    expect(await upgrade([])).toBe('401')
    expect(await upgrade(['keydesk'])).toBe('401')
    expect(await upgrade(['keydesk', 'session.wrong'])).toBe('401')
    expect(await upgrade([`session.${session}`])).toBe('401')
    expect(
      await upgrade(['keydesk', `session.${session}`], { Origin: 'https://evil.example' }),
    ).toBe('403')
    expect(await upgrade(['keydesk', `session.${session}`], { Host: 'evil.example' })).toBe('403')
    expect(connections).toBe(0)
  })

  it('keeps running when a client disconnects during a rejected upgrade, as a closed page does', async () => {
    const { host, port } = new URL(server.origin)
    const asked = (headers: string): string =>
      `GET /rpc HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`
    for (const headers of [
      'Origin: https://evil.example\r\n',
      `Origin: ${server.origin}\r\nSec-WebSocket-Protocol: keydesk, session.old\r\n`,
    ]) {
      for (let tries = 0; tries < 10; tries++) {
        const socket = connect(Number(port), '127.0.0.1')
        await once(socket, 'connect')
        socket.write(asked(headers))
        socket.resetAndDestroy()
      }
    }
    expect((await call('GET', '/')).status).toBe(200)
  })

  it('closes the socket after a rejection, whether or not the client does', async () => {
    const { host, port } = new URL(server.origin)
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
    socket.write(
      `GET /rpc HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    )
    socket.resume()
    await once(socket, 'end')
    socket.on('error', () => undefined)
    const reset = new Promise((resolve) => {
      socket.on('close', resolve)
    })
    const more = setInterval(() => socket.write('anything'), 5)
    expect(await reset).toBe(true)
    clearInterval(more)
  })

  it('closes the connection of a page that sends too large a message, and keeps running', async () => {
    const { body: session } = await exchange(token())
    const socket = new WebSocket(
      `${server.origin.replace('http', 'ws')}/rpc`,
      ['keydesk', `session.${session}`],
      { headers: { Origin: server.origin } },
    )
    await new Promise((resolve) => {
      socket.on('message', resolve)
    })
    const closed = new Promise((resolve) => {
      socket.on('close', resolve)
    })
    socket.send(Buffer.alloc(4 * 1024 * 1024 + 1))
    expect(await closed).toBe(1009)
    expect(await upgrade(['keydesk', `session.${session}`])).toBe('hello')
  })

  it('reports to a page whether its session is valid, which it isn’t after a restart', async () => {
    const { body: session } = await exchange(token())
    const check = async (key: string): Promise<number> =>
      (
        await call('POST', '/session/check', {
          Origin: server.origin,
          Authorization: `Bearer ${key}`,
        })
      ).status
    expect(await check(session)).toBe(200)
    expect(await check('of an earlier console')).toBe(401)
    expect(
      (await call('POST', '/session/check', { Authorization: `Bearer ${session}` })).status,
    ).toBe(403)
  })

  it('issues another address only to a page with a session', async () => {
    const { body: session } = await exchange(token())
    expect((await call('POST', '/token', { Origin: server.origin })).status).toBe(401)
    const another = await call('POST', '/token', {
      Origin: server.origin,
      Authorization: `Bearer ${session}`,
    })
    expect(another.status).toBe(200)
    expect((await exchange(new URL(another.body).searchParams.get('token') ?? '')).status).toBe(200)
  })

  it('returns no path outside the built screen, and rejects other methods', async () => {
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/index.html/../../x', '/rpc'])
      expect((await call('GET', path)).status, path).toBe(404)
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      expect((await call(method, '/', { Origin: server.origin })).status, method).toBe(405)
  })

  it('sends the security headers with every response, including rejections', async () => {
    for (const answer of [
      await call('GET', '/'),
      await call('GET', '/missing'),
      await call('GET', '/', { Host: 'evil.example' }),
    ]) {
      expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
      expect(answer.headers['content-security-policy']).not.toContain('unsafe-eval')
      expect(answer.headers['referrer-policy']).toBe('no-referrer')
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
  })
})
