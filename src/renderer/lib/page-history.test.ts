import { afterEach, expect, test, vi } from 'vitest'
import { goBack, goForward } from './page-history.ts'

/**
 * The history of a tab: a page of someone else's, then three of Keydesk's, of which the last is
 * shown. The browser moves some time after it is asked.
 */
function startHistory() {
  let at = 3
  const moves: Promise<void>[] = []
  const move = (by: number): Promise<void> => {
    const target = at + by
    const moved = new Promise<void>((resolve) => {
      setTimeout(() => {
        at = target
        resolve()
      }, 1)
    })
    moves.push(moved)
    return moved
  }
  const within = (by: number) => {
    const finished =
      at + by < 1 || at + by > 3 ? Promise.reject(new Error('no such entry')) : move(by)
    return { finished, committed: finished }
  }
  vi.stubGlobal('window', {
    navigation: {
      get canGoBack() {
        return at > 1
      },
      get canGoForward() {
        return at < 3
      },
      back: () => within(-1),
      forward: () => within(1),
    },
  })
  vi.stubGlobal('history', { back: () => void move(-1), forward: () => void move(1) })
  return {
    at: () => at,
    settled: async () => {
      for (let turn = 0; turn < 20; turn += 1)
        await new Promise((resolve) => {
          setTimeout(resolve, 2)
        })
    },
  }
}

afterEach(() => vi.unstubAllGlobals())

test('going back quickly never leaves Keydesk, and takes every step', async () => {
  const history = startHistory()
  goBack()
  goBack()
  await history.settled()
  expect(history.at()).toBe(1)
  for (let press = 0; press < 5; press += 1) goBack()
  await history.settled()
  expect(history.at()).toBe(1)
  goForward()
  goForward()
  goForward()
  await history.settled()
  expect(history.at()).toBe(3)
})

test('without an earlier page it does what it is told instead', async () => {
  const history = startHistory()
  const otherwise = vi.fn<() => void>()
  for (let press = 0; press < 3; press += 1) goBack(otherwise)
  await history.settled()
  expect([history.at(), otherwise.mock.calls.length]).toEqual([1, 1])
})
