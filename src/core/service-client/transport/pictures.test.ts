import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLoopback, isPublic } from './addresses.ts'
import { fetchPicture } from './pictures.ts'

const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.alloc(100),
])
const signal = new AbortController().signal
let server: Server
let origin = ''
const credentials: (string | undefined)[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    credentials.push(request.headers.authorization)
    if (request.url === '/cover.png') return void response.end(png)
    if (request.url === '/page')
      return void response.end('<svg xmlns="http://www.w3.org/2000/svg"/>')
    if (request.url === '/moved')
      return void response.writeHead(302, { location: '/cover.png' }).end()
    if (request.url === '/endless') {
      response.write(png)
      const more = setInterval(() => response.write(Buffer.alloc(256 * 1024)), 1)
      return void response.on('close', () => clearInterval(more))
    }
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test('fetches a picture from the sandbox without credentials and identifies it by its first bytes', async () => {
  await expect(fetchPicture(`${origin}/cover.png`, origin, signal)).resolves.toEqual({
    contentType: 'image/png',
    bytes: png,
  })
  expect(credentials).toEqual([undefined])
})

test.each(['/page', '/moved', '/endless', '/absent'])('%s returns no picture', async (path) => {
  await expect(fetchPicture(origin + path, origin, signal)).resolves.toBeNull()
})

test('fetches nothing on this computer for the account of another service', async () => {
  credentials.length = 0
  for (const own of [null, 'https://api.example.com', 'http://127.0.0.1:1'])
    await expect(fetchPicture(`${origin}/cover.png`, own, signal)).resolves.toBeNull()
  expect(credentials).toEqual([])
})

test.each([
  'https://127.0.0.1/x.png',
  'https://192.168.0.1/x.png',
  'https://[::1]/x.png',
  'https://localhost/x.png',
  'http://93.184.216.34/x.png',
  'file:///etc/hostname',
  'data:image/png;base64,iVBORw0KGgo=',
  'nonsense',
])('never requests %s', async (url) => {
  await expect(fetchPicture(url, origin, signal)).resolves.toBeNull()
})

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['172.32.0.1', true],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:8.8.8.8', true],
  ['::1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['fec0::1', false],
  ['240.0.0.1', false],
  ['not an address', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublic(address)).toBe(expected)
})

test('treats only loopback as this computer', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].every(isLoopback)).toBe(true)
  expect(['128.0.0.1', '10.0.0.1', '::2'].some(isLoopback)).toBe(false)
})
