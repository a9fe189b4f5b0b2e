import { z } from 'zod'
import { procedure } from './base.ts'

/**
 * What a bug report needs: versions, settings, what runs, the latest activity and log, secrets
 * masked.
 */
export const diagnosticsContract = {
  /** As text (JSON), to be looked through before it is saved. */
  make: procedure.output(z.object({ fileName: z.string(), text: z.string() })),
}
