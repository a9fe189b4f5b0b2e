import { expect, it } from 'vitest'
import type { Context } from '../context.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { OrderRecord } from '../ports/ordering/orders.ts'
import type { Supply } from '../catalogue/supply.ts'
import { createDelivery } from './delivery.ts'

const reserved = { id: 'key_1', no: 1, unitNo: 2, offerNo: 3, price: 1000, customerPrice: 1100 }
const order = {
  no: 7,
  id: 'ord_1',
  mode: 'live',
  lines: [{ line: 1, productId: 'prd_1', qty: 1, status: 'processing', deliveredQty: 0, dueAt: 0 }],
} as unknown as OrderRecord

it.each([{ unitNo: null }, { offerNo: null }, { price: null }, { customerPrice: null }, {}])(
  'delivers no unit whose offer is unknown or incomplete: %j',
  (damage) => {
    const sold: number[] = []
    const store = {
      orders: { reservedUnits: () => [{ ...reserved, ...damage }] },
      offers: { findByNo: () => (Object.keys(damage).length > 0 ? { no: 3 } : undefined) },
      stock: { sell: (no: number) => sold.push(no) },
    }
    const delivery = createDelivery({ store } as unknown as Context, {} as Ledger, {} as Supply, {
      down: () => false,
      failsUnit: () => false,
    })
    expect(() => delivery.deliver(order, 5)).toThrow(
      'unit key_1 of order ord_1 belongs to no offer',
    )
    expect(sold).toEqual([])
  },
)
