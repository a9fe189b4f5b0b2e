import { z } from 'zod'
import { procedure } from '../base.ts'
import { idInput, idSchema, reportedMoment } from './sandbox-base.ts'
import { addressesSchema, sandboxSecretSchema } from './sandbox-addresses.ts'

const branchSchema = addressesSchema.extend({
  id: z.string(),
  /** The sandbox’s time when the copy was made. Null if the sandbox doesn’t say it. */
  createdAt: reportedMoment.nullable(),
})
export type SandboxBranch = z.output<typeof branchSchema>

/**
 * Branches: complete copies of the sandbox with addresses and keys of their own, which end with it.
 */
export const sandboxBranchesContract = {
  list: procedure.output(z.object({ results: z.array(branchSchema) })),
  create: procedure.output(branchSchema),
  /** Stops a branch and deletes its data. */
  end: procedure.input(idInput).output(z.void()),
  /** One secret of a branch, which a person asked to copy. */
  secret: procedure
    .input(z.object({ id: idSchema, which: sandboxSecretSchema }))
    .output(z.object({ value: z.string() })),
}
