import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, problemSchema, sortSchema } from './base.ts'

/**
 * The difference between editions of a product; empty while the local catalogue doesn't know it.
 * Orders report the delivery type themselves.
 */
const variant = { platform: z.string(), region: z.string(), deliveryType: z.string() }

const orderLineSchema = z.object({
  line: z.number().int(),
  productId: z.string(),
  name: z.string(),
  ...variant,
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
  /** Of the first product. */
  ...variant,
  lines: z.number().int(),
  /**
   * When the last of its products is released, while it is being delivered; null: no release date
   * is known, or the order is settled.
   */
  releaseAt: instantSchema.nullable(),
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
  /** End of the 7-day claim window, which includes it. */
  claimUntil: instantSchema,
  /** Delivered later as the replacement of a claimed unit. */
  replacement: z.boolean(),
  /** When it was first revealed, copied or exported on this computer; null: never. */
  seenAt: instantSchema.nullable(),
  /** When a person marked it as handed over to a customer; null: not marked. */
  handedAt: instantSchema.nullable(),
  handedNote: z.string(),
})
export type StoredKey = z.infer<typeof storedKeySchema>

/** The keys of one product in a selection. */
export const keyGroupSchema = z.object({
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  deliveryType: z.string(),
  /** Number of keys. */
  keys: z.number().int(),
})
export type KeyGroup = z.infer<typeof keyGroupSchema>

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
  /**
   * The end of the claim window by the order's completion, before which its units were delivered.
   * Each stored key has its own end. Null: not completed, or no unit was delivered.
   */
  claimUntil: instantSchema.nullable(),
  attempt: attemptSchema.nullable(),
  /** Actions on its keys on this computer, oldest first. */
  uses: z.array(keyUseSchema),
  readAt: instantSchema,
  requestId: z.string().nullable(),
})
export type OrderDetail = z.infer<typeof orderDetailSchema>

export const orderRef = z.object({ accountId: accountIdSchema, orderId: z.string() })

/** Identifies a stored key. */
export const keyRefSchema = z.object({ orderId: z.string(), keyId: z.string() })
export type KeyRef = z.infer<typeof keyRefSchema>
/** Whether and when a key was handed over, to restore it. */
export const handedMarkSchema = keyRefSchema.extend({
  handedAt: instantSchema.nullable(),
  handedNote: z.string(),
})
export type HandedMark = z.infer<typeof handedMarkSchema>

/** One stored key with the order it belongs to. */
export const keyRowSchema = storedKeySchema.extend({
  orderId: z.string(),
  externalId: z.string(),
  name: z.string(),
  ...variant,
  claim: z.string().nullable(),
})
export type KeyRow = z.infer<typeof keyRowSchema>

/** One line of an order to be placed. */
export const draftLineSchema = z.object({
  productId: z.string().min(1).max(200),
  qty: z.number().int().min(1).max(9),
  maxUnitCents: centsSchema.min(0),
})
export const externalIdSchema = z.string().regex(/^[A-Za-z0-9._:-]{1,100}$/)

/** Orders read from a table of lines, before any of them is placed. */
const tableLineSchema = draftLineSchema.extend({
  /** Line in the file. */
  line: z.number().int(),
  name: z.string(),
  ...variant,
  /** The unit price for this number of units now; null: unknown. */
  priceCents: centsSchema.nullable(),
  /** The unit price of the latest order of this product; null: never ordered. */
  lastPaidCents: centsSchema.nullable(),
  /**
   * `below-price`: would be rejected at the current price. `above-last-paid`: costs far more than
   * last time. `out-of-stock`, `low-stock`: fewer units available than wanted.
   */
  warnings: z.array(z.enum(['below-price', 'above-last-paid', 'out-of-stock', 'low-stock'])),
})
export type TableLine = z.infer<typeof tableLineSchema>

export const tableOrderSchema = z.object({
  externalId: z.string(),
  lines: z.array(tableLineSchema),
  /** Lines that can't be ordered, for example because their product is unknown. */
  rejected: z.array(
    z.object({
      line: z.number().int(),
      productId: z.string(),
      /** The product's name, if the local catalogue knows it. */
      name: z.string().nullable(),
      problem: z.string(),
    }),
  ),
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
export const bulkSchema = z.object({
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

/** One line of a bulk order with its result. */
export const bulkLineSchema = z.object({
  externalId: z.string(),
  /** Number of the line in its order, from 1. */
  line: z.number().int(),
  productId: z.string(),
  name: z.string(),
  ...variant,
  qty: z.number().int(),
  maxUnitCents: centsSchema,
  /** The unit price that the service charged; null: the order wasn't placed. */
  unitCents: centsSchema.nullable(),
  state: bulkSchema.shape.orders.element.shape.state,
  orderId: z.string().nullable(),
  /** Why it was not placed, and what to do. */
  reason: z.object({ what: z.string(), next: z.string() }).nullable(),
})
export type BulkLine = z.infer<typeof bulkLineSchema>

export const knownLimitSchema = z.object({ cents: centsSchema, at: instantSchema })
export const fileSchema = z.object({ fileName: z.string(), base64: z.string() })
export const filterSchema = z.object({
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
