/** Orders of the Partner API (Decisions 13 to 20). */
import { UNITS_PER_LINE } from '../limits.ts'
import { z } from 'zod'
import { euroBound } from '../money.ts'
import { amount, listOf, dateTime, orNull, resource, closedList, label } from './resource.ts'
import { instantInput, integerText, oneOf, text } from './values.ts'
import {
  contentTypes,
  deliveryTypes,
  failureCodes,
  lineStatuses,
  modes,
  orderStatuses,
} from './enums.ts'
import { pageQuery } from './paging.ts'

const externalId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]+$/, 'must use only A-Z a-z 0-9 . _ : - and not be empty')
  .max(100, 'must have at most 100 characters')

/** Body of POST /orders: no other properties are allowed in the body or in an order line. */
export const orderRequest = z.strictObject({
  externalId,
  items: z
    .array(
      z.strictObject({
        productId: z.string(),
        qty: z
          .int()
          .min(1, 'must be at least 1')
          .max(UNITS_PER_LINE, `must be at most ${UNITS_PER_LINE}`),
        maxUnitPrice: euroBound,
      }),
    )
    .min(1, 'must have at least 1 line')
    .max(10, 'must have at most 10 lines'),
})
export type OrderRequest = z.output<typeof orderRequest>

/** `wait`: seconds of real time to wait for completion before responding. */
export const orderCreationQuery = z.object({ wait: integerText({ min: 0, max: 25 }).optional() })

export const orderLine = resource({
  line: z.int().min(1),
  productId: z.string(),
  name: label,
  deliveryType: closedList(deliveryTypes),
  qty: z.int(),
  unitPrice: amount,
  status: closedList(lineStatuses),
  deliveredQty: z.int(),
})

export const order = resource(
  {
    id: z.string(),
    externalId: z.string(),
    mode: closedList(modes),
    status: closedList(orderStatuses),
    currency: z.string(),
    total: amount,
    refunded: amount,
    createdAt: dateTime,
    completedAt: orNull(dateTime),
    failure: orNull(resource({ code: closedList(failureCodes), message: z.string() })),
    items: listOf(orderLine),
  },
  {
    /** Proof of delivery: when the keys were first downloaded (Decision 20). */
    firstDownloadedAt: orNull(dateTime),
  },
)
export type Order = z.output<typeof order.strict>

export const orderQuery = pageQuery.extend({
  status: oneOf(orderStatuses).optional(),
  externalId: text.optional(),
  /** Inclusive. */
  createdFrom: instantInput.optional(),
  /** Exclusive. */
  createdTo: instantInput.optional(),
})

/** GET /orders: the document names three fields; the other fields of the envelope are additions. */
export const orderPage = resource(
  { page: z.int(), total: z.int(), results: listOf(order) },
  { limit: z.int(), totalPages: z.int(), hasMore: z.boolean() },
)

/** One delivered unit. `value` is base64 for pictures. */
export const deliveredKey = resource({
  id: z.string(),
  line: z.int(),
  productId: z.string(),
  deliveryType: closedList(deliveryTypes),
  contentType: closedList(contentTypes),
  value: z.string(),
  status: closedList(['delivered']),
  deliveredAt: dateTime,
})

export const orderKeys = resource({ orderId: z.string(), keys: listOf(deliveredKey) })
