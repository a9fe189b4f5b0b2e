import { z } from 'zod'
import { instantSchema, procedure } from './base.ts'

/** A proxy's address without a name or password: those would lie in a file. */
const proxyAddress = z
  .string()
  .max(300)
  .regex(
    /^https?:\/\/[^\s/@]+\/?$/,
    'An address such as http://proxy.example:8080, without a name or password',
  )

/** How services on other machines are reached. */
export const proxyChoiceSchema = z.discriminatedUnion('use', [
  /** As the machine says for each address. */
  z.object({ use: z.literal('system') }),
  /** Directly, whatever the machine says. */
  z.object({ use: z.literal('none') }),
  /** Through this one, but for hosts that `except` names, with commas between, as in `NO_PROXY`. */
  z.object({
    use: z.literal('own'),
    address: proxyAddress,
    except: z.string().max(1000).default(''),
  }),
])
export type ProxyChoice = z.infer<typeof proxyChoiceSchema>

/** A certificate authority that a person added. */
export const authoritySchema = z.object({
  /** SHA-256 of the certificate, as certificates are named: `AB:CD:…`. */
  fingerprint: z.string(),
  name: z.string(),
  validTo: instantSchema,
})
export type Authority = z.infer<typeof authoritySchema>

const stateSchema = z.object({ proxy: proxyChoiceSchema, authorities: z.array(authoritySchema) })
export type NetworkState = z.infer<typeof stateSchema>

/**
 * How services on other machines are reached, and whom to trust there beside those that this
 * machine trusts. It holds for the next connection.
 */
export const networkContract = {
  state: procedure.output(stateSchema),
  setProxy: procedure.input(z.object({ proxy: proxyChoiceSchema })).output(stateSchema),
  /**
   * Takes every certificate of a PEM text. `INVALID_INPUT` when one is none, is no authority, or is
   * out of date; then none is taken.
   */
  addAuthorities: procedure.input(z.object({ pem: z.string().max(200_000) })).output(stateSchema),
  /** `NOT_FOUND` for one that is not among them. */
  removeAuthority: procedure
    .input(z.object({ fingerprint: z.string().max(200) }))
    .output(stateSchema),
}
