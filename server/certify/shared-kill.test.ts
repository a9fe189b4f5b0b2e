import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SharedKill } from './shared-kill.ts'

const noOrders = {
  baseUrl: '',
  key: '',
  secret: '',
  next: () => Promise.reject(new Error('No order is wanted.')),
  credited: () => Promise.reject(new Error('No event is wanted.')),
  stop: () => Promise.resolve(),
}

/** A kill whose steps are written down. */
function recorded(restart = () => Promise.resolve()) {
  const events: string[] = []
  const handler = {
    restarts: true,
    revive: () => Promise.resolve(false),
    async restart() {
      events.push('kill')
      await restart()
      events.push('ready')
    },
    stop: () => Promise.resolve(),
  }
  const shared = new SharedKill(handler, noOrders)
  /** A schedule that works for a while and then has its delivery interrupted. */
  const schedule = (name: string, workMs: number, killAfterMs: number) =>
    shared.during(async () => {
      if (workMs > 0) await delay(workMs)
      const send = () => Promise.resolve(events.push(`send ${name}`))
      await shared.interrupt({ killAfterMs, send })
      events.push(`continue ${name}`)
    })
  return { events, shared, schedule }
}

test('schedules beside each other share a kill, each delivery at its own time before it', async () => {
  const { events, shared, schedule } = recorded(() => delay(20))
  await Promise.all([schedule('early', 0, 40), schedule('late', 60, 200), schedule('last', 20, 1)])
  expect(events.slice(0, 5)).toEqual(['send late', 'send early', 'send last', 'kill', 'ready'])
  expect(events.slice(5).toSorted()).toEqual(['continue early', 'continue last', 'continue late'])
  expect(shared.kills).toBe(1)
})

test('a schedule that ends without a kill doesn’t keep the others waiting', async () => {
  const { shared, schedule } = recorded()
  const failed = shared.during(() => delay(20).then(() => Promise.reject(new Error('It broke.'))))
  await Promise.all([expect(failed).rejects.toThrow('It broke.'), schedule('other', 0, 1)])
  expect(shared.kills).toBe(1)
})

test('a schedule alone kills immediately, as often as it wants', async () => {
  const { events, shared } = recorded()
  await shared.during(async () => {
    for (const name of ['first', 'second'])
      await shared.interrupt({ killAfterMs: 1, send: () => Promise.resolve(events.push(name)) })
  })
  expect(events).toEqual(['first', 'kill', 'ready', 'second', 'kill', 'ready'])
  expect(shared.kills).toBe(2)
})

test('a handler that can’t be started again fails every schedule that waits for it', async () => {
  const { schedule } = recorded(() => Promise.reject(new Error('It doesn’t start.')))
  const ended = await Promise.allSettled([schedule('one', 0, 1), schedule('other', 0, 1)])
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
