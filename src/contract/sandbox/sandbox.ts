import { z } from 'zod'
import { accountSchema } from '../app/accounts.ts'
import { instantSchema, procedure } from '../base.ts'
import { sandboxAccountsContract } from './sandbox-accounts.ts'
import { addressesSchema, sandboxSecretSchema } from './sandbox-addresses.ts'
import { sandboxBranchesContract } from './sandbox-branches.ts'
import { sandboxCertificateContract } from './sandbox-certificate.ts'
import { sandboxControlContract } from './sandbox-control.ts'
import { sandboxMoneyContract } from './sandbox-money.ts'
import { sandboxWorldContract } from './sandbox-world.ts'

export const sandboxSchema = z.object({
  state: z.enum(['stopped', 'starting', 'running', 'failed']),
  baseUrl: z.string().nullable(),
  since: instantSchema.nullable(),
  /** Why it failed, in the backend's words. */
  reason: z.string().nullable(),
  /** The demo accounts connected on this computer. */
  accounts: z.array(accountSchema),
})
export type SandboxState = z.infer<typeof sandboxSchema>

/**
 * The bundled backend on this computer: a complete marketplace with test money. All procedures but
 * the first three fail with `SANDBOX_STOPPED` while it isn't running.
 */
export const sandboxContract = {
  state: procedure.output(sandboxSchema),
  /**
   * Starts the sandbox (its data is stored between starts) and connects its demo seller and demo
   * partner, or gives them their new keys.
   */
  start: procedure
    .input(z.object({ keep: z.enum(['keychain', 'session']).default('keychain') }).prefault({}))
    .output(sandboxSchema),
  stop: procedure.output(sandboxSchema),
  /** The addresses of the running sandbox for other programs. */
  addresses: procedure.output(addressesSchema),
  /** One secret of the running sandbox, valid for it alone, which a person asked to copy. */
  secret: procedure
    .input(z.object({ which: sandboxSecretSchema }))
    .output(z.object({ value: z.string() })),
  accounts: sandboxAccountsContract,
  money: sandboxMoneyContract,
  world: sandboxWorldContract,
  control: sandboxControlContract,
  certificate: sandboxCertificateContract,
  branches: sandboxBranchesContract,
}
