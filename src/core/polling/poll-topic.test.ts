import { expect, test } from 'vitest'
import type { Settings } from '../../contract/app/app.ts'
import { createChanges } from '../changes.ts'
import type { ServiceConnection } from '../context.ts'
import { systemRandomness } from '../randomness.ts'
import { defaultSettings } from '../settings/settings.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { cadences } from './cadence.ts'
import type { PollingContext } from './poll-topic.ts'
import { createAttention, startPolling } from './polling.ts'

const settle = async (): Promise<void> => {
  for (let i = 0; i < 10; i += 1)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
}
const nobody = (): never => {
  throw new Error('not in this test')
}

async function begin(
  read: (line: Pick<ServiceConnection, 'call'>) => Promise<boolean>,
  pace: 1 | 2 | 4 = 1,
) {
  const clock = manualClock()
  const attention = createAttention(clock)
  const stop = new AbortController()
  const readings: number[] = []
  const call = (async () => ({})) as unknown as ServiceConnection['call']
  const line: ServiceConnection = {
    call,
    send: nobody,
    picture: nobody,
    state: nobody,
    ready: async () => {},
  }
  const context: Omit<PollingContext, 'settings'> & {
    settings: { get(): Settings }
  } = {
    clock,
    random: systemRandomness,
    attention,
    changes: createChanges(),
    connection: () => line,
    report: nobody,
    settings: {
      get: () => ({ ...defaultSettings, paces: { ...defaultSettings.paces, sales: pace } }),
    },
  }
  startPolling({
    context,
    accountId: 'a',
    topic: 'sales',
    signal: stop.signal,
    read: (over) => {
      readings.push(clock.now())
      return read(over)
    },
  })
  await settle()
  const pass = async (ms: number): Promise<void> => {
    for (let gone = 0; gone < ms; gone += 5000) {
      clock.advance(5000)
      await settle()
    }
  }
  return { clock, attention, stop, readings, pass }
}

test('a half share gets half of the requests', async () => {
  const [usual, seldom] = await Promise.all(
    ([1, 2] as const).map(async (pace) => {
      const { readings, pass } = await begin(async () => true, pace)
      await pass(3_600_000)
      return readings.length
    }),
  )
  expect(seldom).toBeLessThan((usual ?? 0) * 0.6)
  expect(seldom).toBeGreaterThan((usual ?? 0) * 0.4)
})

test('pauses grow to the maximum while nothing changes; a change resets them', async () => {
  let news = false
  const { readings, pass } = await begin(async () => news)
  await pass(3_600_000)
  const pauses = readings.slice(1).map((at, index) => at - (readings[index] ?? 0))
  expect(
    pauses.every((pause, index) => index === 0 || pause >= (pauses[index - 1] ?? 0) - 5000),
  ).toBe(true)
  expect(pauses.at(-1)).toBe(cadences.sales.longestMs)
  news = true
  await pass(cadences.sales.longestMs * 2)
  expect((readings.at(-1) ?? 0) - (readings.at(-2) ?? 0)).toBe(cadences.sales.awayMs * 2)
})

test('polls a topic that comes to the front once its own pause has passed, and then often', async () => {
  const { attention, readings, pass } = await begin(async () => true)
  await pass(20_000)
  expect(readings).toHaveLength(1)
  attention.markViewed('another', 'sales')
  attention.markViewed('a', 'offers')
  await pass(5000)
  expect(readings).toHaveLength(1)
  attention.markViewed('a', 'sales')
  await pass(5000)
  expect(readings).toHaveLength(2)
  await pass(cadences.sales.frontMs * 3)
  expect(readings).toHaveLength(5)
})

test('a poll with many requests is followed by the pause its share requires; aborting stops it', async () => {
  const { readings, pass, stop, attention } = await begin(async (line) => {
    for (let page = 1; page <= 60; page += 1) await line.call('listSales', { query: { page } })
    return true
  })
  attention.markViewed('a', 'sales')
  await pass(55_000)
  expect(readings).toHaveLength(1)
  await pass(10_000)
  expect(readings).toHaveLength(2)
  stop.abort()
  await pass(600_000)
  expect(readings).toHaveLength(2)
})
