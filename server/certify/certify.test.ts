import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Handler } from './handler.ts'
import type { Orders } from './orders.ts'
import { readSchedule } from './schedule.ts'
import { SharedKill } from './shared-kill.ts'
import { inventedOrders, startCorrect } from './testing/correct-handler.ts'
import { newTally, runTrial } from './trial.ts'

test('makes orders of later schedules while the handler starts again, and delivers those', async () => {
  const orders = inventedOrders()
  const made: string[] = []
  const counting: Orders = {
    ...orders,
    next(kind) {
      made.push(kind)
      return orders.next(kind)
    },
  }
  const handler: Handler = {
    restarts: true,
    revive: () => Promise.resolve(false),
    restart: () => delay(50),
    stop: () => Promise.resolve(),
  }
  const parts = {
    ...(await startCorrect(() => 0)),
    orders: counting,
    handler,
    limitMs: 3000,
    tally: newTally(),
    silent: { live: [], test: [] },
    kill: new SharedKill(handler, counting),
  }
  const run = (text: string) => runTrial(parts, readSchedule(text) ?? { orders: [], steps: [] })
  parts.kill.wanted = ['partial', 'completed']
  expect(await run('completed: deliver 1; kill 1 50')).toEqual([])
  expect(made).toEqual(['completed', 'partial', 'completed'])
  expect(await run('completed partial: deliver 1; deliver 2')).toEqual([])
  expect(made).toHaveLength(3)
  expect(parts.kill.made).toEqual({ completed: [], partial: [], failed: [] })
  expect(parts.kill.wanted).toEqual([])
})
