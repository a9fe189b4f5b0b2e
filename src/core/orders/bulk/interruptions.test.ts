import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failure } from '../../failure.ts'
import { wireOrder } from '../testing/fake-service.ts'
import { createTableWorld } from '../testing/table-world.ts'
import type { TableWorld } from '../testing/table-world.ts'

const accountId = 'account'
const minute = 60_000

let table: TableWorld
let world: TableWorld['world']
let start: TableWorld['start']
let stop: TableWorld['stop']
let placeMany: TableWorld['placeMany']
let sent: TableWorld['sent']
let bulk: TableWorld['bulk']
let job: TableWorld['job']
let reject: TableWorld['reject']
beforeEach(async () => {
  table = await createTableWorld()
  ;({ world, start, stop, placeMany, sent, bulk, job, reject } = table)
})
afterEach(() => table.close())

describe('an outage', () => {
  test.each([
    [15 * minute, ['A'], 'done'],
    [15 * minute + 1, [], 'asking'],
  ])('of %i ms: nothing is ordered later without a person', async (outageMs, orders, state) => {
    let connect = (): void => {}
    world.state.ready = new Promise((resolve) => {
      connect = resolve
    })
    const { bulkId } = placeMany('A')
    await world.settle()
    world.clock.advance(outageMs)
    connect()
    await world.settle()
    expect(sent()).toEqual(orders)
    expect(bulk(bulkId).state).toBe(state)
  })

  test.each([8 * 60, -8 * 60])(
    'is as long as it was when the clock is set by %i minutes meanwhile',
    async (minutes) => {
      let connect = (): void => {}
      world.state.ready = new Promise((resolve) => {
        connect = resolve
      })
      const { bulkId } = placeMany('A')
      await world.settle()
      world.clock.setBy(minutes * minute)
      world.clock.advance(10 * minute)
      connect()
      await world.settle()
      expect(sent()).toEqual(['A'])
      expect(bulk(bulkId).state).toBe('done')
    },
  )

  test('asks also when each try failed offline in between', async () => {
    reject(Array.from({ length: 1000 }, () => 'OFFLINE' as const))
    const { bulkId } = placeMany('A')
    for (let passed = 0; passed <= 16; passed += 1) {
      await world.settle()
      world.clock.advance(minute)
    }
    await world.settle()
    expect(bulk(bulkId).state).toBe('asking')
    const tries = sent().length
    world.clock.advance(60 * minute)
    await world.settle()
    expect(sent()).toHaveLength(tries)
  })
})

describe('a bulk order of an earlier run', () => {
  const earlier = async (): Promise<string> => {
    stop()
    const { bulkId } = placeMany('A')
    await world.settle()
    expect(sent()).toEqual([])
    return bulkId
  }

  test('resumes automatically within 15 minutes', async () => {
    const bulkId = await earlier()
    world.clock.advance(15 * minute)
    start()
    await world.settle()
    expect(sent()).toEqual(['A'])
    expect(bulk(bulkId).state).toBe('done')
  })

  test('needs confirmation after 15 minutes', async () => {
    const bulkId = await earlier()
    world.clock.advance(15 * minute + 1)
    world.changes.length = 0
    start()
    await world.settle()
    expect(sent()).toEqual([])
    expect(bulk(bulkId).state).toBe('asking')
    expect(job(bulkId)?.job).toMatchObject({ state: 'paused' })
    expect(world.changes).toContainEqual({ topic: 'orders', id: bulkId })
    world.orders.controlBulk({ accountId, bulkId, action: 'resume' })
    await world.settle()
    expect(sent()).toEqual(['A'])
  })

  test.each([0, 60 * minute])('stays paused after %i ms, and its job is shown', async (idleMs) => {
    const bulkId = await earlier()
    world.orders.controlBulk({ accountId, bulkId, action: 'pause' })
    world.jobs.clear()
    world.clock.advance(idleMs)
    start()
    await world.settle()
    expect(sent()).toEqual([])
    expect(bulk(bulkId).state).toBe('paused')
    expect(job(bulkId)?.job).toMatchObject({ state: 'paused' })
  })

  test('counts as idle since its last order, not since its start', async () => {
    let posts = 0
    world.respond['createOrder'] = ({ input }) => {
      posts += 1
      if (posts === 2) stop()
      if (posts === 1) world.clock.advance(10 * minute)
      if (posts === 2) throw failure('RATE_LIMITED', 'Rejected.', 'Wait.')
      return wireOrder(input.body.externalId)
    }
    placeMany('A', 'B')
    await world.settle()
    world.clock.advance(10 * minute)
    start()
    await world.settle()
    expect(sent()).toEqual(['A', 'B', 'B'])
  })
})

test('sends no further order and reports nothing when the account stops working', async () => {
  world.respond['createOrder'] = () => {
    stop()
    throw new RangeError('closed')
  }
  placeMany('A', 'B')
  await world.settle()
  expect(sent()).toEqual(['A'])
  expect(world.reports).toEqual([])
})

test('stops after the order in flight when the account stops working', async () => {
  const place = world.respond['createOrder']
  world.respond['createOrder'] = (call) => {
    stop()
    return place?.(call)
  }
  const { bulkId } = placeMany('A', 'B')
  await world.settle()
  expect(sent()).toEqual(['A'])
  expect(bulk(bulkId)).toMatchObject({ state: 'running', counts: { waiting: 1, placed: 1 } })
})

test('reports a defect while placing, and can be resumed after it', async () => {
  const place = world.respond['createOrder']
  const defect = new Error('defect')
  world.respond['createOrder'] = (call) => {
    if (call.input.body.externalId === 'A') throw defect
    return place?.(call)
  }
  const { bulkId } = placeMany('A', 'B')
  await world.settle()
  expect(world.reports).toEqual([{ where: 'orders of account', error: defect }])
  world.orders.controlBulk({ accountId, bulkId, action: 'resume' })
  await world.settle()
  expect(sent()).toContain('B')
})
