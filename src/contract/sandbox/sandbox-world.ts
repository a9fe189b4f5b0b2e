import { z } from 'zod'
import {
  claimRequest,
  productChange,
  productRequest,
} from '../../../server/api/dashboard/catalogue.ts'
import { outsideMessageRequest } from '../../../server/api/schemas/dispute.ts'
import { centsSchema, instantSchema, procedure } from '../base.ts'
import { idSchema, pageOf, pageShape, reportedMoment } from './sandbox-base.ts'

const productSchema = z.object({
  id: z.string(),
  name: z.string(),
  platform: z.string(),
  region: z.string(),
  productType: z.string(),
  deliveryType: z.string(),
  price: centsSchema,
  inStock: z.boolean(),
  qty: z.number().int().nullable(),
  description: z.string().nullable(),
  activationDetails: z.string().nullable(),
  developer: z.string().nullable(),
  publisher: z.string().nullable(),
  releaseDate: z.string().nullable(),
  removed: z.boolean(),
  updatedAt: reportedMoment,
  languages: z.array(z.string()),
  genres: z.array(z.string()),
  coverImage: z.string().nullable(),
  url: z.string().nullable(),
  ageRating: z.string().nullable(),
  activation: z
    .object({
      excludedCountries: z.array(z.string()),
      allowedCountryCount: z.number().int().nullable(),
    })
    .nullable(),
})
export type SandboxProduct = z.output<typeof productSchema>

const disputeSchema = z.object({
  id: z.string(),
  orderId: z.string(),
  keyId: z.string(),
  name: z.string(),
  reason: z.string(),
  status: z.string(),
  openedAt: instantSchema.nullable(),
  escalatesAt: instantSchema.nullable(),
  outcome: z.string().nullable(),
})
export type SandboxDispute = z.output<typeof disputeSchema>

const unitSchema = z.object({
  orderId: z.string(),
  keyId: z.string(),
  name: z.string(),
  soldAt: instantSchema.nullable(),
  status: z.string(),
})
export type SandboxUnit = z.output<typeof unitSchema>

const reason = z.string().trim().max(2000).optional()
const unit = { orderId: idSchema, keyId: idSchema }

/**
 * Products, claims and disputes of the sandbox, as managed by the catalogue's owners, customers and
 * support.
 */
export const sandboxWorldContract = {
  /**
   * The newest products of the service's catalogue. `unread`: there is no partner to read it with.
   */
  products: procedure
    .input(z.object({ search: z.string().max(200).default(''), ...pageShape }))
    .output(pageOf(productSchema).extend({ unread: z.boolean() })),
  createProduct: procedure.input(productRequest).output(productSchema),
  changeProduct: procedure
    .input(z.object({ id: idSchema, change: productChange }))
    .output(productSchema),
  /**
   * The demo seller's latest sales, newest first: units that a customer can claim. Empty without a
   * demo seller.
   */
  soldUnits: procedure.input(z.object(pageShape)).output(pageOf(unitSchema)),
  claim: procedure.input(claimRequest).output(z.object({ disputeId: z.string() })),
  /**
   * A simulated customer opens a claim in its own words, and replies to the seller's messages
   * within a minute.
   */
  complain: procedure.input(z.object(unit)).output(z.object({ disputeId: z.string() })),
  disputes: procedure.input(z.object(pageShape)).output(pageOf(disputeSchema)),
  say: procedure.input(z.object({ id: idSchema, message: outsideMessageRequest })).output(z.void()),
  escalate: procedure.input(z.object({ id: idSchema, reason })).output(z.void()),
  reject: procedure.input(z.object({ id: idSchema, reason })).output(z.void()),
}
