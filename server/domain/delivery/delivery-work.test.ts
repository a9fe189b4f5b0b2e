import { beforeEach, expect, it } from 'vitest'
import type { Context } from '../context.ts'
import type { OrderRecord } from '../ports/ordering/orders.ts'
import { createDeliveryWork } from './delivery-work.ts'

const MINUTE = 60_000

/** The events, in order. */
let events: string[]
let due: OrderRecord[]
/** The orders whose delivery fails. */
let failing: Set<string>
let errors: unknown[][]

beforeEach(() => {
  events = []
  due = []
  failing = new Set()
  errors = []
})

const order = (id: string, status: OrderRecord['status'] = 'completed'): OrderRecord =>
  ({ no: Number(id), id, status }) as OrderRecord

/** Transactions that run their work immediately and, unless it throws, the effects after the commit. */
function transactions() {
  let afterwards: (() => void)[] = []
  return {
    transaction<T>(work: () => T): T {
      afterwards = []
      const result = work()
      events.push('commit')
      for (const effect of afterwards) effect()
      return result
    },
    afterCommit: (effect: () => void) => void afterwards.push(effect),
  }
}

function open() {
  const store = {
    ...transactions(),
    orders: {
      nextDueAt: () => 5,
      due: (at: number, most: number) => (events.push(`due ${at}, at most ${most}`), due),
      postpone: (no: number, at: number) => events.push(`postponed ${no} to ${at}`),
    },
  }
  const context = { store, log: { info: () => {}, error: (...e: unknown[]) => errors.push(e) } }
  return createDeliveryWork(
    context as unknown as Context,
    {
      deliver(given, at) {
        events.push(`delivered ${given.id} at ${at}`)
        if (failing.has(given.id)) throw new Error('damaged')
        return given
      },
    },
    {
      wait: () => Promise.resolve(),
      done: (id) => void events.push(`done ${id}`),
      closeAll: () => {},
    },
    ({ id }, at) => void events.push(`final ${id} at ${at}`),
  )
}

it('delivers up to 64 due orders in one transaction, and then notifies their waiting callers', () => {
  due = [order('1'), order('2', 'processing'), order('3', 'failed')]
  const work = open()
  expect(work.nextAt()).toBe(5)
  void work.run(7)
  expect(events).toEqual([
    'due 7, at most 64',
    'delivered 1 at 7',
    'final 1 at 7',
    'delivered 2 at 7',
    'delivered 3 at 7',
    'final 3 at 7',
    'commit',
    'done 1',
    'done 3',
  ])
})

it('delivers each order alone when one fails, and tries that one again a minute later', () => {
  due = [order('1'), order('2'), order('3')]
  failing.add('2')
  void open().run(7)
  expect(events.slice(events.lastIndexOf('delivered 1 at 7'))).toEqual([
    'delivered 1 at 7',
    'final 1 at 7',
    'commit',
    'done 1',
    'delivered 2 at 7',
    `postponed 2 to ${7 + MINUTE}`,
    'commit',
    'delivered 3 at 7',
    'final 3 at 7',
    'commit',
    'done 3',
  ])
  expect(errors).toEqual([
    [
      'an order could not be delivered and will be retried',
      { orderId: '2', error: 'Error: damaged' },
    ],
  ])
})
