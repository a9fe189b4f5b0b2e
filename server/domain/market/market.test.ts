import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BodyOf } from '../../api/handlers.ts'
import type { Simulation } from '../ports/market.ts'
import {
  createTestClock,
  createTestService,
  type TestClock,
  type TestService,
} from '../testing/fixture.ts'
import { createMarket, type Market, zeroCounts } from './market.ts'
import type { CurrentEvent } from './market-world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const start = Date.parse('2026-03-01T12:10:00.000Z')
const unit = { orderId: 'ord_1', keyId: 'key_1', productId: 'prd_1' }

let test: TestService
let clock: TestClock
let market: Market
let present: CurrentEvent | null
let simulation: Simulation
/** The calls of the simulation, each with the time that it saw, in minutes after the start. */
let calls: string[]
let errors: unknown[][]

const minute = (at: number): number => (at - start) / MINUTE
const call = (text: string): void => void calls.push(`${text} at ${minute(present?.at ?? NaN)}`)

beforeEach(() => {
  test = createTestService({ started: false, durable: false })
  clock = createTestClock(start)
  calls = []
  errors = []
  present = null
  simulation = {
    strategyOf: () => 'matcher',
    start: () => call('start'),
    plan: (to) => call(`plan to ${minute(to)}`),
    execute: (event) => call(nameOf(event)),
    createTestDispute: ({ keyId }) => (call(`dispute ${keyId}`), 'dsp_1'),
  }
  market = createMarket(
    {
      store: test.store,
      clock,
      machine: clock,
      receiverClock: clock,
      ids: { next: (prefix) => prefix },
      random: { bytes: () => new Uint8Array() },
      log: { info: () => {}, error: (...given: unknown[]) => void errors.push(given) },
    },
    simulation,
    (entered) => {
      present = entered
    },
  )
})
afterEach(() => test.close())

const begin = (body: Partial<BodyOf<'startMarket'>> = {}): void =>
  market.start({ seed: 'monday', intensity: 1, ...body })
const schedule = (at: number, event: string): void =>
  test.store.market.schedule(start + at * MINUTE, JSON.stringify(event))
/** The name with which an event was scheduled. */
const nameOf = (event: string): string => JSON.parse(event) as string
const run = () => test.store.market.run()
const nextMinute = (): number | null => {
  const at = market.nextAt()
  return at === null ? null : minute(at)
}
const addSellers = (count: number): void => {
  for (let i = 0; i < count; i += 1)
    test.store.market.addActor({ kind: 'seller', accountId: `sel_${i}`, newcomer: false })
}
/** Runs due work as the work loop does, until nothing is due up to that minute. */
function passTo(end: number): void {
  for (let next = nextMinute(); next !== null && next <= end; next = nextMinute())
    void market.run(start + next * MINUTE)
}

describe('a run', () => {
  it('starts with its accounts and the events up to the full hour', () => {
    begin()
    expect(calls).toEqual(['start at 0', 'plan to 50 at 0'])
    expect(nextMinute()).toBe(50)
    expect(present).toBeNull()
    expect(run()).toEqual({
      running: true,
      seed: 'monday',
      intensity: 1,
      sellers: 6,
      customers: 400,
      since: start,
      plannedUntil: start + 50 * MINUTE,
      idsMade: 0,
      counts: zeroCounts(),
    })
  })

  it('defaults to the competitors of the data, or has the requested size', () => {
    addSellers(8)
    begin()
    expect(run()).toMatchObject({ sellers: 8, customers: 400 })
    begin({ seed: 'tuesday', sellers: 2, customers: 0, intensity: 3 })
    expect(run()).toMatchObject({ sellers: 2, customers: 0, intensity: 3 })
  })

  it('plans a complete hour when it starts on the hour', () => {
    clock.move(50 * MINUTE)
    begin()
    expect(calls).toContain('plan to 110 at 50')
  })

  it('executes each event at its own time, and plans the next hour when the previous one ends', () => {
    begin()
    schedule(30, 'b')
    schedule(20, 'a')
    schedule(50, 'c')
    calls = []
    passTo(50)
    expect(calls).toEqual(['a at 20', 'b at 30', 'plan to 110 at 50', 'c at 50'])
    expect(nextMinute()).toBe(110)
    passTo(110)
    expect(calls.at(-1)).toBe('plan to 170 at 110')
  })

  it('does nothing before an event or the next hour is due', () => {
    begin()
    schedule(20, 'a')
    calls = []
    market.run(start + 20 * MINUTE - 1)
    expect(calls).toEqual([])
    market.run(start + 20 * MINUTE)
    market.run(start + 50 * MINUTE - 1)
    expect(calls).toEqual(['a at 20'])
  })

  it('saves what an event counts', () => {
    begin()
    schedule(20, 'a')
    simulation.execute = () => {
      if (present) present.run.counts.visits += 3
    }
    passTo(20)
    expect(run()?.counts).toEqual({ ...zeroCounts(), visits: 3 })
  })

  it('skips an event that fails, without its effects, and logs the reason', () => {
    begin()
    schedule(20, 'a')
    schedule(30, 'b')
    simulation.execute = (event) => {
      call(nameOf(event))
      if (nameOf(event) === 'b') return
      test.store.settings.set('effect', 'written')
      throw new Error('defect')
    }
    calls = []
    passTo(30)
    expect(calls).toEqual(['a at 20', 'b at 30'])
    expect(test.store.settings.get('effect')).toBeUndefined()
    expect(errors).toEqual([['a market event failed and was skipped', { error: 'Error: defect' }]])
    expect(present).toBeNull()
  })
})

