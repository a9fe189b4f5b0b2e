import { describe, expect, it } from 'vitest'
import { cents } from '../money.ts'
import { offer } from './offer.ts'
import { order } from './order.ts'
import { product } from './product.ts'

const wireOrder = {
  id: 'ord_1',
  externalId: 'x',
  mode: 'test',
  status: 'completed',
  currency: 'EUR',
  total: 12.34,
  refunded: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: null,
  failure: null,
  items: [
    {
      line: 1,
      productId: 'p',
      name: 'P',
      deliveryType: 'key',
      qty: 1,
      unitPrice: 12.34,
      status: 'completed',
      deliveredQty: 1,
    },
  ],
}

describe('strict and tolerant forms of one schema', () => {
  it('requires only the documented fields of another service, and keeps its additional fields', () => {
    const read = order.tolerant.parse({
      ...wireOrder,
      status: 'on_hold',
      createdAt: '2026-01-01T00:00:00Z',
      campaign: 'spring',
    })
    expect(read).toMatchObject({
      status: 'on_hold',
      total: cents(1234),
      campaign: 'spring',
      items: [{ unitPrice: cents(1234) }],
    })
    expect(read.firstDownloadedAt).toBeUndefined()
  })

  it('rejects a response without a documented field', () => {
    const { total, ...without } = wireOrder
    expect(total).toBe(12.34)
    expect(order.tolerant.safeParse(without).success).toBe(false)
  })

  it('requires every field, closed lists and exact formats of the backend, and rejects extra fields', () => {
    const complete = { ...wireOrder, firstDownloadedAt: null }
    expect(order.strict.safeParse(complete).success).toBe(true)
    expect(order.strict.safeParse(wireOrder).success).toBe(false)
    for (const bad of [
      { status: 'on_hold' },
      { createdAt: '2026-01-01T00:00:00Z' },
      { total: 12.345 },
      { campaign: 'spring' },
    ]) {
      expect(order.strict.safeParse({ ...complete, ...bad }).success, JSON.stringify(bad)).toBe(
        false,
      )
    }
  })

  it('requires only id, price, customerPrice, status and stock of an offer', () => {
    expect(
      offer.tolerant.parse({
        id: 'off_1',
        price: 1,
        customerPrice: 1.1,
        status: 'active',
        stock: 0,
      }),
    ).toEqual({
      id: 'off_1',
      price: 100,
      customerPrice: 110,
      status: 'active',
      stock: 0,
    })
  })

  it('accepts any value for systemRequirements', () => {
    expect(product.tolerant.shape.systemRequirements.safeParse('any').success).toBe(true)
    expect(product.strict.shape.systemRequirements.safeParse('any').success).toBe(false)
  })
})
