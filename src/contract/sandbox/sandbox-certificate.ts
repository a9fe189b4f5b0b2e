import { z } from 'zod'
import { certificateRequest } from '../../../server/api/dashboard/certificate.ts'
import { procedure } from '../base.ts'

export { isOnThisComputer } from '../../../server/api/dashboard/certificate.ts'

/** `waiting`: for the handler to accept connections. `shrinking`: finding the smallest failures. */
export const certificateStateSchema = z.enum([
  'none',
  'waiting',
  'running',
  'shrinking',
  'finished',
  'failed',
  'canceled',
])

const resultSchema = z.object({
  certified: z.boolean(),
  schedules: z.number().int(),
  failed: z.number().int(),
  deliveries: z.number().int(),
  slowestMs: z.number(),
  seconds: z.number(),
  invariants: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      /** The number of schedules that tested it. */
      checked: z.number().int(),
      failed: z.number().int(),
    }),
  ),
  failures: z.array(
    z.object({
      invariant: z.string(),
      title: z.string(),
      detail: z.string(),
      schedule: z.number().int(),
      stepsBefore: z.number().int(),
      steps: z.array(z.string()),
      advice: z.string(),
      replay: z.string(),
    }),
  ),
  /** The reports as files: JSON, and JUnit XML. */
  json: z.string(),
  junit: z.string(),
})
export type CertificateResult = z.output<typeof resultSchema>

const certificateSchema = z.object({
  state: certificateStateSchema,
  url: z.string().nullable(),
  probe: z.string().nullable(),
  schedules: z.number().int(),
  seed: z.number().int().nullable(),
  /** The schedule of a run that repeats one failure. */
  replay: z.string().nullable(),
  done: z.number().int(),
  failed: z.number().int(),
  /** Why it couldn’t run, in the sandbox’s words. */
  reason: z.string().nullable(),
  /** Whether the handler’s variables can be copied. */
  hasVariables: z.boolean(),
  result: resultSchema.nullable(),
})
export type SandboxCertificate = z.output<typeof certificateSchema>

/**
 * The certificate of a webhook handler on this computer. The sandbox runs it, one at a time, whether
 * or not a page shows it.
 */
export const sandboxCertificateContract = {
  state: procedure.output(certificateSchema),
  start: procedure.input(certificateRequest).output(certificateSchema),
  /** Ends it after the schedules in progress. */
  cancel: procedure.output(certificateSchema),
  /**
   * The handler’s environment variables, one `NAME=value` a line, which a person asked to copy.
   * `NOT_FOUND` before a certificate was started.
   */
  variables: procedure.output(z.object({ value: z.string() })),
}
