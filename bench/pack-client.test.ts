import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBackend } from '../server/testing/backend-process.ts'
import { root } from '../scripts/lib/paths.mjs'

/** A program in a project that has only the package and its dependency. */
const program = `
import { createHmac } from 'node:crypto'
import { cents, ClientError, createKeydeskClient, verifyWebhook } from 'keydesk-client'

const [baseUrl = '', key = '', dashboardUrl = '', token = ''] = process.argv.slice(2)
const client = createKeydeskClient({ baseUrl, key })
const { results } = await client.listProducts({ query: { inStock: true, deliveryType: 'key', limit: 1 } })
const [product] = results
if (product === undefined) throw new Error('no product')
// @ts-expect-error an operation needs its body
client.createOrder({ query: { wait: 5 } }).catch(() => undefined)
const price: number = product.price

const authorization = 'Bearer ' + token
const match = { method: 'POST', path: '/v1/orders' }
const faults = [{ match, times: 1, status: 503, afterCommit: true }]
const headers = { authorization, 'content-type': 'application/json' }
await fetch(dashboardUrl + '/faults', { method: 'PUT', headers, body: JSON.stringify(faults) })
const items = [{ productId: product.id, qty: 1, maxUnitPrice: cents(price) }]
const order = await client.createOrder({ query: { wait: 10 }, body: { externalId: 'packed-1', items } })
const { keys } = await client.getOrderKeys({ params: { id: order.id } })
const { total } = await client.listOrders({ query: { externalId: 'packed-1' } })
const refused = await client
  .createOrder({ body: { externalId: 'packed-2', items: [{ productId: product.id, qty: 1, maxUnitPrice: cents(0) }] } })
  .then(() => null, (error: unknown) => (error instanceof ClientError ? error : null))

const t = Math.floor(Date.now() / 1000)
const createdAt = '2026-01-01T00:00:00.000Z'
const data = { message: 'hi' }
const body = JSON.stringify({ id: 'evt_1', event: 'webhook.test', mode: 'test', createdAt, data })
const signed = (secret: string) => 't=' + t + ',v1=' + createHmac('sha256', secret).update(t + '.' + body).digest('hex')
const received = { 'x-svc-event': 'webhook.test', 'x-svc-delivery': 'dlv_1' }
const judge = (secret: string) =>
  verifyWebhook(body, { ...received, 'x-svc-signature': signed(secret) }, 'whsec_1')
const genuine = judge('whsec_1')
const name: 'webhook.test' | null = genuine.event?.event === 'webhook.test' ? genuine.event.event : null
client.close()
console.log(JSON.stringify({
  status: order.status, paid: order.total === price, keys: keys.length, orders: total,
  code: refused?.code, certainty: refused?.certainty, name, forged: judge('whsec_2').signature,
}))
`
const compilerOptions = {
  target: 'es2024',
  module: 'nodenext',
  lib: ['es2024', 'dom'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
}

let folder: string
const backend = startBackend(['--memory', '--port', '0', '--products', '60'])
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-pack-client-'))
  const packed = spawnSync(process.execPath, ['scripts/pack-client.mjs', folder], { cwd: root })
  if (packed.status !== 0) throw new Error(`${packed.stdout}${packed.stderr}`)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const modules = join(folder, 'project', 'node_modules')
  mkdirSync(join(modules, 'keydesk-client'), { recursive: true })
  const into = ['-C', join(modules, 'keydesk-client'), '--strip-components=1']
  execFileSync('tar', ['-xzf', join(folder, `keydesk-client-${version}.tgz`), ...into])
  symlinkSync(join(root, 'node_modules/zod'), join(modules, 'zod'))
  const put = (name: string, text: string) => writeFileSync(join(folder, 'project', name), text)
  put('package.json', '{"type":"module"}')
  put('tsconfig.json', JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  put('program.ts', program)
}, 180_000)
afterAll(async () => {
  backend.child.kill('SIGKILL')
  await backend.ended
  rmSync(folder, { recursive: true, force: true })
})

test('compiles strictly with nothing but the package, and orders once after a lost response', async () => {
  const { baseUrl, dashboardUrl, dashboardToken, demo } = await backend.ready
  const cwd = join(folder, 'project')
  const checked = spawnSync('tsc', ['-p', '.'], { cwd, encoding: 'utf8' })
  expect(checked.stdout).toBe('')
  const args = [baseUrl, demo?.partnerTestKey ?? '', dashboardUrl, dashboardToken]
  const ran = spawnSync(process.execPath, ['program.ts', ...args], { cwd, encoding: 'utf8' })
  expect(ran.stderr).toBe('')
  expect(JSON.parse(ran.stdout)).toEqual({
    status: 'completed',
    paid: true,
    keys: 1,
    orders: 1,
    code: 'PRICE_CHANGED',
    certainty: 'rejected',
    name: 'webhook.test',
    forged: 'forged',
  })
}, 120_000)
