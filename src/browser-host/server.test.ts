import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startServer } from './server.ts'
import type { BrowserServer } from './server.ts'
import { createSessions, idleLifetimeMs, tokenLifetimeMs } from './sessions/sessions.ts'
import type { Sessions } from './sessions/sessions.ts'

type Answer = {
  status: number
  body: string
  headers: Record<string, string | string[] | undefined>
}

describe('allows only its own page', () => {
  let now = 1_000_000
  let server: BrowserServer
  let sessions: Sessions
  let events: string[] = []
  let resolvesLocalhost = false
  let connections = 0
  let ready = true

  beforeEach(async () => {
    now = 1_000_000
    connections = 0
    ready = true
    events = []
    resolvesLocalhost = false
    sessions = createSessions(
      () => now,
      () => 5,
    )
    sessions.watch((event) => events.push(event))
    server = await startServer({
      port: 0,
      sessions,
      get resolvesLocalhost() {
        return resolvesLocalhost
      },
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
      const { port } = new URL(server.origins.entry)
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
    call('POST', '/session', { Origin: server.origins.entry, ...headers }, token)
  const token = (): string => new URL(server.newAddress('entry')).searchParams.get('token') ?? ''
  const upgrade = (protocols: string[], headers: Record<string, string> = {}): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(server.origins.entry.replace('http', 'ws') + '/rpc', protocols, {
        headers: { Origin: server.origins.entry, ...headers },
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
          Origin: server.origins.entry,
          Authorization: `Bearer ${key}`,
        })
      ).status
    expect([await check(session), await check('of an earlier console')]).toEqual([503, 401])
    ready = true
    const socket = new WebSocket(
      `${server.origins.entry.replace('http', 'ws')}/rpc`,
      ['keydesk', `session.${session}`],
      { headers: { Origin: server.origins.entry } },
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
    const { port } = new URL(server.origins.entry)
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
      server.origins.entry.replace('127.0.0.1', 'localhost'),
      `${server.origins.entry}.evil.example`,
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
      expect((await call('GET', '/index.html', { 'Sec-Fetch-Site': site })).status, site).toBe(200)
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
    const { host, port } = new URL(server.origins.entry)
    const asked = (headers: string): string =>
      `GET /rpc HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`
    for (const headers of [
      'Origin: https://evil.example\r\n',
      `Origin: ${server.origins.entry}\r\nSec-WebSocket-Protocol: keydesk, session.old\r\n`,
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
    const { host, port } = new URL(server.origins.entry)
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
      `${server.origins.entry.replace('http', 'ws')}/rpc`,
      ['keydesk', `session.${session}`],
      { headers: { Origin: server.origins.entry } },
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
          Origin: server.origins.entry,
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
    expect((await call('POST', '/token', { Origin: server.origins.entry })).status).toBe(401)
    const another = await call('POST', '/token', {
      Origin: server.origins.entry,
      Authorization: `Bearer ${session}`,
    })
    expect(another.status).toBe(200)
    expect((await exchange(new URL(another.body).searchParams.get('token') ?? '')).status).toBe(200)
  })

  /** What a browser adds to a request, which its pages and service workers can't change. */
  const tab = {
    'Sec-Fetch-Site': 'none',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
  }
  const script = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' }
  const page = (): Record<string, string> => ({ Host: new URL(server.origins.page).host })
  const check = async (key: string): Promise<number> =>
    (
      await call('POST', '/session/check', {
        Origin: server.origins.entry,
        Authorization: `Bearer ${key}`,
      })
    ).status
  const tokenIn = (address: string): string => new URL(address).searchParams.get('token') ?? ''
  const tokenOf = ({ headers }: Answer): string => tokenIn(String(headers['location']))
  const exchangeOnPage = (value: string): Promise<Answer> =>
    call('POST', '/session', { ...page(), ...script, Origin: server.origins.page }, value)

  it('sends a browser to a name that is new at each start, with another token', async () => {
    const first = token()
    const sent = await call('GET', `/?token=${first}`, tab)
    expect(sent.status).toBe(303)
    expect(sent.headers['location']).toMatch(
      /^http:\/\/keydesk-[0-9a-f]{20}\.localhost:\d+\/\?token=[\w-]{43}$/,
    )
    expect(sent.headers['cache-control']).toBe('no-store')
    expect(sent.headers['clear-site-data']).toBe('"cache", "storage"')
    expect(tokenOf(sent)).not.toBe(first)
    expect((await exchangeOnPage(tokenOf(sent))).status).toBe(200)
    expect((await call('GET', '/', tab)).headers['location']).toBe(`${server.origins.page}/`)
  })

  it('exchanges no token for a page or service worker of the loopback address', async () => {
    expect((await exchange(token(), script)).status).toBe(401)
    expect(events).toEqual([])
  })

  it('lets a browser stay on the loopback address if neither it nor the system resolves the name', async () => {
    const safari = { 'User-Agent': 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Safari/605.1.15' }
    const entry = token()
    expect((await call('GET', `/?token=${entry}`, { ...tab, ...safari })).status).toBe(200)
    expect((await exchange(entry, script)).status).toBe(200)
    resolvesLocalhost = true
    expect((await call('GET', `/?token=${token()}`, { ...tab, ...safari })).status).toBe(303)
  })

  it('clears what an earlier page left at its origin, and later only the cache', async () => {
    const cleared = async (): Promise<unknown> =>
      (await exchangeOnPage(tokenIn(server.newAddress('page')))).headers['clear-site-data']
    expect(await cleared()).toBe('"cache", "storage"')
    expect(await cleared()).toBe('"cache"')
  })

  it('lets another page open an address with a token in a tab, and nothing else', async () => {
    const foreign = { ...page(), ...tab, 'Sec-Fetch-Site': 'cross-site' }
    expect((await call('GET', '/?token=x', foreign)).status).toBe(200)
    expect((await call('GET', '/', foreign)).status).toBe(403)
    expect(
      (await call('GET', '/?token=x', { ...foreign, 'Sec-Fetch-Dest': 'iframe' })).status,
    ).toBe(403)
    expect((await call('GET', '/?token=x', { ...foreign, 'Sec-Fetch-Mode': 'cors' })).status).toBe(
      403,
    )
  })

  it('ends the session of a token that is presented again, and reports it', async () => {
    const stolen = token()
    const { body: thief } = await exchange(stolen)
    const socket = new WebSocket(
      `${server.origins.entry.replace('http', 'ws')}/rpc`,
      ['keydesk', `session.${thief}`],
      { headers: { Origin: server.origins.entry } },
    )
    await once(socket, 'message')
    const closed = once(socket, 'close')
    expect((await call('GET', `/?token=${stolen}`, tab)).status).toBe(303)
    expect((await closed)[0]).toBe(4401)
    expect(await check(thief)).toBe(401)
    expect(events.filter((event) => event === 'address-reused')).toHaveLength(1)
  })

  it('ends the session of a browser when its first address is presented again, as from a history', async () => {
    const first = token()
    const { body: session } = await exchangeOnPage(
      tokenOf(await call('GET', `/?token=${first}`, tab)),
    )
    expect(await check(session)).toBe(200)
    expect((await exchange(first)).status).toBe(401)
    expect(await check(session)).toBe(401)
    expect(events).toContain('address-reused')
  })

  it('opens nothing for a browser whose address was presented again before its page was loaded', async () => {
    const first = token()
    const passed = tokenOf(await call('GET', `/?token=${first}`, tab))
    expect((await exchange(first)).status).toBe(401)
    expect((await exchangeOnPage(passed)).status).toBe(401)
  })

  it('ends a session without use after 12 hours, and none that is used', async () => {
    const { body: used } = await exchange(token())
    const { body: idle } = await exchange(token())
    now += idleLifetimeMs - 1
    expect(await check(used)).toBe(200)
    now += 1
    expect([await check(used), await check(idle)]).toEqual([200, 401])
    expect(sessions.list()).toHaveLength(1)
  })

  it('lists sessions without secrets, and ends one with its connections', async () => {
    const { body: key } = await exchange(token(), {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    })
    const [session] = sessions.list()
    expect(session).toEqual({
      id: key.split('.')[0],
      browser: 'Firefox on Linux',
      openedAt: 5,
      lastUsedAt: 5,
      connected: false,
    })
    const socket = new WebSocket(
      `${server.origins.entry.replace('http', 'ws')}/rpc`,
      ['keydesk', `session.${key}`],
      { headers: { Origin: server.origins.entry } },
    )
    await once(socket, 'message')
    expect(sessions.list()[0]?.connected).toBe(true)
    const closed = once(socket, 'close')
    expect(sessions.end(session?.id ?? '')).toBe(true)
    await closed
    expect(sessions.end(session?.id ?? '')).toBe(false)
    expect(sessions.list()).toEqual([])
  })

  it('rejects a request line that is no path', async () => {
    for (const path of ['//', 'http://[bad/', '//evil.example/', '*'])
      expect((await call('GET', path)).status, path).toBe(400)
  })

  it('stores no file in the browser’s cache', async () => {
    expect((await call('GET', '/')).headers['cache-control']).toBe('no-store')
  })

  it('returns no path outside the built screen, and rejects other methods', async () => {
    for (const path of ['/../package.json', '/%2e%2e/package.json', '/index.html/../../x', '/rpc'])
      expect((await call('GET', path)).status, path).toBe(404)
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      expect((await call(method, '/', { Origin: server.origins.entry })).status, method).toBe(405)
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
