import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { accountIdSchema, instantSchema, procedure } from './base.ts'
import { noticeKinds } from './notices.ts'

/** What can change; a page that shows a topic asks again when it hears it. */
const topics = [
  'accounts',
  'activity',
  'catalogue',
  'connection',
  'disputes',
  'imports',
  'jobs',
  'keychain',
  'notices',
  'offers',
  'orders',
  'outbox',
  'balance',
  'price-watch',
  'room',
  'sales',
  'sandbox',
  'settings',
  'sync',
  'vault',
  'webhooks',
] as const
export const topicSchema = z.enum(topics)
export type Topic = z.infer<typeof topicSchema>

/**
 * "Something of this topic changed": no data, so nothing secret or stale travels. `accountId` null:
 * for all accounts.
 */
export const changeSchema = z.object({
  topic: topicSchema,
  accountId: accountIdSchema.nullable(),
  /** The record, where only one changed (an offer, an import, an order). */
  id: z.string().nullable(),
})
export type Change = z.infer<typeof changeSchema>

export const keychainSchema = z.object({
  available: z.boolean(),
  /**
   * What people call it: "GNOME Keyring", "Keychain", "Windows Credential Manager", "Secret
   * Service".
   */
  name: z.string(),
  /** Why it is not available, in one sentence; null when it is. */
  reason: z.string().nullable(),
})
export type KeychainState = z.infer<typeof keychainSchema>

/** What a person may do with long work. */
const jobActionSchema = z.enum(['pause', 'resume', 'cancel'])
export type JobAction = z.infer<typeof jobActionSchema>

export const jobSchema = z.object({
  id: z.string(),
  kind: z.enum(['catalogue-sync', 'key-import', 'key-check', 'offer-changes', 'orders']),
  accountId: accountIdSchema.nullable(),
  /** "Import", "Catalogue": the word for the status bar. */
  title: z.string(),
  state: z.enum(['running', 'paused', 'waiting', 'failed']),
  done: z.number().int(),
  /** Null while the total is unknown. */
  total: z.number().int().nullable(),
  /** Milliseconds left at the present rate; null when unknown. */
  leftMs: z.number().int().nullable(),
  /** What it takes in its present state. */
  can: z.array(jobActionSchema),
})
export type Job = z.infer<typeof jobSchema>

export const activitySchema = z.object({
  id: z.string(),
  at: instantSchema,
  accountId: accountIdSchema.nullable(),
  /** What was done: "Keys downloaded", "Price changed", "POST /orders". Never holds a secret. */
  what: z.string(),
  detail: z.string(),
  outcome: z.enum(['ok', 'failed', 'unknown']),
  code: z.string().nullable(),
  status: z.number().int().nullable(),
  requestId: z.string().nullable(),
  durationMs: z.number().nullable(),
})
export type ActivityEntry = z.infer<typeof activitySchema>

/**
 * What is read from the service again and again: milliseconds between two readings while it stands
 * in front, while it doesn't, and at most when nothing changes for a while.
 */
export const readingPeriods = {
  offers: { frontMs: 15_000, awayMs: 30_000, longestMs: 180_000 },
  sales: { frontMs: 15_000, awayMs: 45_000, longestMs: 300_000 },
  disputes: { frontMs: 10_000, awayMs: 30_000, longestMs: 180_000 },
  orders: { frontMs: 10_000, awayMs: 30_000, longestMs: 180_000 },
  balance: { frontMs: 20_000, awayMs: 60_000, longestMs: 600_000 },
} as const
export type PolledTopic = keyof typeof readingPeriods

/** How much longer than usual the pauses between two readings are. */
export const paces = [1, 2, 4, 10] as const
const paceSchema = z.union([z.literal(1), z.literal(2), z.literal(4), z.literal(10)])

export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** Row height in pixels of every table that has no choice of its own. */
  density: z.union([z.literal(32), z.literal(36), z.literal(44)]),
  singleLetterShortcuts: z.boolean(),
  /** Minutes between two looks at the catalogue; the service recommends 5 to 15. */
  catalogueMinutes: z.number().int().min(5).max(15),
  /** Stock at or below which an offer counts as low. */
  lowStock: z.number().int().min(0).max(100_000),
  /**
   * A batch of keys is alarming from so many claims on, and from this percent of its keys on: a
   * single bad key is no bad batch.
   */
  alarmClaims: z.number().int().min(1).max(1000),
  alarmPercent: z.number().int().min(0).max(100),
  /** Minutes without use after which the vault locks; 0: never by time. */
  lockMinutes: z.number().int().min(0).max(240),
  /** How much longer than usual the pauses between two readings of each kind are. */
  paces: z.object({
    offers: paceSchema,
    sales: paceSchema,
    disputes: paceSchema,
    orders: paceSchema,
    balance: paceSchema,
  }),
  /** Kinds of notices that stand at the bell and are told nowhere else. */
  quietNotices: z.array(z.enum(noticeKinds)).max(noticeKinds.length),
  /** Days that entries of the activity are kept. */
  activityDays: z.number().int().min(7).max(365),
  /** The account in front when the console was last used. */
  currentAccountId: accountIdSchema.nullable(),
})
export type Settings = z.infer<typeof settingsSchema>

/** The console itself: versions, host, settings, jobs, activity, and the stream of changes. */
export const appContract = {
  info: procedure.output(
    z.object({
      version: z.string(),
      host: z.enum(['electron', 'browser']),
      platform: z.string(),
      dataFolder: z.string(),
      keychain: keychainSchema,
    }),
  ),
  settings: procedure.output(settingsSchema),
  /**
   * Ends the core and starts it again, with the data that then is in its folder. The answer comes
   * first; the page's line breaks and comes back. `CONFLICT` where the host can't.
   */
  restart: procedure.output(z.void()),
  changeSettings: procedure.input(settingsSchema.partial()).output(settingsSchema),
  /**
   * What people chose for each table (columns, order, widths, row height), as the page keeps it; it
   * survives a restart, in any window. How a list of an account is filtered and sorted stands under
   * `<table>@<account>`, and leaves with the account.
   */
  tables: procedure.output(z.record(z.string(), z.string())),
  keepTable: procedure
    .input(z.object({ tableId: z.string().min(1).max(160), choice: z.string().max(8000) }))
    .output(z.void()),
  /** Whether the disk of the data folder is full: what would be written waits until it isn’t. */
  room: procedure.output(z.object({ full: z.boolean() })),
  jobs: procedure.output(z.array(jobSchema)),
  /**
   * Pauses, resumes or cancels one; what is paused stays so over a restart. `CONFLICT` when it
   * doesn’t take that now.
   */
  actOnJob: procedure
    .input(z.object({ jobId: z.string().max(200), action: jobActionSchema }))
    .output(z.array(jobSchema)),
  activity: procedure
    .input(
      z.object({
        accountId: accountIdSchema.nullable().default(null),
        limit: z.number().int().min(1).max(500).default(100),
      }),
    )
    .output(z.array(activitySchema)),
  /**
   * These records of the account stand in front: they are read more often. Good for 90 seconds; a
   * window says it again while it is seen and used, and nothing when it is hidden.
   */
  inFront: procedure
    .input(z.object({ accountId: accountIdSchema, topics: z.array(topicSchema).max(8) }))
    .output(z.void()),
  /**
   * Yields for as long as it is read. The first item arrives at once (topic `connection`), so a
   * reader knows it is connected.
   */
  changes: procedure.output(eventIterator(changeSchema)),
}
