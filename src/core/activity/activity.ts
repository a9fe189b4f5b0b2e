import type { Database } from 'better-sqlite3'
import type { ActivityEntry } from '../../contract/app.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { ActivityBook } from '../context.ts'
import type { Randomness } from '../randomness.ts'
import type { Redactor } from './redact.ts'
import { createActivityStore } from './store.ts'

export { createLog } from './log.ts'
export type { Log } from './log.ts'
export { createRedactor } from './redact.ts'
export type { Redactor } from './redact.ts'
export { activitySchema } from './schema.ts'

/** How long entries gather before they are written together, in milliseconds. */
const gatherMs = 500

export interface Activity extends ActivityBook {
  /** Newest first; of one account, or of all. */
  latest(accountId: string | null, limit: number): ActivityEntry[]
  removeAccount(accountId: string): void
  close(): void
}

/** Every request and job of this console and its outcome; no entry holds a secret. */
export function createActivity(parts: { database: Database; clock: Clock; random: Randomness; changes: Changes; redactor: Redactor }): Activity {
  const store = createActivityStore(parts.database)
  let waiting: ActivityEntry[] = []
  let cancel: (() => void) | null = null

  function flush(): void {
    cancel?.()
    cancel = null
    if (waiting.length === 0) return
    const entries = waiting
    waiting = []
    store.add(entries)
    parts.changes.tell('activity')
  }

  return {
    add(entry) {
      waiting.push({ ...entry, id: parts.random.id(), at: parts.clock.now(), what: parts.redactor.clean(entry.what), detail: parts.redactor.clean(entry.detail) })
      cancel ??= parts.clock.after(gatherMs, flush)
    },
    latest(accountId, limit) {
      flush()
      return store.latest(accountId, limit)
    },
    removeAccount(accountId) {
      flush()
      store.removeAccount(accountId)
    },
    close: flush,
  }
}
