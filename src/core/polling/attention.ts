import type { Topic } from '../../contract/app/app.ts'
import { later, longAgo, msSince, msUntil, pause } from '../clock.ts'
import type { Clock, Monotonic } from '../clock.ts'
import type { Attention } from '../context.ts'
import { createEmitter } from '../lifecycle/lifecycle.ts'

/**
 * How long something counts as in front after a window reported it, in milliseconds. Windows report
 * it again before that.
 */
const frontForMs = 90_000

/**
 * Milliseconds without typing after which the user counts as idle, and the longest that work waits
 * for that.
 */
const restMs = 3000
const longestWaitMs = 60_000

export function createAttention(clock: Clock): Attention {
  const seen = new Map<string, Monotonic>()
  const foreground = createEmitter<[accountId: string, topic: Topic]>()
  let last = longAgo
  let lastTyped = longAgo
  const keyOf = (accountId: string, topic: Topic): string => `${topic}\n${accountId}`
  const isNow = (at: Monotonic | undefined): boolean =>
    at !== undefined && msSince(clock, at) < frontForMs

  return {
    markViewed(accountId, topic) {
      const key = keyOf(accountId, topic)
      const was = isNow(seen.get(key))
      last = clock.monotonic()
      seen.set(key, last)
      if (!was) foreground.emit(accountId, topic)
    },
    isForeground: (accountId, topic) => isNow(seen.get(keyOf(accountId, topic))),
    isHidden: () => !isNow(last),
    markTyping: () => {
      lastTyped = clock.monotonic()
    },
    async whenIdle(signal) {
      const until = later(clock.monotonic(), longestWaitMs)
      for (;;) {
        const left = Math.min(msUntil(clock, later(lastTyped, restMs)), msUntil(clock, until))
        if (left <= 0 || signal.aborted) return
        await pause(clock, left, signal)
      }
    },
    onForeground: foreground.listen,
  }
}
