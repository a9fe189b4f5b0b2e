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
  /** processing, completed, partially_completed, failed; open for new words. */
  status: z.string(),
  mode: z.enum(['live', 'test']),
  totalCents: centsSchema,
  refundedCents: centsSchema,
  createdAt: instantSchema,
  completedAt: instantSchema.nullable(),
  units: z.number().int(),
  deliveredUnits: z.number().int(),
  /** First product's name and how many further lines: "Ironwharf 3 and 2 more". */
  title: z.string(),
  lines: z.number().int(),
  /** Keys of it that this console keeps. */
  keysKept: z.number().int(),
})
export type OrderRow = z.infer<typeof orderRowSchema>

/** What is known of one attempt to order: written down before the first byte left. */
export const attemptSchema = z.object({
  attemptId: z.string(),
  externalId: z.string(),
  /**
   * `sending`: on its way. `unknown`: no answer yet; Keydesk asks again with the same key and never
   * orders twice. `placed`, `refused`: settled.
   */
  state: z.enum(['sending', 'unknown', 'placed', 'refused']),
  orderId: z.string().nullable(),
  problem: problemSchema.nullable(),
  writtenAt: instantSchema,
  settledAt: instantSchema.nullable(),
  /** The most it can cost. */
  atMostCents: centsSchema,
  /** What the service charged, once the order is placed. */
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

export const keptKeySchema = z.object({
  keyId: z.string(),
  line: z.number().int(),
  productId: z.string(),
  deliveryType: z.string(),
  contentType: z.string(),
  /** First group and bullets: `ABCDE-•••••-•••••`; for a picture its kind and size. */
  masked: z.string(),
  deliveredAt: instantSchema,
  /** End of the 7 days in which a claim is possible. */
  claimUntil: instantSchema,
  /** It came later, for a unit that was claimed. */
  replacement: z.boolean(),
  /** When it was first revealed, copied or exported here; null: never. */
  seenAt: instantSchema.nullable(),
})
export type KeptKey = z.infer<typeof keptKeySchema>

/** What was done here with an order's keys. */
const keyUseSchema = z.object({
  at: instantSchema,
  what: z.enum(['downloaded', 'revealed', 'copied', 'message', 'exported', 'opened']),
  /** Who was signed in on this machine, as its system calls them. */
  who: z.string(),
  keys: z.number().int(),
  /** The only key, where it was one. */
  keyId: z.string().nullable(),
})
export type KeyUse = z.infer<typeof keyUseSchema>

export const orderDetailSchema = orderRowSchema.extend({
  items: z.array(orderLineSchema),
  /**
   * How its products are redeemed, by product id, as far as the catalogue of this machine tells.
   */
  activation: z.record(z.string(), z.string()),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  /**
   * When the service recorded the first download; null: not downloaded; undefined: the service
   * doesn't tell.
   */
  firstDownloadedAt: instantSchema.nullable().optional(),
  /** When this console downloaded the keys first. */
  downloadedHereAt: instantSchema.nullable(),
  keys: z.array(keptKeySchema),
  claimUntil: instantSchema.nullable(),
  attempt: attemptSchema.nullable(),
  /** What was done here with its keys, oldest first. */
  uses: z.array(keyUseSchema),
  readAt: instantSchema,
  requestId: z.string().nullable(),
})
export type OrderDetail = z.infer<typeof orderDetailSchema>

const orderRef = z.object({ accountId: accountIdSchema, orderId: z.string() })

/** One kept key with the order it belongs to. */
export const keyRowSchema = keptKeySchema.extend({
  orderId: z.string(),
  externalId: z.string(),
  name: z.string(),
  claim: z.string().nullable(),
})
export type KeyRow = z.infer<typeof keyRowSchema>

/** One line of an order that is to be placed. */
const draftLineSchema = z.object({
  productId: z.string().min(1).max(200),
  qty: z.number().int().min(1).max(9),
  maxUnitCents: centsSchema.min(0),
})
const externalIdSchema = z.string().regex(/^[A-Za-z0-9._:-]{1,100}$/)

/** Orders read from a table of lines, before any is placed. */
const tableOrderSchema = z.object({
  externalId: z.string(),
  lines: z.array(draftLineSchema.extend({ name: z.string() })),
  atMostCents: centsSchema,
  /** Line of the file where it begins. */
  line: z.number().int(),
  /** Why it can't be placed as it stands; empty: it can. */
  problems: z.array(z.string()),
})
export type TableOrder = z.infer<typeof tableOrderSchema>

/**
 * Many orders that are placed one after the other; each is written down before the first one
 * leaves.
 */
const bulkSchema = z.object({
  bulkId: z.string(),
  name: z.string(),
  /** `asking`: it stood still for a while and asks before it goes on. */
  state: z.enum(['running', 'paused', 'asking', 'done', 'cancelled']),
  startedAt: instantSchema,
  /** Why it stopped by itself. */
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
  /** Only orders of which something went back to the balance. */
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
      /** Of all that match: charged, and credited back. */
      totalCents: centsSchema,
      refundedCents: centsSchema,
      /** The whole history is here; false while it is still read for the first time. */
      complete: z.boolean(),
    }),
  ),
  /** The matching orders as a table (CSV), one line for each line of an order. */
  exportList: procedure.input(filterSchema).output(fileSchema),
  order: procedure.input(orderRef).output(orderDetailSchema),
  /**
   * What an order of these products would cost: prices asked of the service now, the mirror's while
   * it can't be asked. The most per unit is proposed as the price plus 1 %.
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
        /** A reference that no order of this account has yet. */
        proposedExternalId: z.string(),
        spent24hCents: centsSchema,
        /** Value limits as far as refusals told them: no call of the API does. Null: unknown. */
        limits: z.object({ order: knownLimitSchema.nullable(), day: knownLimitSchema.nullable() }),
      }),
    ),
  /**
   * Writes the attempt down, sends it with its Idempotency-Key, and tells how it ended. A refusal
   * is an answer, not an error.
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
  /** Attempts that are not settled, and the latest settled ones. */
  attempts: procedure
    .input(z.object({ accountId: accountIdSchema }))
    .output(z.array(attemptSchema)),
  /**
   * Asks the service now about an attempt whose answer is unknown, with the same Idempotency-Key.
   */
  settle: procedure
    .input(z.object({ accountId: accountIdSchema, attemptId: z.string() }))
    .output(attemptSchema),
  /**
   * Downloads the keys into the vault. The first download is the service's proof of delivery:
   * `acknowledged` says the person was told.
   */
  downloadKeys: procedure
    .input(orderRef.extend({ acknowledged: z.literal(true) }))
    .output(orderDetailSchema),
  /**
   * One kept key in clear: a deliberate act, written to the activity. `opened`: its link was
   * opened.
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
        /** How it is shown: `account` has its login and password apart, `link` its host. */
        kind: z.enum(['text', 'link', 'account', 'picture']),
        host: z.string().nullable(),
        account: z.object({ login: z.string(), password: z.string() }).nullable(),
        /**
         * Why a picture isn't drawn: its header is none, or tells of more pixels than a window can
         * hold.
         */
        fault: z.enum(['broken', 'too-large']).nullable(),
      }),
    ),
  /**
   * Keys of an order as one text: a line each, or a message for the customer with the product and
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
   * Keys of an order as a file, exactly as delivered: `lines` one a line, `table` with order, line
   * and product.
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
   * All kept keys, newest first. `find` is a pasted key: those that are the same, whatever else is
   * asked for.
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
         * Kept keys that could not be compared with the pasted one, because the vault is not open.
         */
        uncompared: z.number().int(),
      }),
    ),
  /**
   * Reads a table of lines (externalId, productId, qty, and if it is there maxUnitPrice), without
   * placing anything.
   */
  readTable: procedure
    .input(z.object({ accountId: accountIdSchema, text: z.string().max(4_000_000) }))
    .output(
      z.object({
        orders: z.array(tableOrderSchema),
        problems: z.array(z.object({ line: z.number().int(), problem: z.string() })),
        atMostCents: centsSchema,
        balanceCents: centsSchema.nullable(),
      }),
    ),
  /** Writes all of them down and places one after the other. */
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
  actOnBulk: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        bulkId: z.string(),
        action: z.enum(['pause', 'resume', 'cancel']),
      }),
    )
    .output(bulkSchema),
}
