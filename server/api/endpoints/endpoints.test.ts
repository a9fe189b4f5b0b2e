import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiRoots } from './endpoint.ts'
import { endpointOf, operationIds, pathParameters } from './endpoints.ts'

const rows = operationIds.map((id) => ({ id, ...endpointOf(id) }))
const routes = (api: string) =>
  rows.filter((row) => row.api === api).map((row) => `${row.method} ${row.path}`)

describe('the endpoint table', () => {
  it('has every endpoint of the Partner Ordering API, with its scope', () => {
    expect(
      rows
        .filter((row) => row.api === 'partner')
        .map((row) => `${row.method} ${row.path} ${row.scope}`),
    ).toEqual([
      'GET /ping catalog:read',
      'GET /balance balance:read',
      'GET /products catalog:read',
      'GET /products/{id} catalog:read',
      'GET /meta catalog:read',
      'POST /orders orders:write',
      'GET /orders orders:read',
      'GET /orders/{id} orders:read',
      'GET /orders/{id}/keys orders:read',
      'POST /webhooks/test orders:read',
    ])
  })

  it('has every endpoint of the Seller Import API', () => {
    expect(routes('seller')).toEqual([
      'GET /me',
      'GET /products',
      'GET /offers',
      'POST /offers',
      'GET /offers/{id}',
      'PATCH /offers/{id}',
      'DELETE /offers/{id}',
      'POST /offers/{id}/keys',
      'POST /offers/{id}/withdraw',
      'GET /sales',
      'GET /balance',
      'GET /disputes',
      'GET /disputes/{id}',
      'POST /disputes/{id}/messages',
      'POST /disputes/{id}/replace',
      'POST /disputes/{id}/refund',
    ])
  })

  it('has every endpoint of the dashboard interface', () => {
    expect(routes('dashboard').toSorted()).toEqual(
      [
        'POST /certificate',
        'GET /certificate',
        'DELETE /certificate',
        'POST /partners',
        'GET /partners',
        'GET /sellers',
        'GET /disputes',
        'GET /partners/{id}',
        'PATCH /partners/{id}',
        'POST /partners/{id}/keys',
        'GET /partners/{id}/keys',
        'DELETE /partners/{id}/keys/{keyId}',
        'POST /partners/{id}/top-up-references',
        'POST /partners/{id}/top-ups',
        'GET /partners/{id}/emails',
        'POST /partners/{id}/test-balance/reset',
        'GET /partners/{id}/ledger',
        'PUT /partners/{id}/webhook',
        'GET /partners/{id}/webhook',
        'DELETE /partners/{id}/webhook',
        'POST /partners/{id}/webhook/test',
        'GET /partners/{id}/webhook/deliveries',
        'POST /partners/{id}/webhook/deliveries/{deliveryId}/resend',
        'POST /sellers',
        'GET /sellers/{id}',
        'PATCH /sellers/{id}',
        'POST /sellers/{id}/keys',
        'GET /sellers/{id}/keys',
        'DELETE /sellers/{id}/keys/{keyId}',
        'POST /products',
        'PATCH /products/{id}',
        'POST /claims',
        'POST /disputes/{id}/messages',
        'POST /disputes/{id}/escalate',
        'POST /disputes/{id}/reject',
        'GET /clock',
        'POST /clock/advance',
        'GET /faults',
        'PUT /faults',
        'DELETE /faults',
        'GET /requests',
        'GET /requests/{id}/why',
        'POST /requests/{id}/run',
        'GET /world',
        'POST /snapshots',
        'POST /snapshots/{name}/restore',
        'GET /snapshots',
        'GET /snapshots/{name}/differences',
        'DELETE /snapshots/{name}',
        'POST /branches',
        'GET /branches',
        'DELETE /branches/{id}',
        'POST /reset',
        'GET /ledger/verify',
        'POST /market',
        'GET /market',
        'DELETE /market',
        'POST /market/complaints',
      ].toSorted(),
    )
  })

  it('has no duplicate routes', () => {
    const all = rows.map((row) => `${row.method} ${apiRoots[row.api]}${row.path}`)
    expect(new Set(all).size).toBe(all.length)
  })

  it('accepts the Idempotency-Key only where a repetition moves keys, stock or money, or writes to a customer', () => {
    expect(rows.filter((row) => row.idempotent).map((row) => row.id)).toEqual([
      'createOrder',
      'uploadKeys',
      'withdrawKeys',
      'answerDispute',
      'replaceKey',
      'refundDispute',
    ])
  })

  it('lists VALIDATION_ERROR for every endpoint with a query or body', () => {
    for (const row of rows.filter(
      ({ api, query, body }) => api !== 'dashboard' && (query !== null || body !== null),
    ))
      expect(row.errors, row.id).toContain('VALIDATION_ERROR')
  })

  it('uses only response schemas that can be written as JSON Schema', () => {
    for (const row of rows) {
      for (const answer of Object.values(row.responses)) {
        if (answer !== null)
          expect(z.toJSONSchema(answer.strict, { io: 'input' }), row.id).toHaveProperty('$schema')
      }
      expect(pathParameters(row.path).length).toBe((row.path.match(/\{/g) ?? []).length)
    }
  })
})
