import { z } from 'zod'
import {
  accountIdSchema,
  centsSchema,
  instantSchema,
  problemSchema,
  procedure,
  sortSchema,
  windowSchema,
} from './base.ts'

const orderLineSchema = z.object({
  line: z.number().int(),
  productId: z.string(),
  name: z.string(),
  deliveryType: z.string(),
  qty: z.number().int(),
  unitCents: centsSchema,
  status: z.string(),
  deliveredQty: z.number().int(),
})

export const orderRowSchema = z.object({
  orderId: z.string(),
  externalId: z.string(),
  /** processing, completed, partially_completed or failed; other values are possible. */
  status: z.string(),
  mode: z.enum(['live', 'test']),
  totalCents: centsSchema,
  refundedCents: centsSchema,
  createdAt: instantSchema,
  completedAt: instantSchema.nullable(),
  units: z.number().int(),
  deliveredUnits: z.number().int(),
  /** First product's name and the number of further lines: "Ironwharf 3 and 2 more". */
  title: z.string(),
  lines: z.number().int(),
  /** Number of its keys stored on this computer. */
  keysKept: z.number().int(),
})
export type OrderRow = z.infer<typeof orderRowSchema>

/** The state of one order attempt, which is recorded before the request is sent. */
export const attemptSchema = z.object({
  attemptId: z.string(),
  externalId: z.string(),
  /**
   * `sending`: the request is in flight. `unknown`: no response yet; Keydesk asks again with the
   * same key and never orders twice. `placed`, `refused`: settled.
   */
  state: z.enum(['sending', 'unknown', 'placed', 'refused']),
  orderId: z.string().nullable(),
  problem: problemSchema.nullable(),
  writtenAt: instantSchema,
  settledAt: instantSchema.nullable(),
  /** The highest possible cost. */
  atMostCents: centsSchema,
  /** The amount that the service charged, once the order is placed. */
  chargedCents: centsSchema.nullable(),
  lines: z.array(
    z.object({
      productId: z.string(),
      name: z.string(),
      qty: z.number().int(),
      maxUnitCents: centsSchema,
    }),
  ),
})
export type OrderAttempt = z.infer<typeof attemptSchema>

export const storedKeySchema = z.object({
  keyId: z.string(),
  line: z.number().int(),
  productId: z.string(),
  deliveryType: z.string(),
  contentType: z.string(),
  /** First group and bullets: `ABCDE-•••••-•••••`; for a picture its type and size. */
  masked: z.string(),
  deliveredAt: instantSchema,
  /** End of the 7-day claim window. */
  claimUntil: instantSchema,
  /** Delivered later as the replacement of a claimed unit. */
  replacement: z.boolean(),
  /** When it was first revealed, copied or exported on this computer; null: never. */
  seenAt: instantSchema.nullable(),
})
export type StoredKey = z.infer<typeof storedKeySchema>

/** An action on an order's keys on this computer. */
const keyUseSchema = z.object({
  at: instantSchema,
  what: z.enum(['downloaded', 'revealed', 'copied', 'message', 'exported', 'opened']),
  /** The user name in this computer's operating system. */
  who: z.string(),
  keys: z.number().int(),
  /** The key, if the action concerned a single one. */
  keyId: z.string().nullable(),
})
export type KeyUse = z.infer<typeof keyUseSchema>

export const orderDetailSchema = orderRowSchema.extend({
  items: z.array(orderLineSchema),
  /** How its products are redeemed, by product id, as far as the local catalogue has that text. */
  activation: z.record(z.string(), z.string()),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  /**
   * When the service recorded the first download; null: not downloaded; undefined: not reported.
   */
  firstDownloadedAt: instantSchema.nullable().optional(),
  /** When this console first downloaded the keys. */
  downloadedHereAt: instantSchema.nullable(),
  keys: z.array(storedKeySchema),
  claimUntil: instantSchema.nullable(),
  attempt: attemptSchema.nullable(),
  /** Actions on its keys on this computer, oldest first. */
  uses: z.array(keyUseSchema),
  readAt: instantSchema,
  requestId: z.string().nullable(),
})
export type OrderDetail = z.infer<typeof orderDetailSchema>

const orderRef = z.object({ accountId: accountIdSchema, orderId: z.string() })

/** One stored key with the order it belongs to. */
export const keyRowSchema = storedKeySchema.extend({
  orderId: z.string(),
  externalId: z.string(),
  name: z.string(),
  claim: z.string().nullable(),
})
export type KeyRow = z.infer<typeof keyRowSchema>

