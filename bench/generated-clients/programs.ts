/** The same scenario, written for the client of each generator by someone who knows only the document. */

const last = `
console.log(JSON.stringify({ status, total, keys, again, refused }))
`
const start = `
const [, , baseUrl = '', key = '', price = '', productId = ''] = process.argv
const authorization = \`Bearer \${key}\`
const items = [{ productId, qty: 1, maxUnitPrice: Number(price) }]
`

/** `openapi-typescript` with `openapi-fetch`. */
export const openapiFetch = `
import createClient from 'openapi-fetch'
import type { paths } from './generated/schema'
${start}
const client = createClient<paths>({ baseUrl, headers: { authorization } })
const order = (externalId: string, limit = items) =>
  client.POST('/orders', {
    params: { query: { wait: 10 }, header: { 'Idempotency-Key': 'fetch-' + externalId } },
    body: { externalId, items: limit },
  })
const first = (await order('openapi-fetch')).data
if (first === undefined) throw new Error('no order')
const { status, total } = first
const again = (await order('openapi-fetch')).data?.id === first.id
const delivered = await client.GET('/orders/{id}/keys', { params: { path: { id: first.id } } })
const keys = delivered.data?.keys.length
const refused = (await order('fetch-2', [{ productId, qty: 1, maxUnitPrice: 0 }])).error?.error.code
// @ts-expect-error a status that no order has does not compile
if (first.status === 'lost') throw new Error()
${last}`

/** `@hey-api/openapi-ts`. */
export const heyApi = `
import { createOrder, getOrderKeys } from './generated/sdk.gen'
import { client } from './generated/client.gen'
${start}
client.setConfig({ baseUrl, auth: key })
const order = (externalId: string, limit = items) =>
  createOrder({
    query: { wait: 10 },
    headers: { 'Idempotency-Key': 'heyapi-' + externalId },
    body: { externalId, items: limit },
  })
const first = (await order('hey-api')).data
if (first === undefined) throw new Error('no order')
const { status, total } = first
const again = (await order('hey-api')).data?.id === first.id
const keys = (await getOrderKeys({ path: { id: first.id } })).data?.keys.length
const failed = (await order('heyapi-2', [{ productId, qty: 1, maxUnitPrice: 0 }])).error
const refused = failed !== undefined && 'error' in failed ? failed.error.code : undefined
// @ts-expect-error a status that no order has does not compile
if (first.status === 'lost') throw new Error()
${last}`

/** `orval`, whose base address is part of the generated code. */
export const orval = `
import { createOrder, getOrderKeys } from './generated/client'
${start}
void baseUrl
const order = (externalId: string, limit = items) =>
  createOrder({ externalId, items: limit }, { wait: 10 }, {
    headers: { authorization, 'Idempotency-Key': 'orval-' + externalId },
  })
const first = await order('orval-1')
if (first.status !== 201) throw new Error('no order')
const { status, total } = first.data
const repeated = await order('orval-1')
const again = repeated.status === 201 && repeated.data.id === first.data.id
const delivered = await getOrderKeys(first.data.id, { headers: { authorization } })
const keys = delivered.status === 200 ? delivered.data.keys.length : 0
const failed = await order('orval-2', [{ productId, qty: 1, maxUnitPrice: 0 }])
const refused = failed.status === 409 ? failed.data.error.code : undefined
// @ts-expect-error a status that no order has does not compile
if (first.data.status === 'lost') throw new Error()
${last}`
