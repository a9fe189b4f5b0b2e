/** GET /dashboard/world: the session of this sandbox as a world file. */
import { ApiError } from '../api/errors.ts'
import type { Handlers } from '../api/handlers.ts'
import type { Log } from '../domain/ports/environment.ts'
import type { Options } from '../options.ts'
import type { Recorder } from './recorder.ts'
import { saveWorld, sessionOf, type StartSandbox } from './replay.ts'

/** `recorder` is null for a sandbox whose session can't be repeated. */
export function worldHandlers(
  options: Options,
  recorder: Pick<Recorder, 'requests'> | null,
  start: StartSandbox,
  log: Log,
) {
  return {
    async getWorldFile() {
      const session = sessionOf(options)
      if (recorder === null || session === null)
        throw new ApiError(
          'VALIDATION_ERROR',
          'Only a sandbox that was started with --repeatable has a world file, and no branch of it.',
        )
      const requests = recorder.requests()
      if (requests === null)
        throw new ApiError('VALIDATION_ERROR', 'There were too many requests for a world file.')
      return { status: 200, body: await saveWorld(session, requests, start, log) }
    },
  } satisfies Handlers
}
