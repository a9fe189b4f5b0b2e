/** Products and claims on the dashboard interface. */
import { z } from 'zod'
import { resource } from '../schemas/resource.ts'
import { oneOf } from '../schemas/values.ts'
import { deliveryTypes, productTypes } from '../schemas/enums.ts'

const label = z.string().trim().min(1, 'must not be empty').max(300)
const longText = z.string().max(20_000).nullable().optional()
const uri = z.url('must be an address')

const required = {
  name: label,
  platform: label,
  region: label,
  productType: oneOf(productTypes),
  deliveryType: oneOf(deliveryTypes),
}

const optional = {
  activation: z
    .object({
      excludedCountries: z.array(
        z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code'),
      ),
      allowedCountryCount: z.int().min(0).nullable(),
    })
    .nullable()
    .optional(),
  description: longText,
  activationDetails: longText,
  languages: z.array(z.string()).optional(),
  genres: z.array(z.string()).optional(),
  developer: longText,
  publisher: longText,
  releaseDate: z.iso.date('must be a date').nullable().optional(),
  ageRating: z.string().max(50).nullable().optional(),
  coverImage: uri.nullable().optional(),
  screenshots: z.array(uri).optional(),
  systemRequirements: z
    .array(z.object({ system: z.string(), requirement: z.array(z.string()) }))
    .optional(),
  url: uri.nullable().optional(),
}

/**
 * Any Product fields except price, stock and dates of change. `id` is optional; if omitted, the
 * service creates one.
 */
export const productRequest = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ -')
    .optional(),
  ...required,
  ...optional,
})

/** Any of these, `removed`, and `supplyUnknown` (which makes `qty` null). */
export const productChange = z.object({
  ...optional,
  name: label.optional(),
  platform: label.optional(),
  region: label.optional(),
  productType: oneOf(productTypes).optional(),
  deliveryType: oneOf(deliveryTypes).optional(),
  removed: z.boolean().optional(),
  supplyUnknown: z.boolean().optional(),
})

/**
 * A customer's claim that a delivered key doesn't work. `screenshot`: base64 of a PNG, JPEG or GIF.
 */
export const claimRequest = z.object({
  orderId: z.string(),
  keyId: z.string(),
  message: z.string().trim().min(1, 'must not be empty').max(10_000),
  screenshot: z.base64('must be base64').optional(),
})
export const claim = resource({ disputeId: z.string() })