describe('another start with the same seed', () => {
  it('continues the run in the new size, with its planned events and counts', () => {
    begin({ sellers: 5 })
    schedule(20, 'a')
    schedule(30, 'b')
    simulation.execute = (event) => {
      call(nameOf(event))
      if (present) present.run.counts.orders += 1
    }
    passTo(20)
    calls = []
    clock.move(25 * MINUTE)
    begin({ intensity: 4, customers: 10 })
    expect(run()).toMatchObject({ since: start, sellers: 5, intensity: 4, customers: 10 })
    expect(run()?.counts.orders).toBe(1)
    passTo(30)
    expect(calls).toEqual(['b at 30'])
  })

  it('opens accounts only for more sellers than before', () => {
    begin({ sellers: 5 })
    calls = []
    begin({ sellers: 5 })
    begin({ sellers: 4 })
    expect(calls).toEqual([])
    begin({ sellers: 6 })
    expect(calls).toEqual(['start at 0'])
  })

  it('begins a new run after a stop', () => {
    begin()
    market.stop()
    clock.move(MINUTE)
    calls = []
    begin()
    expect(calls).toEqual(['start at 1', 'plan to 50 at 1'])
    expect(run()?.since).toBe(start + MINUTE)
  })
})

it('begins a new run for another seed, without the planned events, and never makes an id again', () => {
  begin({ sellers: 9 })
  schedule(20, 'a')
  simulation.start = () => {
    if (!present) return
    call(`start with ${present.run.idsMade} ids`)
    present.run.idsMade += 7
    present.run.counts.sales += 1
  }
  calls = []
  begin({ seed: 'tuesday' })
  begin({ seed: 'wednesday' })
  passTo(49)
  expect(calls).toEqual([
    'start with 0 ids at 0',
    'plan to 50 at 0',
    'start with 7 ids at 0',
    'plan to 50 at 0',
  ])
  expect(run()).toMatchObject({ sellers: 6, idsMade: 14, counts: { ...zeroCounts(), sales: 1 } })
})

describe('a stopped market', () => {
  it('has nothing due and keeps no planned event', () => {
    begin()
    schedule(20, 'a')
    market.stop()
    expect(market.nextAt()).toBeNull()
    expect(run()).toMatchObject({ running: false, seed: 'monday' })
    expect(test.store.market.nextEvent()).toBeUndefined()
    schedule(20, 'a')
    calls = []
    market.run(start + HOUR)
    expect(calls).toEqual([])
  })

  it('can be stopped before its first run', () => {
    market.stop()
    market.run(start)
    expect([run(), market.nextAt()]).toEqual([undefined, null])
  })
})

describe('a test dispute', () => {
  it('is opened now in the present run', () => {
    begin({ customers: 7 })
    clock.move(MINUTE)
    calls = []
    expect(market.createTestDispute(unit)).toBe('dsp_1')
    expect(calls).toEqual(['dispute key_1 at 1'])
    expect(run()).toMatchObject({ seed: 'monday', customers: 7 })
  })

  it('starts an idle run when none is running', () => {
    begin()
    market.stop()
    expect(market.createTestDispute(unit)).toBe('dsp_1')
    expect(run()).toMatchObject({ running: true, intensity: 0, sellers: 0, customers: 0 })
    market.createTestDispute(unit)
    expect(calls.filter((text) => text.startsWith('start'))).toHaveLength(2)
  })

  it('is null when the simulation fails', () => {
    simulation.createTestDispute = () => {
      throw new Error('defect')
    }
    expect(market.createTestDispute(unit)).toBeNull()
    expect(errors).toHaveLength(1)
  })
})
