import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import { recordOf } from './record.ts'
import type { HistoryPoint } from './record.ts'

const point = (at: number, some: Partial<HistoryPoint> = {}): HistoryPoint => ({
  at,
  priceCents: cents(1000),
  lowestCustomerCents: cents(1100),
  isCheapest: true,
  stock: 5,
  ...some,
})
const history = [
  point(100),
  point(200, { isCheapest: false, lowestCustomerCents: cents(1050) }),
  point(250, { isCheapest: false, lowestCustomerCents: cents(1050), stock: 4 }),
  point(300, { priceCents: cents(940) }),
  point(400, { isCheapest: false, lowestCustomerCents: cents(1020), priceCents: cents(940) }),
]

test('starts with the state at its start, and records rivals’ prices only while behind and on change', () => {
  expect(recordOf(history, 260)).toEqual({
    priceCents: 1000,
    stock: 4,
    best: [
      { afterMs: 0, customerCents: 1050 },
      { afterMs: 40, customerCents: null },
      { afterMs: 140, customerCents: 1020 },
    ],
  })
  expect(recordOf(history, 350)).toEqual({
    priceCents: 940,
    stock: 5,
    best: [
      { afterMs: 0, customerCents: null },
      { afterMs: 50, customerCents: 1020 },
    ],
  })
})

test('starts with the first reading of an offer seen later, and has no record of an unseen offer', () => {
  expect(recordOf(history, 50)).toMatchObject({
    priceCents: 1000,
    best: [
      { afterMs: 50, customerCents: null },
      { afterMs: 150, customerCents: 1050 },
      { afterMs: 250, customerCents: null },
      { afterMs: 350 },
    ],
  })
  expect(recordOf([], 50)).toBeNull()
})
