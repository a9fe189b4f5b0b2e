import { expect, test } from 'vitest'
import { manualClock } from '../testing/manual-clock.ts'
import { createAttention } from './polling.ts'

const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

function begin() {
  const clock = manualClock()
  const attention = createAttention(clock)
  const stop = new AbortController()
  let rested: number | null = null
  const startedAt = clock.now()
  const wait = (): void =>
    void attention.whenIdle(stop.signal).then(() => {
      rested = clock.now() - startedAt
    })
  return {
    attention,
    stop,
    wait,
    rested: () => rested,
    run: async (ms: number) => {
      await settled()
      await clock.run(ms, 100)
    },
  }
}

test("deferrable work starts immediately while the user isn't typing", async () => {
  const { wait, rested, run } = begin()
  wait()
  await run(100)
  expect(rested()).toBe(0)
})

test("waits until the user hasn't typed for three seconds", async () => {
  const { attention, wait, rested, run } = begin()
  attention.markTyping()
  wait()
  await run(2000)
  attention.markTyping()
  await run(2900)
  expect(rested()).toBeNull()
  await run(200)
  expect(rested()).toBe(5000)
})

test('waits a minute at most, and stops waiting when it is canceled', async () => {
  const typing = begin()
  typing.attention.markTyping()
  typing.wait()
  for (let second = 0; second < 60; second += 1) {
    expect(typing.rested()).toBeNull()
    await typing.run(1000)
    typing.attention.markTyping()
  }
  await typing.run(100)
  expect(typing.rested()).toBe(60_000)

  const ended = begin()
  ended.attention.markTyping()
  ended.wait()
  await ended.run(500)
  ended.stop.abort()
  await ended.run(100)
  expect(ended.rested()).toBe(500)
})
