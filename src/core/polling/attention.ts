import type { Topic } from '../../contract/app/app.ts'
import { pause } from '../clock.ts'
import type { Clock } from '../clock.ts'
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
  const seen = new Map<string, number>()
  const foreground = createEmitter<[accountId: string, topic: Topic]>()
  let last = Number.NEGATIVE_INFINITY
  let lastTyped = Number.NEGATIVE_INFINITY
  const keyOf = (accountId: string, topic: Topic): string => `${topic}\n${accountId}`
  const isNow = (at: number | undefined): boolean =>
    at !== undefined && clock.now() - at < frontForMs

  return {
    markViewed(accountId, topic) {
      const key = keyOf(accountId, topic)
      const was = isNow(seen.get(key))
      last = clock.now()
      seen.set(key, last)
      if (!was) foreground.emit(accountId, topic)
    },
    isForeground: (accountId, topic) => isNow(seen.get(keyOf(accountId, topic))),
    isHidden: () => !isNow(last),
    markTyping: () => {
      lastTyped = clock.now()
    },
    async whenIdle(signal) {
      const until = clock.now() + longestWaitMs
      for (;;) {
        const left = Math.min(lastTyped + restMs, until) - clock.now()
        if (left <= 0 || signal.aborted) return
        await pause(clock, left, signal)
      }
    },
    onForeground: foreground.listen,
  }
}
