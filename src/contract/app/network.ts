import { z } from 'zod'
import { instantSchema, procedure } from '../base.ts'

/** A proxy's address without a name or password, because the address is stored in a file. */
const proxyAddress = z
  .string()
  .max(300)
  .regex(
    /^https?:\/\/[^\s/@]+\/?$/,
    'An address such as http://proxy.example:8080, without a name or password',
  )

/** How Keydesk reaches services on other computers. */
export const proxyChoiceSchema = z.discriminatedUnion('use', [
  /** As the system's settings say for each address. */
  z.object({ use: z.literal('system') }),
  /** Directly, ignoring the system's settings. */
  z.object({ use: z.literal('none') }),
  /** Through this proxy, except for the hosts in `except`, separated by commas as in `NO_PROXY`. */
  z.object({
    use: z.literal('own'),
    address: proxyAddress,
    except: z.string().max(1000).default(''),
  }),
])
export type ProxyChoice = z.infer<typeof proxyChoiceSchema>

/** A certificate authority that a person added. */
export const authoritySchema = z.object({
  /** SHA-256 of the certificate in its usual form: `AB:CD:…`. */
  fingerprint: z.string(),
  name: z.string(),
  validTo: instantSchema,
})
export type Authority = z.infer<typeof authoritySchema>

/** Network settings of a restored backup. Null for a proxy that it didn't choose. */
export const restoredNetworkSchema = z.object({
  proxy: proxyChoiceSchema.nullable(),
  authorities: z.array(authoritySchema),
})
export type RestoredNetwork = z.infer<typeof restoredNetworkSchema>

const stateSchema = z.object({
  proxy: proxyChoiceSchema,
  authorities: z.array(authoritySchema),
  /** Settings of a restored backup, which aren't in use until a person adopts them. */
  restored: restoredNetworkSchema.nullable(),
})
export type NetworkState = z.infer<typeof stateSchema>

/**
 * How Keydesk reaches services on other computers, and which authorities it trusts in addition to
 * those of this computer. Changes apply to the next connection.
 */
export const networkContract = {
  state: procedure.output(stateSchema),
  setProxy: procedure
    .meta({ proof: 'set-proxy' })
    .input(z.object({ proxy: proxyChoiceSchema }))
    .output(stateSchema),
  /**
   * Adds every certificate in a PEM text. `INVALID_INPUT` when one isn't a certificate, isn't an
   * authority, or has expired; then none is added.
   */
  addAuthorities: procedure
    .meta({ proof: 'add-authority' })
    .input(z.object({ pem: z.string().max(200_000) }))
    .output(stateSchema),
  /** Uses the network settings of the restored backup. `NOT_FOUND` when there are none. */
  adoptRestored: procedure.meta({ proof: 'add-authority' }).output(stateSchema),
  /** Deletes the network settings of the restored backup. */
  discardRestored: procedure.output(stateSchema),
  /** `NOT_FOUND` when the authority is not in the list. */
  removeAuthority: procedure
    .input(z.object({ fingerprint: z.string().max(200) }))
    .output(stateSchema),
}
