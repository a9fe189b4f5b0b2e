import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, problemSchema, procedure } from '../base.ts'

export const roleSchema = z.enum(['partner', 'seller'])
export type Role = z.infer<typeof roleSchema>

/**
 * The mode shown to people. `sandbox` is any account of the bundled backend, whatever its key's
 * prefix.
 */
export const modeSchema = z.enum(['live', 'test', 'sandbox'])
export type Mode = z.infer<typeof modeSchema>

export const accountSchema = z.object({
  id: accountIdSchema,
  name: z.string(),
  role: roleSchema,
  mode: modeSchema,
  baseUrl: z.string(),
  /** Prefix, bullets and the last four characters: `svcs_••••4f2c`. */
  maskedKey: z.string(),
  /**
   * Where the key is stored: in the OS keychain, in memory until Keydesk quits, or nowhere (it must
   * be entered again).
   */
  keyKept: z.enum(['keychain', 'session', 'missing']),
  /**
   * `ready`: usable. `key-missing`: enter the key again. `key-refused`: the service returned
   * UNAUTHORIZED. `not-active`: ACCOUNT_NOT_ACTIVE. `address-refused`: IP_NOT_ALLOWED. Background
   * work runs only in `ready`. `address-unconfirmed`: a restored backup changed the address, and no
   * key is sent until a person confirms it.
   */
  state: z.enum([
    'ready',
    'key-missing',
    'key-refused',
    'not-active',
    'address-refused',
    'address-unconfirmed',
  ]),
  /** The address before the restore that changed it, until a person confirms the new one. */
  addressBefore: z.string().nullable().optional(),
  /** The service's ID of the partner or seller. */
  serviceAccountId: z.string().nullable(),
  createdAt: instantSchema,
  /**
   * The service's clock minus this computer's, in milliseconds: the current time of everything that
   * belongs to the account is this computer's plus this offset.
   */
  clockOffsetMs: z.number().int(),
})
export type Account = z.infer<typeof accountSchema>

const commissionSchema = z.object({ class: z.string(), percent: z.number() })

/** The result of a live key check (`GET /ping` or `GET /seller/me`). */
export const keyCheckSchema = z.object({
  role: roleSchema,
  mode: modeSchema,
  /** Duration of the check's own request, in milliseconds. */
  latencyMs: z.number().int(),
  /** The seller's shop name; partners have none in the API. */
  shopName: z.string().nullable(),
  serviceAccountId: z.string().nullable(),
  status: z.string().nullable(),
  currency: z.string().nullable(),
  commissions: z.array(commissionSchema),
  scopes: z.array(z.string()),
  /** Whether the service accepts an Idempotency-Key on key uploads and withdrawals. */
  idempotency: z.boolean(),
})
export type KeyCheck = z.infer<typeof keyCheckSchema>

const keyAndAddress = z.object({
  /** The API key as pasted. It travels once, from the field to the core, and is never sent back. */
  key: z.string().trim().min(1).max(512),
  baseUrl: z.string().trim().min(1).max(2048),
})

/** The lists that Keydesk keeps in sync with the service, each at its own pace. */
export const syncedLists = ['offers', 'sales', 'disputes', 'orders', 'balance', 'products'] as const
export type SyncedList = (typeof syncedLists)[number]

/** The status bar's facts about one account. */
export const connectionSchema = z.object({
  accountId: accountIdSchema,
  /** `doubtful`: a response is missing or late, or something else than the service responded. */
  state: z.enum(['online', 'doubtful', 'offline', 'slowed', 'refused', 'starting']),
  /**
   * When it became doubtful or offline, or the key was rejected; for `online`, when it last came
   * online. Null when unknown.
   */
  since: instantSchema.nullable(),
  nextTryAt: instantSchema.nullable(),
  problem: problemSchema.nullable(),
  /**
   * When each list of this account's role was last read completely; null until its first sync has
   * finished.
   */
  synced: z.partialRecord(z.enum(syncedLists), instantSchema.nullable()),
  /**
   * Requests in the last minute and how many the service allows; null when the service doesn't
   * count requests (a sandbox).
   */
  budget: z.object({ used: z.number().int(), limit: z.number().int().nullable() }),
  /** Partner accounts: the balance of the key's mode, and when it was read. */
  balance: z.object({ cents: centsSchema, at: instantSchema }).nullable(),
  counts: z.object({
    offers: z.number().int().nullable(),
    orders: z.number().int().nullable(),
    products: z.number().int().nullable(),
    sales: z.number().int().nullable(),
    /** Disputes that need a reply. */
    disputes: z.number().int().nullable(),
  }),
})
export type Connection = z.infer<typeof connectionSchema>

/** Records of an account that exist only on this computer, and unfinished work. */
export const removalSchema = z.object({
  /** Delivered and withdrawn keys in the vault. */
  keys: z.number().int(),
  /** Claims that were prepared and not sent. */
  unsentClaims: z.number().int(),
  /** Orders that wait to be sent, that the service processes, or whose outcome isn't known yet. */
  ordersInProgress: z.number().int(),
  queuedChanges: z.number().int(),
})
export type Removal = z.infer<typeof removalSchema>

/** Accounts of the service in this data folder: connect, switch, rename, change the key, remove. */
export const accountsContract = {
  list: procedure.output(z.array(accountSchema)),
  /** Asks the service whether it accepts the key. Stores nothing. */
  check: procedure.input(keyAndAddress).output(keyCheckSchema),
  /**
   * Checks the key and stores it. Without a keychain, `keep: 'session'` is required (otherwise
   * Problem `KEYCHAIN_MISSING`): the key then stays in memory until Keydesk quits.
   */
  connect: procedure
    .input(
      keyAndAddress.extend({
        name: z.string().trim().min(1).max(80),
        keep: z.enum(['keychain', 'session']).default('keychain'),
      }),
    )
    .output(accountSchema),
  /** Uses the address that a restored backup changed: the API key is sent there. */
  confirmAddress: procedure
    .meta({ proof: 'confirm-address' })
    .input(z.object({ accountId: accountIdSchema }))
    .output(accountSchema),
  rename: procedure
    .input(z.object({ accountId: accountIdSchema, name: z.string().trim().min(1).max(80) }))
    .output(accountSchema),
  /** Replaces the key of an account with another key of the same partner or seller. */
  rekey: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        key: z.string().trim().min(1).max(512),
        keep: z.enum(['keychain', 'session']).default('keychain'),
      }),
    )
    .output(accountSchema),
  /** What a removal of the account would delete without a copy on the service. */
  removal: procedure.input(z.object({ accountId: accountIdSchema })).output(removalSchema),
  /**
   * Deletes the account, its mirror, vault entries, journals and keychain entry from this computer.
   * Its activity is kept, with an entry for the removal.
   */
  remove: procedure
    .meta({ proof: 'remove-account' })
    .input(z.object({ accountId: accountIdSchema }))
    .output(z.void()),
  connection: procedure.input(z.object({ accountId: accountIdSchema })).output(connectionSchema),
  /** Tries the connection now and syncs everything that is due. */
  syncNow: procedure.input(z.object({ accountId: accountIdSchema })).output(z.void()),
}
