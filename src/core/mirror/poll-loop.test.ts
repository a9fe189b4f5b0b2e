import { expect, test } from 'vitest'
import { systemRandomness } from '../randomness.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { startPollLoop } from './poll-loop.ts'

const settle = async (): Promise<void> => {
  for (let i = 0; i < 10; i += 1)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
}

function begin(round: (signal: AbortSignal) => Promise<void>) {
  const clock = manualClock()
  const stop = new AbortController()
  const failures: unknown[] = []
  let line = Promise.resolve()
  const rounds = startPollLoop({
    clock,
    random: { ...systemRandomness, fraction: () => 0.5 },
    signal: stop.signal,
    ready: () => line,
    pass: round,
    pause: () => 60_000,
    onFailure: (error) => failures.push(error),
  })
  return {
    clock,
    stop,
    failures,
    rounds,
    hold: (until: Promise<void>) => {
      line = until
    },
  }
}

test('runs passes one after the other after their pause, never two at once', async () => {
  let running = 0
  let begun = 0
  let finish = (): void => {}
  const { clock, rounds } = begin(async () => {
    running += 1
    begun += 1
    expect(running).toBe(1)
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    running -= 1
  })
  await settle()
  expect([begun, rounds.nextAt()]).toEqual([1, null])
  const [first, second] = [rounds.runNow(), rounds.runNow()]
  await settle()
  expect(begun).toBe(1)
  finish()
  await settle()
  expect(begun).toBe(2)
  finish()
  await Promise.all([first, second])
  await settle()
  expect(rounds.nextAt()).toBe(clock.now() + 60_000)
  clock.advance(59_999)
  await settle()
  expect(begun).toBe(2)
  clock.advance(1)
  await settle()
  expect(begun).toBe(3)
  finish()
})

test('reports the time of the pass after a failed one in full milliseconds', async () => {
  const clock = manualClock()
  const rounds = startPollLoop({
    clock,
    random: { ...systemRandomness, fraction: () => 0.123_456 },
    signal: new AbortController().signal,
    ready: () => Promise.resolve(),
    pass: () => Promise.reject(new Error('no')),
    pause: () => 60_000,
    onFailure: () => {},
  })
  await settle()
  expect(rounds.nextAt()).toBe(clock.now() + 812)
})

test('retries a failed pass after 1 s, 2 s, 4 s, up to a minute; a good one restores the pause', async () => {
  let fail = true
  const at: number[] = []
  const { clock, failures } = begin(async () => {
    at.push(clock.now())
    if (fail) throw new Error('no')
  })
  for (let i = 0; i < 200; i += 1) {
    await settle()
    clock.advance(1000)
  }
  expect(at.slice(1, 9).map((time, i) => time - (at[i] ?? 0))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000,
  ])
  expect(failures).toHaveLength(at.length)
  fail = false
  clock.advance(60_000)
  await settle()
  const good = at.length
  clock.advance(59_000)
  await settle()
  expect(at).toHaveLength(good)
}, 30_000)

test("runs nothing while the connection isn't ready; after the end nothing runs and no caller waits", async () => {
  let begun = 0
  const { clock, stop, rounds, hold } = begin(async () => {
    begun += 1
  })
  await settle()
  let open = (): void => {}
  hold(
    new Promise((resolve) => {
      open = resolve
    }),
  )
  const asked = rounds.runNow()
  clock.advance(120_000)
  await settle()
  expect(begun).toBe(1)
  open()
  await asked
  expect(begun).toBe(2)
  stop.abort()
  await rounds.runNow()
  clock.advance(120_000)
  await settle()
  expect(begun).toBe(2)
})
