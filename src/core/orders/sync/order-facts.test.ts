import { expect, test } from 'vitest'
import { wireOrder } from '../testing/fake-service.ts'
import { orderFacts } from './order-facts.ts'

const facts = (changes: Record<string, unknown> = {}) =>
  orderFacts(wireOrder('Ord-1', { externalId: 'Ref-1', ...changes }) as never, 42)
const item = (line: number, name: string) => ({
  line,
  productId: `p${line}`,
  name,
  deliveryType: 'key',
  qty: 3,
  unitPrice: 200,
  status: 'partially_completed',
  deliveredQty: 2,
})

test('stores an order of the service with times in milliseconds and precomputed fields', () => {
  const items = [item(1, 'Ironwharf 3'), item(2, 'Hollow Tide')]
  expect(
    facts({
      items,
      mode: 'test',
      refunded: 30,
      failure: { code: 'OUT_OF_STOCK', message: 'No keys.' },
      firstDownloadedAt: '2026-01-05T09:00:02.000Z',
    }),
  ).toEqual({
    orderId: 'Ord-1',
    externalId: 'Ref-1',
    status: 'completed',
    mode: 'test',
    totalCents: 1000,
    refundedCents: 30,
    createdAt: Date.UTC(2026, 0, 5, 9),
    completedAt: Date.UTC(2026, 0, 5, 9, 0, 1),
    failureCode: 'OUT_OF_STOCK',
    failureMessage: 'No keys.',
    firstDownloadedAt: Date.UTC(2026, 0, 5, 9, 0, 2),
    tellsFirstDownload: 1,
    units: 6,
    deliveredUnits: 4,
    title: 'Ironwharf 3 and 1 more',
    search: 'ord-1\nref-1\nironwharf 3\nhollow tide',
    readAt: 42,
    items: items.map(({ unitPrice, ...kept }) => ({ ...kept, unitCents: unitPrice })),
  })
})

test('distinguishes an order without a download from a service that does not report downloads', () => {
  expect(facts({ firstDownloadedAt: null })).toMatchObject({
    firstDownloadedAt: null,
    tellsFirstDownload: 1,
  })
  expect(facts()).toMatchObject({ firstDownloadedAt: null, tellsFirstDownload: 0 })
})

test('uses the time of the response for an unreadable date, and `live` for an unknown mode', () => {
  expect(facts({ createdAt: 'yesterday', completedAt: null, mode: 'new' })).toMatchObject({
    createdAt: 42,
    completedAt: null,
    mode: 'live',
    failureCode: null,
    failureMessage: null,
  })
})

test('titles an order by its only product, or by its reference if it has no lines', () => {
  expect(facts().title).toBe('Ironwharf 3')
  expect(facts({ items: [] })).toMatchObject({ title: 'Ref-1', units: 0, deliveredUnits: 0 })
})
