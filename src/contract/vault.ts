import { z } from 'zod'
import { instantSchema, procedure } from './base.ts'

/**
 * The vault's lock. `open`: keys can be kept and read. `locked`: it exists and wants its passphrase. `unset`: no keychain holds a data
 * key and no passphrase was chosen yet, so import, reveal and download of keys are refused until one is.
 */
export const vaultSchema = z.object({
  state: z.enum(['open', 'locked', 'unset']),
  /** What wraps the data key. */
  kept: z.enum(['keychain', 'passphrase', 'none']),
  entries: z.number().int(),
  openedAt: instantSchema.nullable(),
})
export type VaultState = z.infer<typeof vaultSchema>

const passphrase = z.string().min(8).max(1024)

/** The encrypted store of delivered and waiting keys. */
export const vaultContract = {
  state: procedure.output(vaultSchema),
  /** Chooses the passphrase that wraps a new data key; only while `unset`. */
  choosePassphrase: procedure.input(z.object({ passphrase })).output(vaultSchema),
  unlock: procedure.input(z.object({ passphrase })).output(vaultSchema),
  /** Forgets the data key in memory. A vault kept by the keychain opens again with `unlockWithKeychain`. */
  lock: procedure.output(vaultSchema),
  unlockWithKeychain: procedure.output(vaultSchema),
}
