import SqliteDatabase from 'better-sqlite3'
import type { Database } from 'better-sqlite3'
import type { Problem } from '../../../contract/base.ts'
import type { OutboxEntry, OutboxFacts, OutboxKind } from '../../../contract/outbox.ts'
import type { CoreContext } from '../../context.ts'
import { Failure, failure } from '../../failure.ts'
import type { Certainty } from '../../certainty/certainty.ts'
import { migrate } from '../../mirror/database/migrate.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import type { ManualClock } from '../../testing/manual-clock.ts'
import { formatMessages } from '../../testing/format-messages.ts'
import { startFeature } from '../../testing/start-feature.ts'
import type { Started } from '../../testing/start-feature.ts'
import { emptyFacts } from '../compare/compare-facts.ts'
import type { OutboxHandler } from '../handler.ts'
import { outboxFeature, outboxSchema } from '../outbox.ts'
import type { NewEntry, Outbox, StoredEntry } from '../outbox.ts'
import { outboxSenderFeature } from '../sender.ts'
import type { OutboxSender } from '../sender.ts'

export const accountId = 'account'

/** A change that reached the service. */
type SentChange = { kind: OutboxKind; subjectId: string; wanted: OutboxFacts; text: string | null }

export type FakeOutbox = {
  outbox: Started<Outbox>
  sender: Started<OutboxSender>
  db: Database
  clock: ManualClock
  /** The state of each subject at the service; null where it no longer exists. */
  service: Map<string, OutboxFacts | null>
  /** Every read and send in the order in which it started. */
  calls: string[]
  sent: SentChange[]
  changes: (string | null)[]
  reports: { where: string; error: unknown }[]
  /** Additional behaviour of the service; `read` and `send` run before its own work. */
  state: {
    connection: { state: string; since: number | null }
    ready: Promise<void>
    locked: boolean
    read: (subjectId: string) => unknown
    send: (entry: StoredEntry) => unknown
    /** Runs after the service made the change. */
    respond: (entry: StoredEntry) => unknown
  }
  /** Queues a price change from 12.85 to 12.40, or another change. */
  add(changes?: Partial<NewEntry>): OutboxEntry
  /** The history of an entry as a person reads it: `title: detail`. */
  history(entryId: string): string[]
  /** Sets the stored state of an entry, as a stop of Keydesk leaves it. */
  leave(entryId: string, state: 'sending' | 'unknown'): void
  /** Starts the account's background work; the returned function stops it. */
  ready(): () => void
  settle(): Promise<void>
  close(): Promise<void>
}

export const facts = (some: Record<string, unknown> = {}): OutboxFacts =>
  ({ ...emptyFacts, ...some }) as OutboxFacts

const problem: Problem = {
  code: 'UNKNOWN_CODE',
  what: 'The service rejected the change.',
  effect: null,
  next: 'Try again.',
  status: null,
  requestId: null,
  retryAfterMs: null,
}

/** A failed request with the given certainty. */
export const failedWith = (certainty: Certainty, changes: Partial<Problem> = {}): Failure =>
  new Failure({ ...problem, ...changes }, { certainty, retry: 'ask' })

const priceChange: NewEntry = {
  kind: 'offer-price',
  subjectId: 'off_1',
  title: 'Ironwharf',
  subtitle: 'Steam, Global',
  seen: facts({ priceCents: 1285 }),
  seenAt: Date.UTC(2026, 0, 5, 8),
  wanted: facts({ priceCents: 1240 }),
}

/** A vault that marks a text instead of encrypting it. */
const fakeVault = (state: { locked: boolean }): unknown => ({
  seal: (account: string, record: string, value: Uint8Array): Buffer =>
    Buffer.from(JSON.stringify([account, record, Buffer.from(value).toString()])),
  open(account: string, record: string, sealed: Uint8Array): Buffer {
    if (state.locked) throw failure('VAULT_LOCKED', 'The vault is locked.', 'Unlock it.')
    const [ofAccount, ofRecord, text] = JSON.parse(Buffer.from(sealed).toString()) as string[]
    if (ofAccount !== account || ofRecord !== record) throw new Error('damaged')
    return Buffer.from(text ?? '')
  },
})

