import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startBackend } from '../../testing/backend-process.ts'
import { runProgram, runTool } from './testing/tools.ts'

/**
 * A program written by someone who knows only the document: a seller stocks an offer, and a partner
 * buys from it and reads the keys.
 */
const program = `
import { createClient, OPERATIONS, type ErrorBody, type Ops, type Order } from './client.ts'

const [serverUrl = '', sellerKey = '', partnerKey = ''] = process.argv.slice(2)
const clientOf = (bearer: string) => createClient<Ops>(OPERATIONS, { serverUrl, auth: { bearer }, errorMode: 'result' })
const seller = clientOf(sellerKey)
const partner = clientOf(partnerKey)

function must<T>(result: { data: T; error: undefined } | { data: undefined; error: ErrorBody }): T {
  if (result.error !== undefined) throw new Error(JSON.stringify(result.error))
  return result.data
}

const query = { inStock: true, productType: 'game', deliveryType: 'key', limit: 1 } as const
const { results: [product] } = must(await partner.listProducts({ query }))
if (product === undefined) throw new Error('no product')
const { offer } = must(await seller.saveOffer({ body: { productId: product.id, price: 0.05 } }))
if (offer.stock > 0) must(await seller.withdrawKeys({ path: { id: offer.id } }))
const keys = ['STRANGER-1', 'STRANGER-2', 'STRANGER-1'].map((key) => key + '-' + offer.id)
const headers = { 'Idempotency-Key': 'upload-0001' }
const uploaded = must(await seller.uploadKeys({ path: { id: offer.id }, body: { keys }, headers }))
const again = must(await seller.uploadKeys({ path: { id: offer.id }, body: { keys }, headers }))

const item = { productId: product.id, qty: 2, maxUnitPrice: 0.06 }
const body = { externalId: 'stranger-1', items: [item] }
const once = { 'Idempotency-Key': 'order-0001' }
const order: Order = must(await partner.createOrder({ body, query: { wait: 10 }, headers: once }))
const delivered = must(await partner.getOrderKeys({ path: { id: order.id } }))

const cheap = { ...item, qty: 1, maxUnitPrice: 0.01 }
const refused = await partner.createOrder({ body: { externalId: 'stranger-2', items: [cheap] } })
const code: ErrorBody['error']['code'] | undefined = refused.error?.error.code
// @ts-expect-error a status that no order has does not compile
const impossible: boolean = order.status === 'lost'

console.log(JSON.stringify({
  added: uploaded.added, duplicates: uploaded.duplicates, again, uploaded,
  status: order.status, total: order.total, impossible,
  values: delivered.keys.map(({ value }) => value).toSorted(),
  expected: [...new Set(keys)].toSorted(), code, refusedStatus: refused.response.status,
}))
`

const options = {
  compilerOptions: {
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024', 'esnext.array', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(import.meta.dirname, '../../../node_modules/@types')],
    strict: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
  },
  files: ['program.ts'],
}

let folder = ''
const backend = startBackend(['--memory', '--port', '0', '--products', '60'])
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-client-'))
})
afterAll(async () => {
  backend.child.kill('SIGKILL')
  await backend.ended
  rmSync(folder, { recursive: true, force: true })
})

it('a client generated from the OpenAPI document compiles strictly, stocks an offer and buys from it', async () => {
  const { baseUrl, demo } = await backend.ready
  const put = (name: string, content: string) => writeFileSync(join(folder, name), content)
  put('package.json', '{"type":"module"}')
  put('tsconfig.json', JSON.stringify(options))
  put('program.ts', program)
  put('openapi.json', await (await fetch(`${baseUrl}/openapi.json`)).text())
  const generated = await runTool(
    'redocly',
    [
      'generate-client',
      'openapi.json',
      '--output',
      'client.ts',
      '--error-mode',
      'result',
      '--args-style',
      'grouped',
      '--import-ext',
      'ts',
    ],
    folder,
  )
  expect(generated).toMatchObject({
    status: 0,
    output: expect.not.stringMatching(/warn|is a name/i),
  })

  const [checked, run] = await Promise.all([
    runTool('tsc', ['-p', '.'], folder),
    runProgram('program.ts', [baseUrl, demo?.sellerKey ?? '', demo?.partnerLiveKey ?? ''], folder),
  ])
  expect(checked).toEqual({ status: 0, output: '' })
  expect(run.status, run.output).toBe(0)
  const told = JSON.parse(run.output) as {
    uploaded: unknown
    again: unknown
    values: unknown
    expected: unknown
  }
  expect(told).toMatchObject({
    added: 2,
    duplicates: 1,
    status: 'completed',
    total: 0.12,
    impossible: false,
    refusedStatus: 409,
    code: 'PRICE_CHANGED',
  })
  expect(told.again).toEqual(told.uploaded)
  expect(told.values).toEqual(told.expected)
}, 120_000)
