import { z } from 'zod'
import { accountIdSchema, centsSchema, instantSchema, problemSchema, procedure, sortSchema, windowSchema } from './base.ts'

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
  /** `sending`: on its way. `unknown`: no answer yet; Keydesk asks again with the same key and never orders twice. `placed`, `refused`: settled. */
  state: z.enum(['sending', 'unknown', 'placed', 'refused']),
  orderId: z.string().nullable(),
  problem: problemSchema.nullable(),
  writtenAt: instantSchema,
  settledAt: instantSchema.nullable(),
  /** The most it can cost. */
  atMostCents: centsSchema,
  /** What the service charged, once the order is placed. */
  chargedCents: centsSchema.nullable(),
  lines: z.array(z.object({ productId: z.string(), name: z.string(), qty: z.number().int(), maxUnitCents: centsSchema })),
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
})
export type KeptKey = z.infer<typeof keptKeySchema>

export const orderDetailSchema = orderRowSchema.extend({
  items: z.array(orderLineSchema),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** When the service recorded the first download; null: not downloaded; undefined: the service doesn't tell. */
  firstDownloadedAt: instantSchema.nullable().optional(),
  /** When this console downloaded the keys first. */
  downloadedHereAt: instantSchema.nullable(),
  keys: z.array(keptKeySchema),
  claimUntil: instantSchema.nullable(),
  attempt: attemptSchema.nullable(),
  readAt: instantSchema,
  requestId: z.string().nullable(),
})
export type OrderDetail = z.infer<typeof orderDetailSchema>

const orderRef = z.object({ accountId: accountIdSchema, orderId: z.string() })

/** A partner's orders and the keys delivered for them. */
export const ordersContract = {
  list: procedure
    .input(z.object({
      accountId: accountIdSchema,
      statuses: z.array(z.string()).default([]),
      /** Part of the external id, order id or a product's name. */
      query: z.string().max(200).default(''),
      from: instantSchema.nullable().default(null),
      to: instantSchema.nullable().default(null),
      sort: sortSchema(['created', 'total', 'status', 'external'] as const).default({ column: 'created', direction: 'desc' }),
      window: windowSchema.prefault({}),
    }))
    .output(z.object({ total: z.number().int(), rows: z.array(orderRowSchema), byStatus: z.record(z.string(), z.number().int()) })),
  order: procedure.input(orderRef).output(orderDetailSchema),
  /** What an order of these products would cost: prices asked of the service now, the mirror's while it can't be asked. The most per unit is proposed as the price plus 1 %. */
  quote: procedure
    .input(z.object({ accountId: accountIdSchema, productIds: z.array(z.string()).max(10) }))
    .output(z.object({
      lines: z.array(z.object({
        productId: z.string(), name: z.string(), platform: z.string(), region: z.string(), deliveryType: z.string(),
        qty: z.number().int().nullable(), inStock: z.boolean().nullable(), priceCents: centsSchema.nullable(), proposedMaxCents: centsSchema.nullable(),
        releaseDate: z.string().nullable(), removed: z.boolean(),
      })),
      balanceCents: centsSchema.nullable(),
      /** A reference that no order of this account has yet. */
      proposedExternalId: z.string(),
      spent24hCents: centsSchema,
    })),
  /** Writes the attempt down, sends it with its Idempotency-Key, and tells how it ended. A refusal is an answer, not an error. */
  place: procedure
    .input(z.object({
      accountId: accountIdSchema,
      externalId: z.string().regex(/^[A-Za-z0-9._:-]{1,100}$/),
      lines: z.array(z.object({ productId: z.string(), qty: z.number().int().min(1).max(9), maxUnitCents: centsSchema.min(0) })).min(1).max(10),
      waitSeconds: z.number().int().min(0).max(25).default(25),
    }))
    .output(attemptSchema),
  /** Attempts that are not settled, and the latest settled ones. */
  attempts: procedure.input(z.object({ accountId: accountIdSchema })).output(z.array(attemptSchema)),
  /** Asks the service now about an attempt whose answer is unknown, with the same Idempotency-Key. */
  settle: procedure.input(z.object({ accountId: accountIdSchema, attemptId: z.string() })).output(attemptSchema),
  /** Downloads the keys into the vault. The first download is the service's proof of delivery: `acknowledged` says the person was told. */
  downloadKeys: procedure.input(orderRef.extend({ acknowledged: z.literal(true) })).output(orderDetailSchema),
  /** One kept key in clear: a deliberate act, written to the activity. */
  revealKey: procedure.input(orderRef.extend({ keyId: z.string() })).output(z.object({ value: z.string(), contentType: z.string() })),
}
