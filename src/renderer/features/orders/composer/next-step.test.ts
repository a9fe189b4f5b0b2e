import { describe, expect, it } from 'vitest'
import { cents, ZERO } from '../../../../../server/api/money.ts'
import type { Problem } from '../../../../contract/base.ts'
import type { ProblemCode } from '../../../../contract/problem-codes.ts'
import type { ComposedLine } from './compose-order.ts'
import { fitTo, nextStep } from './next-step.ts'

const line = (
  productId: string,
  qty: number,
  maxCents: number,
  known: number | null = 99,
  id = 0,
): ComposedLine => ({
  id,
  productId,
  qty,
  units: qty,
  maxCents: cents(maxCents),
  seenCents: cents(maxCents),
  move: null,
  warning: null,
  unitCents: cents(maxCents),
  product: {
    productId,
    name: productId,
    platform: '',
    region: '',
    deliveryType: 'key',
    qty: known,
    inStock: known !== 0,
    priceCents: cents(maxCents),
    proposedMaxCents: cents(maxCents),
    tiers: [],
    releaseDate: null,
    removed: false,
    excludedCountries: null,
  },
})
const problem = (
  code: ProblemCode,
  details: Problem['details'] = {},
  retryAfterMs: number | null = null,
): Problem => ({
  code,
  what: '',
  effect: null,
  next: '',
  status: 409,
  requestId: null,
  retryAfterMs,
  details,
})
const lines = [line('a', 3, 1000), line('b', 2, 500, 1)]
const step = (code: ProblemCode, details?: Problem['details'], retryAfterMs?: number) =>
  nextStep(problem(code, details, retryAfterMs), lines, cents(2000))

describe('the button of a rejected order', () => {
  it('raises the maximum of the affected line only, and leaves the order to a new press', () => {
    expect(step('PRICE_CHANGED', { productId: 'b', currentPrice: 5.1 })).toEqual({
      kind: 'lines',
      label: 'Raise the maximum to 5.10 each',
      lines: [
        { id: 0, productId: 'a', qty: 3, maxCents: 1000, seenCents: 1000 },
        { id: 0, productId: 'b', qty: 2, maxCents: 510, seenCents: 510 },
      ],
    })
  })
  it('raises every line of the product whose maximum is below the price', () => {
    const same = [line('a', 1, 500, 99, 1), line('a', 2, 900, 99, 2), line('a', 3, 500, 99, 3)]
    const changed = problem('PRICE_CHANGED', { productId: 'a', currentPrice: 6 })
    expect(nextStep(changed, same, ZERO)).toMatchObject({
      label: 'Raise the maximum to 6.00 each',
      lines: [
        { id: 1, maxCents: 600, seenCents: 600 },
        { id: 2, maxCents: 900, seenCents: 900 },
        { id: 3, maxCents: 600, seenCents: 600 },
      ],
    })
  })
  it('lowers the quantity to the remaining stock, otherwise removes the line', () => {
    expect(step('OUT_OF_STOCK', { productId: 'b' })).toMatchObject({
      kind: 'lines',
      label: 'Lower to 1',
    })
    expect(step('OUT_OF_STOCK', { productId: 'a' })).toMatchObject({
      kind: 'lines',
      label: 'Lower to 2',
    })
    expect(nextStep(problem('OUT_OF_STOCK', { productId: 'c' }), [line('c', 1, 1)], ZERO)).toEqual({
      kind: 'lines',
      label: 'Remove from order',
      lines: [],
    })
    expect(step('PRODUCT_UNAVAILABLE', { productId: 'a' })).toMatchObject({
      kind: 'lines',
      lines: [{ productId: 'b' }],
    })
  })
  it('lowers only the rejected one of two lines of a product to the stock left by the other', () => {
    const same = [line('a', 3, 500, 5, 1), line('b', 1, 500, 99, 2), line('a', 4, 500, 5, 3)]
    const missing = problem('OUT_OF_STOCK', { productId: 'a', line: 3 })
    expect(nextStep(missing, same, ZERO)).toMatchObject({
      label: 'Lower to 2',
      lines: [
        { id: 1, qty: 3 },
        { id: 2, qty: 1 },
        { id: 3, qty: 2 },
      ],
    })
    expect(nextStep(missing, same, ZERO, same[0])).toMatchObject({
      label: 'Lower to 1',
      lines: [
        { id: 1, qty: 1 },
        { id: 2, qty: 1 },
        { id: 3, qty: 4 },
      ],
    })
  })
  it('removes only the rejected one of two lines of a product while there is stock', () => {
    const of = (stock: number) => [line('a', 3, 500, stock, 1), line('a', 1, 500, stock, 2)]
    const missing = problem('OUT_OF_STOCK', { productId: 'a', line: 2 })
    expect(nextStep(missing, of(3), ZERO)).toMatchObject({
      label: 'Remove from order',
      lines: [{ id: 1, qty: 3 }],
    })
    expect(nextStep(missing, of(0), ZERO)).toMatchObject({
      label: 'Remove from order',
      lines: [],
    })
  })
  it('only closes when the rejected line is no longer in the order', () => {
    const changed = problem('PRICE_CHANGED', { productId: 'a', currentPrice: 6 })
    expect(nextStep(changed, lines, ZERO, null)).toMatchObject({ kind: 'close' })
  })
  it('lowers an order to its limit, and to the rest of the daily limit', () => {
    expect(step('ORDER_LIMIT_EXCEEDED', { limit: 35, total: 40 })).toMatchObject({
      kind: 'lines',
      lines: [
        { productId: 'a', qty: 3 },
        { productId: 'b', qty: 1 },
      ],
    })
    expect(step('DAILY_LIMIT_EXCEEDED', { limit: 40, total: 60 })).toMatchObject({
      kind: 'lines',
      lines: [{ productId: 'a', qty: 2 }],
    })
    expect(step('DAILY_LIMIT_EXCEEDED', { limit: 20 })).toMatchObject({ kind: 'close' })
    expect(fitTo(lines, cents(5))).toBeNull()
  })
  it.each([
    ['INSUFFICIENT_BALANCE', 'balance'],
    ['UNAUTHORIZED', 'account'],
    ['ACCOUNT_NOT_ACTIVE', 'account'],
    ['IP_NOT_ALLOWED', 'account'],
    ['INSUFFICIENT_SCOPE', 'account'],
    ['IDEMPOTENCY_CONFLICT', 'again'],
    ['IDEMPOTENCY_IN_PROGRESS', 'look'],
    ['INTERNAL_ERROR', 'look'],
    ['SERVICE_UNAVAILABLE', 'again'],
    ['NOT_FOUND', 'close'],
    ['VALIDATION_ERROR', 'close'],
    ['UNKNOWN_CODE', 'close'],
  ] as const)('continues %s with a next step', (code, kind) => {
    expect(step(code).kind).toBe(kind)
  })
  it('waits as long as the service requires, and opens the order that has the reference', () => {
    expect(step('RATE_LIMITED', {}, 7400)).toMatchObject({ kind: 'again', afterMs: 7400 })
    expect(step('DUPLICATE_EXTERNAL_ID', { orderId: 'ord_1' })).toEqual({
      kind: 'open-order',
      label: 'Open that order',
      orderId: 'ord_1',
    })
  })
})
