import { z } from 'zod'

/** Addresses of a running sandbox, or of one of its branches, for other programs. */
export const addressesSchema = z.object({
  partnerUrl: z.string(),
  sellerUrl: z.string(),
  dashboardUrl: z.string(),
  docsUrl: z.string(),
  /** Whether it has demo accounts, whose keys can be copied. */
  hasDemoKeys: z.boolean(),
})
export type SandboxAddresses = z.infer<typeof addressesSchema>

/** Secrets of a sandbox that other programs need: its dashboard's token, and its demo accounts' keys. */
export const sandboxSecretSchema = z.enum(['dashboard', 'partnerTest', 'partnerLive', 'seller'])
export type SandboxSecret = z.infer<typeof sandboxSecretSchema>