/** One line of an order to be placed. */
const draftLineSchema = z.object({
  productId: z.string().min(1).max(200),
  qty: z.number().int().min(1).max(9),
  maxUnitCents: centsSchema.min(0),
})
const externalIdSchema = z.string().regex(/^[A-Za-z0-9._:-]{1,100}$/)

/** Orders read from a table of lines, before any of them is placed. */
const tableOrderSchema = z.object({
  externalId: z.string(),
  lines: z.array(draftLineSchema.extend({ name: z.string() })),
  atMostCents: centsSchema,
  /** File line on which the order starts. */
  line: z.number().int(),
  /** Why it can't be placed; empty: it can. */
  problems: z.array(z.string()),
})
export type TableOrder = z.infer<typeof tableOrderSchema>

/**
 * Many orders, placed one after the other. All of them are recorded before the first one is sent.
 */
const bulkSchema = z.object({
  bulkId: z.string(),
  name: z.string(),
  /** `asking`: it was idle for a while and needs confirmation before it resumes. */
  state: z.enum(['running', 'paused', 'asking', 'done', 'cancelled']),
  startedAt: instantSchema,
  /** Why it stopped automatically. */
  problem: problemSchema.nullable(),
  counts: z.object({
    waiting: z.number().int(),
    open: z.number().int(),
    placed: z.number().int(),
    refused: z.number().int(),
    left: z.number().int(),
  }),
  chargedCents: centsSchema,
  orders: z.array(
    z.object({
      externalId: z.string(),
      title: z.string(),
      atMostCents: centsSchema,
      /** `left`: cancelled before it was sent. */
      state: z.enum(['waiting', 'sending', 'unknown', 'placed', 'refused', 'left']),
      orderId: z.string().nullable(),
      chargedCents: centsSchema.nullable(),
      problem: problemSchema.nullable(),
    }),
  ),
})
export type BulkOrder = z.infer<typeof bulkSchema>

const knownLimitSchema = z.object({ cents: centsSchema, at: instantSchema })
const fileSchema = z.object({ fileName: z.string(), base64: z.string() })
const filterSchema = z.object({
  accountId: accountIdSchema,
  statuses: z.array(z.string()).default([]),
  /** Part of the external id, order id or a product's name. */
  query: z.string().max(200).default(''),
  from: instantSchema.nullable().default(null),
  to: instantSchema.nullable().default(null),
  /** Only orders with an amount credited back to the balance. */
  refunded: z.boolean().default(false),
  sort: sortSchema(['created', 'total', 'status', 'external'] as const).default({
    column: 'created',
    direction: 'desc',
  }),
})

