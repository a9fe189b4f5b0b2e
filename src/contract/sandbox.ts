import { z } from 'zod'
import { accountSchema } from './accounts.ts'
import { instantSchema, procedure } from './base.ts'
import { sandboxAccountsContract } from './sandbox-accounts.ts'
import { sandboxControlContract } from './sandbox-control.ts'
import { sandboxMoneyContract } from './sandbox-money.ts'
import { sandboxWorldContract } from './sandbox-world.ts'

export const sandboxSchema = z.object({
  state: z.enum(['stopped', 'starting', 'running', 'failed']),
  baseUrl: z.string().nullable(),
  since: instantSchema.nullable(),
  /** Why it failed, as the backend said it. */
  reason: z.string().nullable(),
  /** The demo accounts that are connected on this desk. */
  accounts: z.array(accountSchema),
})
export type SandboxState = z.infer<typeof sandboxSchema>

/**
 * The bundled backend on this machine: a whole marketplace with pretend money. All but the first
 * three fail with `SANDBOX_STOPPED` while it doesn't run.
 */
export const sandboxContract = {
  state: procedure.output(sandboxSchema),
  /**
   * Starts it (its data is kept between starts) and connects its demo seller and demo partner, or
   * gives them their new keys.
   */
  start: procedure
    .input(z.object({ keep: z.enum(['keychain', 'session']).default('keychain') }).prefault({}))
    .output(sandboxSchema),
  stop: procedure.output(sandboxSchema),
  accounts: sandboxAccountsContract,
  money: sandboxMoneyContract,
  world: sandboxWorldContract,
  control: sandboxControlContract,
}
