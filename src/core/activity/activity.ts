import type { Database } from 'better-sqlite3'
import type { Account, Removal } from '../../contract/app/accounts.ts'
import type { RemovedAccount } from '../../contract/app/activity.ts'
import type { ActivityEntry } from '../../contract/app/app.ts'
import { csvText } from '../../contract/csv.ts'
import { formatMessage, localized } from '../../contract/localization/localized.ts'
import type { Changes } from '../changes.ts'
import type { Clock } from '../clock.ts'
import type { ActivityLog } from '../context.ts'
import type { Randomness } from '../randomness.ts'
import type { Redactor } from './redact.ts'
import { createActivityStore } from './store.ts'
import type { ActivityFilter, ActivityList } from './store.ts'
import { textParts } from '../text-parts.ts'
import { DAY_MS } from '../../../server/api/time.ts'

export { createLog } from './log.ts'
export type { Log } from './log.ts'
export { createRedactor } from './redact.ts'
export type { Redactor } from './redact.ts'
export { activitySchema } from './schema.ts'

/** How long entries are collected before they are written together, in milliseconds. */
const COLLECT_MS = 500
/**
 * Entries of actions written without being collected, in each {@link COLLECT_MS}: as many as one
 * action of a person has, and few enough that a bulk change isn't slowed down.
 */
const MOST_DIRECT = 3
/** Entries kept in memory while the disk is full; the oldest are dropped first. */
const MOST_UNSAVED = 10_000
/** Entries of one export, and of one turn of it: the core handles other work between two turns. */
const MOST_EXPORTED = 100_000
const WRITTEN_AT_ONCE = 500
const COLUMNS = [
  'At (UTC)',
  'Account',
  'What',
  'Detail',
  'Outcome',
  'Code',
  'HTTP',
  'Request',
  'Took ms',
] as const

export interface Activity extends ActivityLog {
  /** Newest first; for one account, or for all. */
  latest(accountId: string | null, limit: number): ActivityEntry[]
  /** A window of the matching entries, newest first. */
  list(choice: ActivityFilter, offset: number, limit: number): ActivityList
  /** All matching entries, up to {@link MOST_EXPORTED}, as CSV or separated by tabs. */
  export(
    choice: ActivityFilter,
    form?: 'csv' | 'text',
  ): Promise<AsyncGenerator<{ fileName: string; entries: number; text: string }, void, void>>
  /** Deletes an account's entries. */
  removeAccount(accountId: string): void
  /** Keeps a removed account's entries and its name, and adds an entry about the removal. */
  retireAccount(account: Pick<Account, 'id' | 'name' | 'role' | 'mode'>, removal: Removal): void
  removedAccounts(): RemovedAccount[]
  /** Writes collected entries if there is disk space. */
  flush(): void
  /** Writes the collected entries. Later entries are dropped. */
  close(): void
}

/** Whether an entry is a request that changes nothing. */
const isRead = ({ what }: Pick<ActivityEntry, 'what'>): boolean =>
  what.code === 'activity.request' && /^(?:GET|HEAD)$/.test(String(what.values['method']))

/**
 * Every request and background job of this console with its outcome; no entry contains a secret.
 */
export function createActivity(parts: {
  database: Database
  clock: Clock
  random: Randomness
  changes: Changes
  redactor: Redactor
  keptDays?: () => number
  noted?: (error: unknown) => boolean
}): Activity {
  const store = createActivityStore(parts.database)
  let waiting: ActivityEntry[] = []
  let cancel: (() => void) | null = null
  let closed = false
  let direct = 0

  function flush(): void {
    cancel?.()
    cancel = null
    direct = 0
    write()
  }

  function write(): void {
    if (waiting.length === 0) return
    try {
      store.add(
        waiting,
        parts.keptDays === undefined ? 0 : parts.clock.now() - parts.keptDays() * DAY_MS,
      )
    } catch (error) {
      if (parts.noted?.(error) !== true) throw error
      // The disk is full: keep the entries until there is space.
      waiting = waiting.slice(-MOST_UNSAVED)
      return
    }
    waiting = []
    parts.changes.notify('activity')
  }

  function add(entry: Parameters<Activity['add']>[0]): void {
    // A response that arrives while Keydesk quits: the database is closed.
    if (closed) return
    waiting.push({
      ...entry,
      id: parts.random.id(),
      at: parts.clock.now(),
      what: parts.redactor.cleanMessage(entry.what),
      detail: entry.detail === null ? null : parts.redactor.cleanMessage(entry.detail),
    })
    cancel ??= parts.clock.after(COLLECT_MS, flush)
    // A transaction that is rolled back would drop the entry.
    if (isRead(entry) || direct >= MOST_DIRECT || parts.database.inTransaction) return
    direct += 1
    try {
      write()
    } catch {
      // The entry stays collected; `flush` tries again and reports the error.
    }
  }

  return {
    add,
    flush,
    latest(accountId, limit) {
      flush()
      return store.latest(accountId, limit)
    },
    list(choice, offset, limit) {
      flush()
      return store.list(choice, offset, limit)
    },
    async export(choice, form = 'csv') {
      flush()
      const written = form === 'csv' ? 'csv' : 'tabs'
      const texts = [csvText([COLUMNS], written)]
      // Entries that are added during the export move the others down the list.
      const numbers = store.numbersOf(choice, MOST_EXPORTED)
      let entries = 0
      for (let from = 0; from < numbers.length; from += WRITTEN_AT_ONCE) {
        const rows = store.read(numbers.slice(from, from + WRITTEN_AT_ONCE))
        if (rows.length > 0) texts.push(csvText(rows.map(cellsOf), written))
        entries += rows.length
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
      }
      const day = new Date(parts.clock.now()).toISOString().slice(0, 10)
      return textParts({ fileName: `activity-${day}.csv`, entries }, texts)
    },
    removeAccount(accountId) {
      flush()
      // A long-lived account has many entries, so remove them in turns.
      const some = (): void => {
        if (!closed && store.removeSome(accountId)) parts.clock.after(1, some)
      }
      some()
    },
    retireAccount({ id, name, role, mode }, removal) {
      store.retire({ accountId: id, name, role, mode, removedAt: parts.clock.now() })
      add({
        accountId: id,
        what: localized('activity.account-removed'),
        detail: localized('activity.account-removed-with', {
          keys: removal.keys,
          claims: removal.unsentClaims,
          orders: removal.ordersInProgress,
          changes: removal.queuedChanges,
        }),
        outcome: 'ok',
        code: null,
        status: null,
        requestId: null,
        durationMs: null,
      })
      flush()
    },
    removedAccounts() {
      flush()
      return store.removedAccounts()
    },
    close() {
      flush()
      closed = true
    },
  }
}

const cellsOf = ({
  at,
  accountId,
  what,
  detail,
  outcome,
  code,
  status,
  requestId,
  durationMs,
}: ActivityEntry): readonly (string | number | null)[] => [
  new Date(at).toISOString(),
  accountId,
  formatMessage(what),
  detail === null ? '' : formatMessage(detail),
  outcome,
  code,
  status,
  requestId,
  durationMs === null ? null : Math.round(durationMs),
]
