import { describe, expect, it } from 'vitest'
import { encodeResponse, errorBody } from './encode.ts'
import { endpointOf } from './endpoints/endpoints.ts'
import { ApiError, errorBodySchema, isRetryable } from './errors.ts'
import { cents } from './money.ts'

describe('encoding responses', () => {
  it('converts cents to euros at any depth and leaves everything else unchanged', () => {
    const line = {
      line: 1,
      productId: 'p',
      name: 'P',
      deliveryType: 'key',
      qty: 3,
      unitPrice: cents(1999),
      status: 'completed',
      deliveredQty: 3,
    } as const
    const { json } = encodeResponse('listOrders', {
      status: 200,
      body: {
        page: 1,
        limit: 50,
        total: 1,
        totalPages: 1,
        hasMore: false,
        results: [
          {
            id: 'ord_1',
            externalId: 'x',
            mode: 'live',
            status: 'completed',
            currency: 'EUR',
            total: cents(5997),
            refunded: cents(0),
            createdAt: '2026-01-01T00:00:00.000Z',
            completedAt: '2026-01-01T00:00:01.000Z',
            failure: null,
            items: [line],
            firstDownloadedAt: null,
          },
        ],
      },
    })
    const wire: unknown = JSON.parse(json ?? '')
    expect(wire).toMatchObject({
      total: 1,
      results: [{ total: 59.97, refunded: 0, items: [{ qty: 3, unitPrice: 19.99 }] }],
    })
    expect(endpointOf('listOrders').responses[200]?.strict.safeParse(wire).success).toBe(true)
  })

  it('encodes nullable amounts', () => {
    const body = {
      id: 'par_1',
      name: 'P',
      email: null,
      status: 'active',
      perOrderLimit: cents(250_000),
      dailyLimit: null,
      ipAllowlist: [],
      priceFactor: 1,
      createdAt: '2026-01-01T00:00:00.000Z',
    } as const
    const { json } = encodeResponse('createPartner', {
      status: 201,
      body: { ...body, ipAllowlist: [] },
    })
    expect(JSON.parse(json ?? '')).toMatchObject({
      perOrderLimit: 2500,
      dailyLimit: null,
      priceFactor: 1,
    })
  })

  it.each([0.5, Number.NaN, 1e15 + 1])('rejects %s cents', (amount) => {
    const balance = amount as ReturnType<typeof cents>
    const body = { balance, currency: 'EUR', mode: 'test' } as const
    expect(() => encodeResponse('getBalance', { status: 200, body })).toThrow(/number|cents/)
  })

  it('gives the same bytes for the same response', () => {
    const answer = {
      status: 200,
      body: { balance: cents(1), currency: 'EUR', mode: 'test' },
    } as const
    expect(encodeResponse('getBalance', answer)).toEqual({
      status: 200,
      json: '{"balance":0.01,"currency":"EUR","mode":"test"}',
    })
    expect(encodeResponse('deleteOffer', { status: 204 })).toEqual({ status: 204, json: null })
  })
})

describe('encoding refusals', () => {
  it('keeps the first request id when a refusal is replayed', () => {
    expect(errorBody(new ApiError('OUT_OF_STOCK'), 'req_2').error.requestId).toBe('req_2')
    expect(
      errorBody(new ApiError('OUT_OF_STOCK', 'none left', { line: 1 }, 'req_1'), 'req_2'),
    ).toEqual({
      error: {
        code: 'OUT_OF_STOCK',
        message: 'none left',
        details: { line: 1 },
        requestId: 'req_1',
      },
    })
  })

  it('returns the Error body', () => {
    expect(errorBodySchema.safeParse(errorBody(new ApiError('NOT_FOUND'), 'req_1')).success).toBe(
      true,
    )
  })

  it('marks only the refusals of the retry guidance as retryable', () => {
    for (const [code, status] of [
      ['RATE_LIMITED', 429],
      ['INTERNAL_ERROR', 500],
      ['SERVICE_UNAVAILABLE', 503],
      ['IDEMPOTENCY_IN_PROGRESS', 409],
      [null, 502],
    ] as const) {
      expect(isRetryable(code, status)).toBe(true)
    }
    for (const [code, status] of [
      ['PRICE_CHANGED', 409],
      ['UNAUTHORIZED', 401],
      ['INSUFFICIENT_BALANCE', 402],
      ['NEW_CODE', 422],
      [null, 404],
    ] as const) {
      expect(isRetryable(code, status)).toBe(false)
    }
  })
})
