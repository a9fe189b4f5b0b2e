import type { QueryClient } from '@tanstack/react-query'
import type { Topic } from '../../contract/app.ts'
import { rpc } from './rpc.ts'

/**
 * How often the core is told what stands in front, and how long after the last touch of mouse or
 * keyboard nobody is taken to look, in milliseconds.
 */
const tellEveryMs = 45_000
const idleAfterMs = 10 * 60_000

/** What is read from the service more often while it stands in front. */
const polled = [
  'offers',
  'sales',
  'disputes',
  'balance',
  'orders',
] as const satisfies readonly Topic[]

/**
 * What pages that are shown ask of the core, by account. A query's key is its procedure's path and
 * its input; the path begins with the topic.
 *
 * @param queryKeys keys of the queries that something on the screen uses
 */
export function shownTopics(queryKeys: readonly (readonly unknown[])[]): Map<string, Topic[]> {
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
 * Tells the core what stands in front while the window is seen and used, until `signal` aborts:
 * that is read from the service more often.
 */
export function tellInFront(client: QueryClient, signal: AbortSignal): void {
  let usedAt = Date.now()
  const used = (): void => {
    usedAt = Date.now()
  }
  const tell = (): void => {
    if (document.visibilityState !== 'visible' || Date.now() - usedAt > idleAfterMs) return
    const keys = client
      .getQueryCache()
      .findAll({ type: 'active' })
      .map(({ queryKey }) => queryKey)
    for (const [accountId, topics] of shownTopics(keys)) {
      void rpc.app.inFront({ accountId, topics }).catch(() => {
        // The line broke, or the account is gone; the next time tells anew.
      })
    }
  }
  for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
    window.addEventListener(event, used, { signal, passive: true })
  document.addEventListener(
    'visibilitychange',
    () => {
      used()
      tell()
    },
    { signal },
  )
  const timer = setInterval(tell, tellEveryMs)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}
