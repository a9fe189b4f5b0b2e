import { describe, expect, it } from 'vitest'
import { claimRequest } from './dashboard/catalogue.ts'
import { replacementRequest } from './schemas/dispute.ts'
import { offerChange, offerRequest } from './schemas/offer.ts'
import { orderRequest } from './schemas/order.ts'
import { productQuery } from './schemas/product.ts'
import { fieldProblems } from './validation.ts'
import type { z } from 'zod'

const problems = (schema: z.ZodType, value: unknown) =>
  fieldProblems(schema.safeParse(value).error?.issues ?? [])

describe('validation problems of a request', () => {
  it('names each bad field once, by its path', () => {
    expect(
      problems(orderRequest, {
        externalId: 'a b',
        items: [{ productId: 'p', qty: 10, maxUnitPrice: -0.005, gift: true }, { qty: 1.5 }],
        note: '',
      }),
    ).toEqual([
      { field: 'externalId', message: 'must use only A-Z a-z 0-9 . _ : - and not be empty' },
      { field: 'items[0].qty', message: 'must be at most 9' },
      { field: 'items[0].maxUnitPrice', message: 'must be at least 0' },
      { field: 'items[0].gift', message: 'is not a property of this request' },
      { field: 'items[1].productId', message: 'is required' },
      { field: 'items[1].qty', message: 'must be an integer' },
      { field: 'items[1].maxUnitPrice', message: 'is required' },
      { field: 'note', message: 'is not a property of this request' },
    ])
  })

  it("names the body when the problem isn't in one field", () => {
    expect(problems(orderRequest, [])).toEqual([{ field: 'body', message: 'must be an object' }])
    expect(problems(offerChange, {})).toEqual([
      { field: 'body', message: 'must have a price, a status, or both' },
    ])
    expect(problems(replacementRequest, { key: 'K', fromStock: true })).toEqual([
      { field: 'body', message: 'must have either key or fromStock' },
    ])
  })

  it('reports a parameter given twice', () => {
    expect(problems(productQuery, { page: ['1', '2'], search: 'x', limit: '101' })).toEqual([
      { field: 'page', message: 'must be given once' },
      { field: 'limit', message: 'must be at most 100' },
      { field: 'search', message: 'must have at least 2 characters' },
    ])
  })

  it('never repeats a value', () => {
    const planted = 'S3CRET-KEY-VALUE'
    const told = JSON.stringify([
      problems(replacementRequest, { key: 'K', fromStock: planted }),
      problems(offerRequest, { productId: 1, price: planted, status: planted }),
      problems(claimRequest, { orderId: 1, keyId: 1, message: '', screenshot: `${planted}!` }),
    ])
    expect(told).not.toContain(planted)
  })
})
