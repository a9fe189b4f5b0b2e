import type { QueryClient } from '@tanstack/react-query'
import type { Topic } from '../../../contract/app/app.ts'
import { rpc } from './rpc.ts'

/**
 * How often the page reports its visible topics to the core, and how long after the last input it
 * counts as idle, in milliseconds.
 */
const reportEveryMs = 45_000
const idleAfterMs = 10 * 60_000

/** Topics that the core polls more often while they are visible. */
const polled = [
  'offers',
  'sales',
  'disputes',
  'balance',
  'orders',
] as const satisfies readonly Topic[]

/**
 * The topics that visible pages query, by account. A query key consists of the procedure's path and
 * its input, and the path starts with the topic.
 *
 * @param queryKeys - Keys of the active queries.
 */
export function visibleTopics(queryKeys: readonly (readonly unknown[])[]): Map<string, Topic[]> {
  const shown = new Map<string, Set<Topic>>()
  for (const [path, more] of queryKeys) {
    const topic = polled.find((each) => Array.isArray(path) && path[0] === each)
    const input = typeof more === 'object' && more !== null && 'input' in more ? more.input : null
    const accountId =
      typeof input === 'object' && input !== null && 'accountId' in input ? input.accountId : null
    if (topic === undefined || typeof accountId !== 'string') continue
    shown.set(accountId, (shown.get(accountId) ?? new Set()).add(topic))
  }
  return new Map([...shown].map(([accountId, topics]) => [accountId, [...topics]]))
}

/**
 * Reports visible topics to the core while the window is visible and in use, until `signal` aborts.
 * The core polls those more often.
 */
export function reportVisibleTopics(client: QueryClient, signal: AbortSignal): void {
  let usedAt = Date.now()
  const used = (): void => {
    usedAt = Date.now()
  }
  const report = (): void => {
    if (document.visibilityState !== 'visible' || Date.now() - usedAt > idleAfterMs) return
    const keys = client
      .getQueryCache()
      .findAll({ type: 'active' })
      .map(({ queryKey }) => queryKey)
    for (const [accountId, topics] of visibleTopics(keys)) {
      void rpc.app.markViewed({ accountId, topics }).catch(() => {
        // The connection was lost or the account was removed. The next report tries again.
      })
    }
  }
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
    window.addEventListener(event, used, { signal, passive: true })
  document.addEventListener(
    'visibilitychange',
    () => {
      used()
      report()
    },
    { signal },
  )
  const timer = setInterval(report, reportEveryMs)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}
