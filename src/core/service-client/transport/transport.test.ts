import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { NetworkError, ResponseError } from '../../../../server/api/client/client-errors.ts'
import {
  environmentNetwork,
  createSystemNetwork,
  proxyOfRules,
  trustSystemAuthorities,
} from '../../../platform/network.ts'
import { authority, certificate, privateKey } from '../testing/keys-example.ts'
import { createTransport } from './transport.ts'

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
const answer = (request: IncomingMessage, response: ServerResponse): void => {
  let body = ''
  request.on('data', (part: Buffer) => {
    body += part.toString()
  })
  request.on('end', () =>
    response
      .writeHead(201, { 'x-request-id': 'req_1' })
      .end(`${request.method} ${request.url} ${request.headers.authorization} ${body}`),
  )
}

const service = createSecureServer({ key: privateKey, cert: certificate }, answer)
const plain = createServer(answer)
const asked: string[] = []
/** A proxy that resolves every name to this computer. */
const proxy = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`)
  answer(request, response)
})
proxy.on('connect', (request, socket) => {
  asked.push(`CONNECT ${request.url}`)
  if (request.url?.startsWith('refused.') === true)
    return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
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

beforeAll(() => Promise.all([listen(service), listen(plain), listen(proxy)]))
beforeEach(() => {
  asked.length = 0
})
afterEach(() => setDefaultCACertificates(before))
afterAll(() => {
  for (const server of [service, plain, proxy]) {
    server.closeAllConnections()
    server.close()
  }
})

const send = (network: Parameters<typeof createTransport>[0], url: string, signal?: AbortSignal) =>
  createTransport(network)({
    method: 'POST',
    url,
    headers: { authorization: 'Bearer k' },
    body: '{"a":"ä"}',
    signal,
  })
const byProxy = () =>
  environmentNetwork({
    https_proxy: `http://127.0.0.1:${portOf(proxy)}`,
    HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
    NO_PROXY: '0.0.0.0',
  })

test('reaches another computer through the environment’s proxy with a locally trusted authority', async () => {
  await expect(send(byProxy(), 'https://keys.example/v1/ping')).rejects.toMatchObject({
    sent: false,
    message: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  })
  trustSystemAuthorities(() => [authority])
  await expect(send(byProxy(), 'https://keys.example/v1/ping')).resolves.toMatchObject({
    status: 201,
    headers: { 'x-request-id': 'req_1' },
    text: 'POST /v1/ping Bearer k {"a":"ä"}',
  })
  expect(asked).toEqual(['CONNECT keys.example:443', 'CONNECT keys.example:443'])
  await expect(send(byProxy(), 'http://keys.example/v1/ping')).resolves.toMatchObject({
    status: 201,
  })
  expect(asked.at(-1)).toBe('POST http://keys.example/v1/ping')
})

test('never uses a proxy for this computer, or for a name that the environment excludes', async () => {
  const at = portOf(plain)
  await expect(send(byProxy(), `http://127.0.0.1:${at}/v1/ping`)).resolves.toMatchObject({
    status: 201,
    text: 'POST /v1/ping Bearer k {"a":"ä"}',
  })
  await expect(send(byProxy(), `http://localhost:${at}/v1/ping`)).resolves.toMatchObject({
    status: 201,
  })
  // If the system connects to this address at all, it reaches this computer; no name is looked up.
  await send(byProxy(), `http://0.0.0.0:${at}/v1/ping`).catch(() => null)
  expect(asked).toEqual([])
})

test('reports a request as not sent when the proxy opens no tunnel or is unreachable', async () => {
  await expect(send(byProxy(), 'https://refused.example/v1/ping')).rejects.toMatchObject({
    sent: false,
    message: 'ERR_PROXY_TUNNEL',
  })
  await expect(
    send(
      createSystemNetwork(async () => ({ HTTPS_PROXY: 'http://127.0.0.1:1' })),
      'https://keys.example/',
    ),
  ).rejects.toMatchObject({ sent: false, message: 'ECONNREFUSED' })
  await expect(
    send(byProxy(), 'https://keys.example/', AbortSignal.abort()),
  ).rejects.toBeInstanceOf(NetworkError)
})

