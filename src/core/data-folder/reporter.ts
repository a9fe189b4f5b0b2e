import { shownCode } from '../../contract/base.ts'
import type { Problem } from '../../contract/base.ts'
import { localized } from '../../contract/localization/localized.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import type { Log } from '../activity/activity.ts'
import type { ActivityLog } from '../context.ts'
import type { Randomness } from '../randomness.ts'
import { diskFullProblem } from '../disk-full.ts'
import { Failure } from '../failure.ts'
import type { DiskSpace } from './disk-space.ts'
import { localEntry } from '../local-entry.ts'

/**
 * Records errors that no caller handles: a failure by its code, a full disk, and a defect by its
 * stack under a reference that the person can pass on.
 */
export function createReporter({
  log,
  activity,
  random,
  room: diskSpace,
}: {
  log: Log
  activity: ActivityLog
  random: Randomness
  room: Pick<DiskSpace, 'isCausedBy'>
}): (where: string, error: unknown) => Problem {
  return (where, error) => {
    const note = (code: string, detail: Localized): void =>
      activity.add(
        localEntry({
          accountId: null,
          what: localized('text', { text: where }),
          detail,
          outcome: 'failed',
          code,
        }),
      )
    if (error instanceof Failure) {
      log.write(where, error.message)
      note(shownCode(error.problem), localized('text', { text: error.problem.what }))
      return error.problem
    }
    if (diskSpace.isCausedBy(error)) {
      note(diskFullProblem.code, localized('text', { text: diskFullProblem.what }))
      return diskFullProblem
    }
    const reference = random.id().slice(0, 8)
    const text =
      error instanceof Error
        ? (error.stack ?? error.message)
        : 'a value that is not an error was thrown'
    log.write(where, `${reference} ${text}`)
    note('INTERNAL', localized('activity.reference', { reference }))
    return {
      code: 'INTERNAL',
      what: 'Something went wrong inside Keydesk.',
      effect: null,
      next: `Try again. If it keeps happening, give the reference ${reference} from Keydesk’s log to support.`,
      status: null,
      requestId: reference,
      retryAfterMs: null,
    }
  }
}