/** The outbox with an in-memory database and a service that a test controls. */
export function createFakeOutbox(): FakeOutbox {
  const db = new SqliteDatabase(':memory:')
  db.pragma('foreign_keys = ON')
  migrate(db, [outboxSchema])
  const clock = manualClock()
  const world = {
    service: new Map<string, OutboxFacts | null>([['off_1', facts({ priceCents: 1285 })]]),
    calls: [] as string[],
    sent: [] as SentChange[],
    changes: [] as (string | null)[],
    reports: [] as { where: string; error: unknown }[],
    state: {
      connection: { state: 'online', since: null },
      ready: Promise.resolve(),
      locked: false,
      read: () => {},
      send: () => {},
      respond: () => {},
    } as FakeOutbox['state'],
  }
  const starts: ((account: { id: string }, signal: AbortSignal) => void)[] = []
  let ids = 0
  const context = {
    clock,
    random: { id: () => `id-${(ids += 1)}`, fraction: () => 0.5 },
    changes: {
      notify: (topic: string, _account: string, id: string | null) => {
        if (topic === 'outbox') world.changes.push(id)
      },
    },
    accounts: {
      get: () => ({ id: accountId, role: 'seller' }),
      onReady: (task: (typeof starts)[number]) => starts.push(task),
      onRelease: () => {},
      isAsleep: () => false,
    },
    vault: fakeVault(world.state),
    mirrors: { database: () => db },
    connection: () => ({ state: () => world.state.connection, ready: () => world.state.ready }),
    report: (where: string, error: unknown) => world.reports.push({ where, error }),
  } as unknown as CoreContext
  const current = (subjectId: string): OutboxFacts | null => world.service.get(subjectId) ?? null
  const handler: OutboxHandler = {
    async readCurrent(_account, { subjectId }) {
      world.calls.push(`read ${subjectId}`)
      await world.state.read(subjectId)
      return current(subjectId)
    },
    async send(_account, entry, text) {
      const { kind, subjectId, wanted } = entry
      world.calls.push(`send ${subjectId}`)
      await world.state.send(entry)
      world.service.set(subjectId, { ...facts(), ...current(subjectId), ...withoutNulls(wanted) })
      world.sent.push({ kind, subjectId, wanted, text })
      await world.state.respond(entry)
    },
  }
  const answers: OutboxHandler = {
    ...handler,
    wasApplied: async (_account, { subjectId }, text) =>
      world.sent.some((change) => change.subjectId === subjectId && change.text === text),
  }
  const outbox = startFeature(outboxFeature, context, {})
  const sender = startFeature(outboxSenderFeature, context, {
    outbox,
    offers: {
      outboxHandlers: { 'offer-price': handler, 'offer-status': handler, 'offer-new': handler },
    },
    disputes: { outboxHandlers: { 'dispute-answer': answers } },
  })
  return {
    ...world,
    outbox,
    sender,
    db,
    clock,
    add: (changes = {}) => outbox.add(accountId, { ...priceChange, ...changes }),
    history: (entryId) =>
      outbox.entry({ accountId, entryId }).events.map(({ what, detail }) => {
        const [title, text] = formatMessages([what, detail]) as [string, string | null]
        return text === null ? title : `${title}: ${text}`
      }),
    leave: (entryId, state) =>
      void db.prepare('UPDATE outbox SET state = ? WHERE entry_id = ?').run(state, entryId),
    ready() {
      const stop = new AbortController()
      for (const start of starts) start({ id: accountId }, stop.signal)
      return () => stop.abort()
    },
    async settle() {
      for (let turn = 0; turn < 20; turn += 1)
        await new Promise<void>((resolve) => {
          setImmediate(resolve)
        })
    },
    async close() {
      await sender.close()
      await outbox.close()
      db.close()
    },
  }
}

const withoutNulls = (wanted: OutboxFacts): Partial<OutboxFacts> =>
  Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== null))
