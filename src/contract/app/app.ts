import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { accountIdSchema, instantSchema, procedure } from '../base.ts'
import { localizedSchema } from '../localization/localized.ts'
import { optionalNoticeKinds } from './notices.ts'

/** Everything that can change. A page that shows a topic requests it again when notified. */
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
  'sessions',
  'settings',
  'sync',
  'updates',
  'vault',
  'webhooks',
] as const
export const topicSchema = z.enum(topics)
export type Topic = z.infer<typeof topicSchema>

/**
 * "Something in this topic changed". It carries no data, so nothing secret or stale travels.
 * `accountId` is null for all accounts.
 */
export const changeSchema = z.object({
  topic: topicSchema,
  accountId: accountIdSchema.nullable(),
  /** The record, when only one changed (an offer, an import, an order). */
  id: z.string().nullable(),
})
export type Change = z.infer<typeof changeSchema>

export const keychainSchema = z.object({
  available: z.boolean(),
  /**
   * The name people know: "GNOME Keyring", "Keychain", "Windows Credential Manager", "Secret
   * Service".
   */
  name: z.string(),
  /** Why the keychain isn't available, in one sentence; null when it is. */
  reason: z.string().nullable(),
})
export type KeychainState = z.infer<typeof keychainSchema>

/** The actions a person can take on long work. */
const jobActionSchema = z.enum(['pause', 'resume', 'cancel'])
export type JobAction = z.infer<typeof jobActionSchema>

export const jobSchema = z.object({
  id: z.string(),
  kind: z.enum([
    'catalogue-sync',
    'key-import',
    'key-check',
    'offer-changes',
    'orders',
    'dispute-replies',
    'certificate',
  ]),
  accountId: accountIdSchema.nullable(),
  /** The label in the status bar: "Import", "Catalogue". */
  title: z.string(),
  state: z.enum(['running', 'paused', 'waiting', 'failed']),
  done: z.number().int(),
  /** Null while the total is unknown. */
  total: z.number().int().nullable(),
  /** Milliseconds left at the current rate; null when unknown. */
  leftMs: z.number().int().nullable(),
  /** It waits until the vault is open, and then resumes automatically. */
  needsVault: z.boolean().optional(),
  /** The actions that are possible in the current state. */
  can: z.array(jobActionSchema),
})
export type Job = z.infer<typeof jobSchema>

export const activitySchema = z.object({
  id: z.string(),
  at: instantSchema,
  accountId: accountIdSchema.nullable(),
  /** The action: "Keys downloaded", "Price changed", "POST /orders". Never contains a secret. */
  what: localizedSchema,
  detail: localizedSchema.nullable(),
  outcome: z.enum(['ok', 'failed', 'unknown']),
  code: z.string().nullable(),
  status: z.number().int().nullable(),
  requestId: z.string().nullable(),
  durationMs: z.number().nullable(),
})
export type ActivityEntry = z.infer<typeof activitySchema>

/**
 * Records that Keydesk polls. Milliseconds between two reads while a window shows them, while none
 * does, and the longest period when nothing has changed for a while.
 */
export const pollingPeriods = {
  offers: { frontMs: 15_000, awayMs: 30_000, longestMs: 180_000 },
  sales: { frontMs: 15_000, awayMs: 45_000, longestMs: 300_000 },
  disputes: { frontMs: 10_000, awayMs: 30_000, longestMs: 180_000 },
  orders: { frontMs: 10_000, awayMs: 30_000, longestMs: 180_000 },
  balance: { frontMs: 20_000, awayMs: 60_000, longestMs: 600_000 },
} as const
export type PolledTopic = keyof typeof pollingPeriods

/** Factors by which polling can be slowed down. */
export const paces = [1, 2, 4, 10] as const
const paceSchema = z.union([z.literal(1), z.literal(2), z.literal(4), z.literal(10)])

export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  /** Row height in pixels of every table without its own setting. */
  density: z.union([z.literal(32), z.literal(36), z.literal(44)]),
  singleLetterShortcuts: z.boolean(),
  /** Minutes between two catalogue checks; the service recommends 5 to 15. */
  catalogueMinutes: z.number().int().min(5).max(15),
  /** Stock at or below which an offer counts as low. */
  lowStock: z.number().int().min(0).max(100_000),
  /** A typed price that changes by more than this percentage is confirmed; 0 for never. */
  priceGuard: z.number().int().min(0).max(100),
  /**
   * A batch of keys raises an alarm when it has at least this many claims and at least this
   * percentage of its keys is claimed. A single bad key doesn't make a bad batch.
   */
  alarmClaims: z.number().int().min(1).max(1000),
  alarmPercent: z.number().int().min(0).max(100),
  /** Minutes of inactivity after which the vault locks; 0 for never. */
  lockMinutes: z.number().int().min(0).max(240),
  /** The factor by which polling of each kind is slowed down. */
  paces: z.object({
    offers: paceSchema,
    sales: paceSchema,
    disputes: paceSchema,
    orders: paceSchema,
    balance: paceSchema,
  }),
  /** Kinds of notices that are listed under the bell but never shown as desktop notifications. */
  quietNotices: z.array(z.enum(optionalNoticeKinds)).max(optionalNoticeKinds.length),
  /** How many days activity entries are kept. */
  activityDays: z.number().int().min(7).max(365),
  /** The account that was selected when the console was last used. */
  currentAccountId: accountIdSchema.nullable(),
})
export type Settings = z.infer<typeof settingsSchema>

/** The console itself: versions, host, settings, jobs, activity, and the change stream. */
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
   * Stops the core and starts it again with the data that is then in its folder. The response is
   * sent first; the page's connection breaks and is restored. `CONFLICT` where the host can't
   * restart.
   */
  restart: procedure.output(z.void()),
  changeSettings: procedure.input(settingsSchema.partial()).output(settingsSchema),
  /**
   * The choices made for each table (columns, order, widths, row height), as stored by the page.
   * They survive a restart, in any window. Filters and sorting of an account's list are stored
   * under `<table>@<account>` and deleted with the account.
   */
  tables: procedure.output(z.record(z.string(), z.string())),
  saveTable: procedure
    .input(z.object({ tableId: z.string().min(1).max(160), choice: z.string().max(8000) }))
    .output(z.void()),
  /** Whether the disk of the data folder is full. While it is, writes wait. */
  diskSpace: procedure.output(z.object({ full: z.boolean() })),
  jobs: procedure.output(z.array(jobSchema)),
  /**
   * Pauses, resumes or cancels a job. A paused job stays paused after a restart. `CONFLICT` when
   * its current state doesn't allow the action.
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
   * Reports that a window shows these records of the account, so that they are polled more often.
   * Valid for 90 seconds. A window repeats it while it is visible and in use, and stops when it is
   * hidden.
   */
  markViewed: procedure
    .input(z.object({ accountId: accountIdSchema, topics: z.array(topicSchema).max(8) }))
    .output(z.void()),
  /**
   * Yields changes until the reader stops. The first item (topic `connection`) arrives immediately,
   * so that a reader knows it is connected.
   */
  changes: procedure.output(eventIterator(changeSchema)),
}
