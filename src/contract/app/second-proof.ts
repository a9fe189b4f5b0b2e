import { z } from 'zod'
import { chosenPassphraseSchema } from './passphrases.ts'
import { instantSchema, procedure, provenActions } from '../base.ts'

/**
 * What proves that the person is the owner and not only someone with a session. `vault-passphrase`:
 * the passphrase that opens the vault. `security-passphrase`: a separate one, for a vault whose key
 * is in the keychain. `none`: nothing is asked for.
 */
export const proofMethodSchema = z.enum(['none', 'vault-passphrase', 'security-passphrase'])
export type ProofMethod = z.infer<typeof proofMethodSchema>

const stateSchema = z.object({
  method: proofMethodSchema,
  /** Whether a security passphrase can be set or changed: the keychain has the vault's key. */
  canSet: z.boolean(),
  /** When the security passphrase was set; null without one. */
  setAt: instantSchema.nullable(),
})
export type SecondProofState = z.infer<typeof stateSchema>

/** The details of `PROOF_NEEDED`: the action, and the challenge that `prove` answers. */
export const proofNeededSchema = z.object({
  challenge: z.string(),
  action: z.enum(provenActions),
  method: proofMethodSchema,
})
export type ProofNeeded = z.infer<typeof proofNeededSchema>

/**
 * The second proof. A procedure that needs one fails with `PROOF_NEEDED` and a challenge for
 * exactly this call. After `prove`, the same call with the challenge as `proof` is carried out
 * once, within a minute.
 */
export const secondProofContract = {
  state: procedure.output(stateSchema),
  /** `WRONG_PASSPHRASE`, `TOO_MANY_ATTEMPTS`, or `NOT_FOUND` for a challenge that has expired. */
  prove: procedure
    .input(z.object({ challenge: z.string().max(64), passphrase: z.string().min(1).max(1024) }))
    .output(z.void()),
  /** Sets or changes the security passphrase. `CONFLICT` unless the state is `canSet`. */
  setPassphrase: procedure
    .meta({ proof: 'change-proof' })
    .input(z.object({ passphrase: chosenPassphraseSchema }))
    .output(stateSchema),
  /** Removes the security passphrase. From then on nothing is asked for. */
  removePassphrase: procedure.meta({ proof: 'change-proof' }).output(stateSchema),
}
