import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, problemSchema, procedure } from './base.ts'

export const roleSchema = z.enum(['partner', 'seller'])
export type Role = z.infer<typeof roleSchema>

/**
 * What a person sees. `sandbox` is any account of the bundled backend, whatever its key's prefix.
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
   * Where the key is: in the OS keychain, in memory until Keydesk ends, or nowhere (it must be
   * entered again).
   */
  keyKept: z.enum(['keychain', 'session', 'missing']),
  /**
   * `ready`: works. `key-missing`: enter it again. `key-refused`: the service says UNAUTHORIZED.
   * `not-active`: ACCOUNT_NOT_ACTIVE. `address-refused`: IP_NOT_ALLOWED. In all but `ready` no
   * background work runs.
   */
  state: z.enum(['ready', 'key-missing', 'key-refused', 'not-active', 'address-refused']),
  /** The service's id of the partner or seller. */
  serviceAccountId: z.string().nullable(),
  createdAt: instantSchema,
})
export type Account = z.infer<typeof accountSchema>

const commissionSchema = z.object({ class: z.string(), percent: z.number() })

/** What a live check of a key found (`GET /ping` or `GET /seller/me`). */
export const keyCheckSchema = z.object({
  role: roleSchema,
  mode: modeSchema,
  /** Time of the check's own request, in milliseconds. */
  latencyMs: z.number().int(),
  /** The seller's shop name; partners have none in the API. */
  shopName: z.string().nullable(),
  serviceAccountId: z.string().nullable(),
  status: z.string().nullable(),
  currency: z.string().nullable(),
  commissions: z.array(commissionSchema),
  scopes: z.array(z.string()),
  /** Whether the service takes an Idempotency-Key on key uploads and withdrawals. */
  idempotency: z.boolean(),
})
export type KeyCheck = z.infer<typeof keyCheckSchema>

const keyAndAddress = z.object({
  /** The API key as pasted. It travels this once, from the field to the core, and never back. */
  key: z.string().trim().min(1).max(512),
  baseUrl: z.string().trim().min(1).max(2048),
})

/** What the status bar tells of one account. */
export const connectionSchema = z.object({
  accountId: accountIdSchema,
  state: z.enum(['online', 'offline', 'slowed', 'refused', 'starting']),
  /**
   * Since when it is offline or refused; online: since when it is, or is again. Null where that is
   * not known.
   */
  since: instantSchema.nullable(),
  nextTryAt: instantSchema.nullable(),
  problem: problemSchema.nullable(),
  lastSyncAt: instantSchema.nullable(),
  /**
   * Requests of the last minute and how many the service allows; null where it said that it doesn't
   * count them (a sandbox).
   */
  budget: z.object({ used: z.number().int(), limit: z.number().int().nullable() }),
  /** Partner accounts: balance of the key's mode, and when it was read. */
  balance: z.object({ cents: centsSchema, at: instantSchema }).nullable(),
  counts: z.object({
    offers: z.number().int().nullable(),
    orders: z.number().int().nullable(),
    products: z.number().int().nullable(),
    sales: z.number().int().nullable(),
    /** Those that need an answer. */
    disputes: z.number().int().nullable(),
  }),
})
export type Connection = z.infer<typeof connectionSchema>

/** Accounts of the service on this desk: connected, switched, renamed, re-keyed, removed. */
export const accountsContract = {
  list: procedure.output(z.array(accountSchema)),
  /** Asks the service whether it accepts the key; keeps nothing. */
  check: procedure.input(keyAndAddress).output(keyCheckSchema),
  /**
   * Checks the key and keeps it. `keep: 'session'` is asked for when there is no keychain (Problem
   * `KEYCHAIN_MISSING` otherwise): the key then lives in memory until Keydesk ends.
   */
  connect: procedure
    .input(
      keyAndAddress.extend({
        name: z.string().trim().min(1).max(80),
        keep: z.enum(['keychain', 'session']).default('keychain'),
      }),
    )
    .output(accountSchema),
  rename: procedure
    .input(z.object({ accountId: accountIdSchema, name: z.string().trim().min(1).max(80) }))
    .output(accountSchema),
  /** Replaces the key of an account by another key of the same partner or seller. */
  rekey: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        key: z.string().trim().min(1).max(512),
        keep: z.enum(['keychain', 'session']).default('keychain'),
      }),
    )
    .output(accountSchema),
  /**
   * Removes the account, its mirror, vault entries, journals and keychain entry from this machine.
   */
  remove: procedure.input(z.object({ accountId: accountIdSchema })).output(z.void()),
  connection: procedure.input(z.object({ accountId: accountIdSchema })).output(connectionSchema),
  /** Tries the connection now and syncs what is due. */
  syncNow: procedure.input(z.object({ accountId: accountIdSchema })).output(z.void()),
}
