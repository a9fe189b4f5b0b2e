import { z } from 'zod'
import { procedure } from '../base.ts'

/**
 * The data a bug report needs: versions, settings, running jobs, the latest activity and log,
 * secrets masked.
 */
export const diagnosticsContract = {
  /** As JSON text, so that the user can check it before saving. */
  make: procedure.output(z.object({ fileName: z.string(), text: z.string() })),
}
