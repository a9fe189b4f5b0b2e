import { z } from 'zod'
import { procedure } from '../base.ts'
import { instantSchema } from '../base.ts'
import { idInput, idSchema, reportedMoment } from './sandbox-base.ts'
import { addressesSchema, sandboxSecretSchema } from './sandbox-addresses.ts'

const branchSchema = addressesSchema.extend({
  id: z.string(),
  /** The sandbox’s time when the copy was made. Null if the sandbox doesn’t say it. */
  createdAt: reportedMoment.nullable(),
  name: z.string().nullable(),
  /** What repeating its world file gave. Null for a copy of the sandbox. */
  replay: z
    .object({
      requests: z.number().int(),
      /** How many answers differed from those of the file. */
      different: z.number().int(),
      /** Lines about the first differences. */
      report: z.string(),
    })
    .nullable(),
})
export type SandboxBranch = z.output<typeof branchSchema>

/** 12 MB: the sandbox accepts bodies up to 16 MB, and JSON escapes some characters. */
export const longestWorldFile = 12 * 1024 * 1024
const worldText = z.string().max(longestWorldFile)
const branchName = z.string().trim().min(1).max(100)

const worldFactsSchema = z.object({
  seed: z.enum(['demo', 'empty']),
  products: z.number().int(),
  /** The time at which its sandbox started. */
  at: instantSchema,
  requests: z.array(z.object({ method: z.string(), path: z.string(), status: z.number().int() })),
})
export type WorldFacts = z.output<typeof worldFactsSchema>

/**
 * Branches: complete copies of the sandbox with addresses and keys of their own, which end with it.
 */
export const sandboxBranchesContract = {
  list: procedure.output(z.object({ results: z.array(branchSchema) })),
  create: procedure.input(z.object({ name: branchName.optional() })).output(branchSchema),
  /** The contents of a world file. Nothing is started. `WORLD_FILE` if it can’t be used. */
  inspect: procedure.input(z.object({ text: worldText })).output(worldFactsSchema),
  /**
   * Repeats the first requests of a world file as a branch. `WORLD_FILE` if it can’t be used.
   */
  open: procedure
    .input(
      z.object({ text: worldText, name: branchName, requests: z.number().int().min(0).optional() }),
    )
    .output(branchSchema),
  /** Stops a branch and deletes its data. */
  end: procedure.input(idInput).output(z.void()),
  /** One secret of a branch, which a person asked to copy. */
  secret: procedure
    .input(z.object({ id: idSchema, which: sandboxSecretSchema }))
    .output(z.object({ value: z.string() })),
}