test('trusts the authorities that the environment names, in addition to the system’s @long', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-test-'))
  const moduleUrl = (url: URL): string => JSON.stringify(url.href)
  const script = `
    const { createTransport } = await import(${moduleUrl(new URL('./transport.ts', import.meta.url))})
    const { environmentNetwork } = await import(${moduleUrl(new URL('../../../platform/network.ts', import.meta.url))})
    const send = createTransport(environmentNetwork(process.env))
    const request = { method: 'GET', url: 'https://keys.example/', headers: {}, body: null }
    const answer = await send(request)
    process.stdout.write(String(answer.status), () => process.exit())`
  try {
    writeFileSync(join(folder, 'authority.pem'), authority)
    const env = {
      PATH: process.env['PATH'] ?? '',
      NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
      HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
    }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      { env },
    )
    expect(stdout).toBe('201')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('checks certificates although the environment turns that off for all programs @long', async () => {
  const moduleUrl = (url: URL): string => JSON.stringify(url.href)
  const script = `
    const { createTransport } = await import(${moduleUrl(new URL('./transport.ts', import.meta.url))})
    const { environmentNetwork } = await import(${moduleUrl(new URL('../../../platform/network.ts', import.meta.url))})
    const request = { method: 'GET', url: 'https://keys.example/', headers: {}, body: null }
    const outcome = await createTransport(environmentNetwork(process.env))(request).then(
      ({ status }) => status,
      ({ message }) => message,
    )
    process.stdout.write(String(outcome), () => process.exit())`
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
  }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script],
    { env },
  )
  expect(stdout).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
})

test.each([
  ['DIRECT', null],
  ['', null],
  ['PROXY a:8080; DIRECT', 'http://a:8080'],
  ['SOCKS5 s:1080; HTTPS b:443', 'https://b:443'],
  ['SOCKS s:1080', null],
  ['DIRECT; PROXY a:1', null],
])('maps a browser engine’s “%s” to %s', (rules, expected) => {
  expect(proxyOfRules(rules)?.HTTPS_PROXY ?? null).toBe(expected)
})

test('uses no proxy when the environment names none', async () => {
  expect(await environmentNetwork({ NO_PROXY: 'x' }).proxyFor('https://keys.example')).toBeNull()
  expect(
    await environmentNetwork({ ALL_PROXY: 'http://p:1' }).proxyFor('https://keys.example'),
  ).toEqual({ HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://p:1' })
})

test('discards a response that decompresses to more than its operation can have', async () => {
  let written = 0
  const bomb = createServer((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'x-request-id': 'req_9' })
    const gzip = createGzip()
    gzip.pipe(response)
    const zeros = Buffer.alloc(1024 * 1024)
    const more = (): void => {
      while (!response.destroyed && written < 1024) {
        written += 1
        if (!gzip.write(zeros)) return void gzip.once('drain', more)
      }
      gzip.end()
    }
    more()
  })
  await listen(bomb)
  const request = {
    method: 'GET',
    url: `http://127.0.0.1:${portOf(bomb)}/`,
    headers: {},
    body: null,
    signal: undefined,
    maxBytes: 4 * 1024 * 1024,
  }
  await expect(createTransport(undefined)(request)).rejects.toMatchObject({
    name: 'ResponseError',
    message: 'the response is larger than 4 MiB',
    status: 200,
    requestId: 'req_9',
    retryable: false,
  })
  bomb.closeAllConnections()
  bomb.close()
  expect(written, 'the rest was never read').toBeLessThan(200)
})

test.each([false, true])(
  'stops reading a large response, kept connection: %s @long',
  async (kept) => {
    const large = createServer((_request, response) => response.end(Buffer.alloc(9 * 1024 * 1024)))
    await listen(large)
    const request = {
      method: 'GET',
      url: `http://127.0.0.1:${portOf(large)}/`,
      headers: {},
      body: null,
      signal: undefined,
    }
    await expect(createTransport(undefined, { kept })(request)).rejects.toBeInstanceOf(
      ResponseError,
    )
    await expect(
      createTransport(undefined, { kept })({ ...request, maxBytes: 10 * 1024 * 1024 }),
    ).resolves.toMatchObject({ status: 200 })
    large.closeAllConnections()
    large.close()
  },
)
