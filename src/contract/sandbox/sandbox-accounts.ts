import { z } from 'zod'
import {
  newPartnerKey,
  newSellerKey,
  partnerChange,
  partnerKeyRequest,
  partnerRequest,
  sellerChange,
  sellerRequest,
} from '../../../server/api/dashboard/accounts.ts'
import { centsSchema, procedure } from '../base.ts'
import {
  amountSchema,
  chosenMoment,
  idInput,
  idSchema,
  pageOf,
  pageShape,
  reportedMoment,
} from './sandbox-base.ts'

const limits = {
  perOrderLimit: amountSchema.nullable().optional(),
  dailyLimit: amountSchema.nullable().optional(),
}

const partnerSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  status: z.string(),
  /** In cents. Null means no limit. */
  perOrderLimit: centsSchema.nullable(),
  dailyLimit: centsSchema.nullable(),
  ipAllowlist: z.array(z.string()),
  priceFactor: z.number(),
})
export type SandboxPartner = z.output<typeof partnerSchema>

const sellerSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  commission: z.record(z.string(), z.number()),
})
export type SandboxSeller = z.output<typeof sellerSchema>

const keySchema = z.object({
  id: z.string(),
  prefix: z.string(),
  lastFour: z.string(),
  createdAt: reportedMoment.optional(),
  lastUsedAt: reportedMoment.nullable().optional(),
  expiresAt: reportedMoment.nullable().optional(),
  revokedAt: reportedMoment.nullable().optional(),
  mode: z.string().optional(),
  scopes: z.array(z.string()).optional(),
})
export type SandboxKey = z.output<typeof keySchema>

const keyRef = z.object({ id: idSchema, keyId: idSchema })
const keys = z.object({ results: z.array(keySchema) })
const expiresAt = { expiresAt: chosenMoment.nullable().optional() }

/**
 * Accounts of the sandbox and their keys, as the service's dashboard and seller panel manage them.
 * A new key is shown once.
 */
export const sandboxAccountsContract = {
  partners: procedure.input(z.object(pageShape)).output(pageOf(partnerSchema)),
  partner: procedure
    .input(idInput)
    .output(partnerSchema.extend({ balances: z.object({ live: centsSchema, test: centsSchema }) })),
  createPartner: procedure.input(partnerRequest.extend(limits)).output(partnerSchema),
  changePartner: procedure
    .input(z.object({ id: idSchema, change: partnerChange.extend(limits) }))
    .output(partnerSchema),
  partnerKeys: procedure.input(idInput).output(keys),
  createPartnerKey: procedure
    .input(z.object({ id: idSchema, key: partnerKeyRequest.extend(expiresAt) }))
    .output(newPartnerKey.tolerant.pick({ id: true, key: true })),
  revokePartnerKey: procedure.input(keyRef).output(z.void()),
  sellers: procedure.input(z.object(pageShape)).output(pageOf(sellerSchema)),
  createSeller: procedure.input(sellerRequest).output(sellerSchema),
  changeSeller: procedure
    .input(z.object({ id: idSchema, change: sellerChange }))
    .output(sellerSchema),
  sellerKeys: procedure.input(idInput).output(keys),
  createSellerKey: procedure
    .input(z.object({ id: idSchema, key: z.object(expiresAt) }))
    .output(newSellerKey.tolerant.pick({ id: true, key: true })),
  revokeSellerKey: procedure.input(keyRef).output(z.void()),
}