/** A partner's orders and the keys delivered for them. */
export const ordersContract = {
  list: procedure.input(filterSchema.extend({ window: windowSchema.prefault({}) })).output(
    z.object({
      total: z.number().int(),
      rows: z.array(orderRowSchema),
      byStatus: z.record(z.string(), z.number().int()),
      /** Totals of all matching orders: charged, and credited back. */
      totalCents: centsSchema,
      refundedCents: centsSchema,
      /** True when the complete history is on this computer; false during its first download. */
      complete: z.boolean(),
    }),
  ),
  /** The matching orders as CSV, with one row per order line. */
  exportList: procedure.input(filterSchema).output(fileSchema),
  order: procedure.input(orderRef).output(orderDetailSchema),
  /**
   * The cost of an order of these products, at prices requested from the service now, or at the
   * mirror's prices while the service can't be reached. The proposed highest unit price is the
   * price plus 1 %.
   */
  quote: procedure
    .input(z.object({ accountId: accountIdSchema, productIds: z.array(z.string()).max(10) }))
    .output(
      z.object({
        lines: z.array(
          z.object({
            productId: z.string(),
            name: z.string(),
            platform: z.string(),
            region: z.string(),
            deliveryType: z.string(),
            qty: z.number().int().nullable(),
            inStock: z.boolean().nullable(),
            priceCents: centsSchema.nullable(),
            proposedMaxCents: centsSchema.nullable(),
            releaseDate: z.string().nullable(),
            removed: z.boolean(),
            /** Countries where it can't be activated; null: only the region is known. */
            excludedCountries: z.array(z.string()).nullable(),
          }),
        ),
        balanceCents: centsSchema.nullable(),
        /** A reference that no order of this account uses yet. */
        proposedExternalId: z.string(),
        spent24hCents: centsSchema,
        /**
         * Value limits as learned from rejected orders, because no API call reports them. Null:
         * unknown.
         */
        limits: z.object({ order: knownLimitSchema.nullable(), day: knownLimitSchema.nullable() }),
      }),
    ),
  /**
   * Records the attempt, sends it with its Idempotency-Key, and returns the result. A rejection is
   * a result, not an error.
   */
  place: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        externalId: externalIdSchema,
        lines: z.array(draftLineSchema).min(1).max(10),
        waitSeconds: z.number().int().min(0).max(25).default(25),
      }),
    )
    .output(attemptSchema),
  /** Attempts that aren't settled, and the latest settled ones. */
  attempts: procedure
    .input(z.object({ accountId: accountIdSchema }))
    .output(z.array(attemptSchema)),
  /**
   * Asks the service now about an attempt with an unknown outcome, under the same Idempotency-Key.
   */
  checkAttempt: procedure
    .input(z.object({ accountId: accountIdSchema, attemptId: z.string() }))
    .output(attemptSchema),
  /**
   * Downloads the keys into the vault. The first download is the service's proof of delivery:
   * `acknowledged` states that the person was informed.
   */
  downloadKeys: procedure
    .input(orderRef.extend({ acknowledged: z.literal(true) }))
    .output(orderDetailSchema),
  /**
   * One stored key in plain text. This is a deliberate act, recorded in the activity. `opened`: its
   * link was opened.
   */
  revealKey: procedure
    .input(
      orderRef.extend({
        keyId: z.string(),
        use: z.enum(['revealed', 'copied', 'opened']).default('revealed'),
      }),
    )
    .output(
      z.object({
        value: z.string(),
        contentType: z.string(),
        /**
         * How it is shown: `account` has its login and password separately, `link` has its host.
         */
        kind: z.enum(['text', 'link', 'account', 'picture']),
        host: z.string().nullable(),
        account: z.object({ login: z.string(), password: z.string() }).nullable(),
        /**
         * Why a picture isn't drawn: its header is invalid, or declares more pixels than a window
         * can hold.
         */
        fault: z.enum(['broken', 'too-large']).nullable(),
      }),
    ),
  /**
   * Keys of an order as one text: one per line, or a message for the customer with the product and
   * how to redeem it. Pictures are left out and counted.
   */
  keysText: procedure
    .input(
      orderRef.extend({
        keyIds: z.array(z.string()).max(1000).nullable().default(null),
        form: z.enum(['lines', 'message']),
      }),
    )
    .output(z.object({ text: z.string(), keys: z.number().int(), pictures: z.number().int() })),
  /**
   * Keys of an order as a file, exactly as delivered: `lines` has one per line, `table` adds order,
   * line and product.
   */
  exportKeys: procedure
    .input(
      orderRef.extend({
        keyIds: z.array(z.string()).max(1000).nullable().default(null),
        form: z.enum(['lines', 'table']),
      }),
    )
    .output(fileSchema),
  /**
   * All stored keys, newest first. `find` is a pasted key: only identical keys are returned,
   * whatever the other filters are.
   */
  keys: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        view: z.enum(['all', 'claimable', 'claimed', 'new']).default('all'),
        /** Part of an order's reference or of a product's name. */
        query: z.string().max(200).default(''),
        find: z.string().max(4096).default(''),
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({
        total: z.number().int(),
        rows: z.array(keyRowSchema),
        counts: z.object({
          all: z.number().int(),
          claimable: z.number().int(),
          claimed: z.number().int(),
          new: z.number().int(),
        }),
        /**
         * Number of stored keys that couldn't be compared with the pasted one because the vault
         * isn't open.
         */
        uncompared: z.number().int(),
      }),
    ),
  /**
   * Reads a table of lines (externalId, productId, qty and optionally maxUnitPrice) without placing
   * anything.
   */
  parseTable: procedure
    .input(z.object({ accountId: accountIdSchema, text: z.string().max(4_000_000) }))
    .output(
      z.object({
        orders: z.array(tableOrderSchema),
        problems: z.array(z.object({ line: z.number().int(), problem: z.string() })),
        atMostCents: centsSchema,
        balanceCents: centsSchema.nullable(),
      }),
    ),
  /** Records all of them, then places one after the other. */
  placeMany: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        name: z.string().min(1).max(200),
        orders: z
          .array(
            z.object({
              externalId: externalIdSchema,
              lines: z.array(draftLineSchema).min(1).max(10),
            }),
          )
          .min(1)
          .max(5000),
      }),
    )
    .output(bulkSchema),
  bulks: procedure
    .input(z.object({ accountId: accountIdSchema }))
    .output(z.array(bulkSchema.omit({ orders: true }))),
  bulk: procedure
    .input(z.object({ accountId: accountIdSchema, bulkId: z.string() }))
    .output(bulkSchema),
  controlBulk: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        bulkId: z.string(),
        action: z.enum(['pause', 'resume', 'cancel']),
      }),
    )
    .output(bulkSchema),
}
