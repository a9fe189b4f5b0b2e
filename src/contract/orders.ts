import { z } from 'zod'
import { plainExportPhraseSchema } from './app/vault.ts'
import { accountIdSchema, centsSchema, procedure, windowSchema } from './base.ts'
import {
  attemptSchema,
  bulkLineSchema,
  bulkSchema,
  draftLineSchema,
  externalIdSchema,
  fileSchema,
  filterSchema,
  handedMarkSchema,
  keyGroupSchema,
  keyRefSchema,
  keyRowSchema,
  knownLimitSchema,
  orderDetailSchema,
  orderRef,
  orderRowSchema,
  tableOrderSchema,
} from './order-records.ts'

const bulkRef = z.object({ accountId: accountIdSchema, bulkId: z.string() })

/** Maximum number of keys or orders in one selection. */
export const MAX_SELECTED_KEYS = 20_000

const selectedKeys = z.object({
  accountId: accountIdSchema,
  keys: z.array(keyRefSchema).min(1).max(MAX_SELECTED_KEYS),
})
/** The most characters of a key that can be searched for: the longest key that an import accepts. */
export const LONGEST_KEY = 4096

const keyFilter = {
  view: z
    .enum(['all', 'unhanded', 'handed', 'claimable', 'ending', 'claimed', 'new'])
    .default('all'),
  /**
   * A complete key, which only identical keys match, or part of an order's reference or of a
   * product's name.
   */
  query: z.string().max(LONGEST_KEY).default(''),
}

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
  exportList: procedure
    .input(
      filterSchema.extend({
        /** Exactly these orders, whether they match or not; null: all that match. */
        orderIds: z.array(z.string()).max(MAX_SELECTED_KEYS).nullable().default(null),
      }),
    )
    .output(fileSchema),
  order: procedure.input(orderRef).output(orderDetailSchema),
  /** An order, which is read from the service if it isn't on this computer. */
  lookUp: procedure.input(orderRef).output(orderDetailSchema),
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
            /**
             * The unit price and the proposed maximum from a number of units on, as far as the
             * service reports them; empty: only the price of one unit is known.
             */
            tiers: z.array(
              z.object({
                minQty: z.number().int(),
                priceCents: centsSchema,
                proposedMaxCents: centsSchema,
              }),
            ),
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
    .meta({ proof: 'export-keys' })
    .input(
      orderRef.extend({
        keyIds: z.array(z.string()).max(1000).nullable().default(null),
        form: z.enum(['lines', 'table']),
        typed: plainExportPhraseSchema,
      }),
    )
    .output(fileSchema),
  /**
   * All stored keys, newest first; `ending` ones, whose claim window closes within 24 hours, by its
   * end.
   */
  keys: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        ...keyFilter,
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
          ending: z.number().int(),
          claimed: z.number().int(),
          new: z.number().int(),
          handed: z.number().int(),
          unhanded: z.number().int(),
        }),
        /**
         * Number of stored keys that couldn't be compared with the query because the vault isn't
         * open.
         */
        uncompared: z.number().int(),
      }),
    ),
  /** The keys that a list shows, to select all of them; at most {@link MAX_SELECTED_KEYS}. */
  keyRefs: procedure
    .input(z.object({ accountId: accountIdSchema, ...keyFilter }))
    .output(z.object({ keys: z.array(keyRefSchema) })),
  /** What a selection of stored keys holds, to show it before they are used. */
  describeKeys: procedure.input(selectedKeys).output(
    z.object({
      /** Number of keys that are marked as handed over. */
      handed: z.number().int(),
      /** The products with the most of these keys first. */
      products: z.array(keyGroupSchema),
    }),
  ),
  /** The stored keys of orders. */
  keysOfOrders: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        orderIds: z.array(z.string()).max(MAX_SELECTED_KEYS),
      }),
    )
    .output(
      z.object({
        keys: z.array(keyRefSchema),
        /** Number of delivered keys of these orders that are not stored on this computer. */
        missing: z.number().int(),
      }),
    ),
  /** Marks keys as handed over to a customer. */
  markHandedOver: procedure.input(selectedKeys.extend({ note: z.string().trim().max(200) })).output(
    z.object({
      marked: z.number().int(),
      /** The marks before, for undo. */
      before: z.array(handedMarkSchema),
    }),
  ),
  /** Sets marks as they were before. */
  restoreHandedOver: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        marks: z.array(handedMarkSchema).max(MAX_SELECTED_KEYS),
      }),
    )
    .output(z.void()),
  /** Keys of several orders in one file; see `exportKeys`. */
  exportSelectedKeys: procedure
    .meta({ proof: 'export-keys' })
    .input(
      selectedKeys.extend({ form: z.enum(['lines', 'table']), typed: plainExportPhraseSchema }),
    )
    .output(fileSchema),
  /** The orders that a list shows, to select all of them. */
  orderIds: procedure.input(filterSchema).output(z.object({ orderIds: z.array(z.string()) })),
  /**
   * Reads a table of lines (externalId, productId, qty and optionally maxUnitPrice) without placing
   * anything.
   */
  parseTable: procedure
    .input(
      z.object({
        accountId: accountIdSchema,
        text: z.string().max(4_000_000),
        /** Requests every price again, also those of the last seconds. */
        fresh: z.boolean().default(false),
      }),
    )
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
  bulk: procedure.input(bulkRef).output(bulkSchema),
  /** The result of each line of a bulk order; `failed`: the lines that were not placed. */
  bulkResults: procedure
    .input(
      bulkRef.extend({
        view: z.enum(['all', 'failed']).default('all'),
        window: windowSchema.prefault({}),
      }),
    )
    .output(
      z.object({
        bulk: bulkSchema.omit({ orders: true }),
        total: z.number().int(),
        /** Lines of the complete bulk order, and those that were not placed. */
        all: z.number().int(),
        failed: z.number().int(),
        rows: z.array(bulkLineSchema),
      }),
    ),
  /** The result of each line as CSV, with the reason and the next step. */
  exportBulk: procedure.input(bulkRef).output(fileSchema),
  /**
   * The lines that were not placed as a table without maximum prices, so that reading it proposes
   * them at the current prices.
   */
  bulkRetry: procedure.input(bulkRef).output(
    z.object({
      name: z.string(),
      text: z.string(),
      /** The maximum prices of the earlier try. */
      previous: z.array(
        z.object({ externalId: z.string(), productId: z.string(), maxUnitCents: centsSchema }),
      ),
    }),
  ),
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
