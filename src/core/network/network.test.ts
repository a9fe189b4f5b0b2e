import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSystemNetwork } from '../../platform/network.ts'
import { systemClock } from '../clock.ts'
import { createTransport } from '../service-client/service-client.ts'
import { authority, certificate, privateKey } from '../service-client/testing/keys-example.ts'
import { temporaryFolder } from '../testing/context.ts'
import { problemOf, startTestCore } from '../testing/core.ts'
import { createNetwork } from './network.ts'

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const answer = (_request: IncomingMessage, response: ServerResponse): void => {
  response.end('pong')
}
const service = createSecureServer({ key: privateKey, cert: certificate }, answer)
const asked: string[] = []
/** A proxy that resolves every name to this computer. */
const proxy = createServer()
proxy.on('connect', (request, socket) => {
  asked.push(request.url ?? '')
  const onward = connect(portOf(service), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    onward.pipe(socket)
    socket.pipe(onward)
  })
  for (const [one, other] of [
    [onward, socket],
    [socket, onward],
  ] as const)
    one.on('error', () => other.destroy())
})
const before = getCACertificates('default')

beforeAll(() =>
  Promise.all(
    [service, proxy].map(
      (server) =>
        new Promise<void>((resolve) => {
          server.listen(0, '127.0.0.1', resolve)
        }),
    ),
  ),
)
beforeEach(() => {
  asked.length = 0
})
afterEach(() => setDefaultCACertificates(before))
afterAll(() => {
  for (const server of [service, proxy]) {
    server.closeAllConnections()
    server.close()
  }
})

/** A computer whose system proxy is unreachable. */
const given = () => createSystemNetwork(async () => ({ HTTPS_PROXY: 'http://127.0.0.1:1' }))
function createHarness() {
  const kept = new Map<string, string>()
  const settings = {
    recall: (name: string) => kept.get(name) ?? null,
    remember: (name: string, value: string) => void kept.set(name, value),
    forget: (name: string) => void kept.delete(name),
  }
  const activity = { add: () => {} }
  return { start: () => createNetwork({ given: given(), settings, clock: systemClock, activity }) }
}
const ask = (own: ReturnType<typeof createNetwork>, url = 'https://keys.example/v1/ping') =>
  createTransport(own.network)({ method: 'GET', url, headers: {}, body: null, signal: undefined })
const ownProxy = (except = '') => ({
  use: 'own' as const,
  address: `http://127.0.0.1:${portOf(proxy)}`,
  except,
})

test('reaches another computer only through the chosen proxy with an added authority', async () => {
  const { start } = createHarness()
  const own = start()
  await expect(ask(own)).rejects.toMatchObject({ sent: false, message: 'ECONNREFUSED' })
  own.setProxy(ownProxy())
  await expect(ask(own)).rejects.toMatchObject({ message: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  expect(own.addAuthorities(`Text around it\n${authority}\n`).authorities).toMatchObject([
    { name: 'Keydesk test authority' },
  ])
  await expect(ask(own)).resolves.toMatchObject({ status: 200, text: 'pong' })
  expect(asked).toEqual(['keys.example:443', 'keys.example:443'])

  setDefaultCACertificates(before)
  const later = start()
  expect(later.state()).toMatchObject({
    proxy: ownProxy(),
    authorities: [{ name: 'Keydesk test authority' }],
  })
  await expect(ask(later)).resolves.toMatchObject({ status: 200 })
  later.setProxy({ use: 'system' })
  await expect(ask(later)).rejects.toMatchObject({ message: 'ECONNREFUSED' })
})

test('reaches excepted hosts, and every host without a proxy, directly', async () => {
  const own = createHarness().start()
  own.setProxy(ownProxy('.internal,keys.example'))
  expect(await own.network.proxyFor('https://keys.example')).toEqual({
    HTTP_PROXY: ownProxy().address,
    HTTPS_PROXY: ownProxy().address,
    NO_PROXY: '.internal,keys.example',
  })
  own.setProxy({ use: 'none' })
  expect(await own.network.proxyFor('https://keys.example')).toBeNull()
  expect(asked).toEqual([])
})

test('no longer trusts a removed authority, and reports changes of trust', async () => {
  const own = createHarness().start()
  own.setProxy(ownProxy())
  const first = own.network.trust()
  const [added] = own.addAuthorities(`${authority}\n${authority}`).authorities
  expect(own.state().authorities).toHaveLength(1)
  expect(own.network.trust()).not.toBe(first)
  await expect(ask(own)).resolves.toMatchObject({ status: 200 })
  own.removeAuthority(added?.fingerprint ?? '')
  await expect(ask(own)).rejects.toMatchObject({ message: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
  expect(getCACertificates('default')).toHaveLength(new Set(getCACertificates('default')).size)
})

test('applies and stores the chosen settings for all connections, and rejects a proxy with a password', async () => {
  const folder = temporaryFolder()
  const first = await startTestCore(folder.path)
  const check = { key: `svcs_${'x7'.repeat(16)}`, baseUrl: 'https://keys.example/v1' }
  await first.ask.network.setProxy({ proxy: ownProxy() })
  expect(await problemOf(first.ask.accounts.check(check))).toMatchObject({ code: 'OFFLINE' })
  await first.ask.network.addAuthorities({ pem: authority })
  // It responds, but not as the service.
  expect((await problemOf(first.ask.accounts.check(check))).code).not.toBe('OFFLINE')
  expect(asked.slice(0, 2)).toEqual(['keys.example:443', 'keys.example:443'])
  expect(
    await problemOf(
      first.ask.network.setProxy({
        proxy: { ...ownProxy(), address: 'http://me:secret@127.0.0.1:1' },
      }),
    ),
  ).toMatchObject({ code: 'INVALID_INPUT' })
  expect((await problemOf(first.ask.app.restart())).code).toBe('CONFLICT')
  await first.close()
  const second = await startTestCore(folder.path)
  expect(await second.ask.network.state()).toMatchObject({
    proxy: ownProxy(),
    authorities: [{ name: 'Keydesk test authority' }],
  })
  await second.close()
  folder.remove()
})

test.each([
  ['a text without a certificate', 'hello', /no certificate/],
  [
    'a broken certificate',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    /can’t be read/,
  ],
  ['a server’s certificate', certificate, /a server’s certificate/],
  [
    'a valid authority and a server’s certificate',
    `${authority}\n${certificate}`,
    /a server’s certificate/,
  ],
])('rejects %s completely', (_name, pem, why) => {
  const own = createHarness().start()
  expect(() => own.addAuthorities(pem)).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({ code: 'INVALID_INPUT', what: expect.stringMatching(why) }),
    }),
  )
  expect(own.state().authorities).toEqual([])
})
