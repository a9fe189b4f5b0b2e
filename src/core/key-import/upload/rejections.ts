import type { Problem } from '../../../contract/base.ts'
import { formatMessage, localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { spoolOf } from '../spool/spool-files.ts'
import type { WaitingKey } from '../plan/plan-requests.ts'
import { saveRejectedKeys } from '../report/rejected-keys.ts'
import { mayHaveArrived, stopRejected } from './doubt.ts'
import { rejectedIndexes, reactionTo } from './responses.ts'
import {
  keysOf,
  rejectedOf,
  remainingKeysOf,
  reportChange,
  spoolAccess,
  stop,
} from './upload-run.ts'
import type { UploadRun } from './upload-run.ts'
import type { RequestRow } from './store/upload-read-store.ts'
import type { Rejection } from './store/upload-store.ts'
import { waitFor } from './waiting.ts'

/**
 * Reacts to a failed request: waits, stops, or rejects keys, the request or its offer.
 *
 * @param before the request before the attempt that failed
 */
export async function handleFailure(
  run: UploadRun,
  before: RequestRow,
  request: RequestRow,
  problem: Problem,
): Promise<void> {
  const reaction = reactionTo(problem)
  if (reaction === 'not-done' || reaction === 'unknown') return waitFor(run, request, problem)
  if (reaction === 'stop') return stop(run, request, problem)
  if (reaction === 'refused-keys' && rejectKeys(run, request, problem)) return
  if (mayHaveArrived(run, before, request)) return stopRejected(run, request, problem)
  if (reaction === 'refused-offer') {
    const { name } = run.session.uploads.offer(request)
    const what = localized('imports.offer-rejected', { offer: name })
    return reject(run, request, problem, 'offer', what)
  }
  const what = localized('imports.request-rejected', { request: request.position + 1 })
  reject(run, request, problem, 'request', what)
}

/** Rejects or excludes a request, or rejects all open requests of its offer. Saves their keys. */
export function reject(
  run: UploadRun,
  request: RequestRow,
  problem: Problem,
  rejection: Rejection,
  what: Localized,
): void {
  const { context, session } = run
  const rejected = (rejection === 'offer' ? session.uploads.openOf(request) : [request]).map(
    (each) => ({
      request: each,
      keys: remainingKeysOf(run, each),
    }),
  )
  saveRejected(run, rejected)
  session.uploads.reject(request, context.clock.now(), problem, rejection, what, rejected)
  reportChange(run)
}

/**
 * Rejects the keys that a response names. Returns false if it names none of the request's keys.
 */
function rejectKeys(run: UploadRun, request: RequestRow, problem: Problem): boolean {
  const { context, session } = run
  const before = rejectedOf(request)
  const all = keysOf(run, request)
  // The service counts indexes in the request as sent; the journal counts them in the request as
  // planned.
  const sent = all.flatMap((_, index) => (before.has(index) ? [] : [index]))
  const rejected = rejectedIndexes(problem).flatMap((index) =>
    sent[index] === undefined ? [] : [sent[index]],
  )
  if (rejected.length === 0) return false
  const keys = rejected.flatMap((index) => all[index] ?? [])
  saveRejected(run, [{ request, keys }])
  session.uploads.leaveOut(
    request,
    [...before, ...rejected],
    keys,
    context.random.id(),
    context.clock.now(),
    linesOf(run, request, keys),
  )
  reportChange(run)
  return true
}

function linesOf(
  { session }: UploadRun,
  request: RequestRow,
  keys: readonly Pick<WaitingKey, 'file' | 'line'>[],
): Localized {
  const files = session.drafts.files(request.import_number)
  const lines = keys.map(({ file, line }) => {
    const name = files.find(({ position }) => position === file)?.name ?? 'file'
    return formatMessage(localized('imports.line', { name, line }))
  })
  return localized('text', { text: lines.join('; ') })
}

/** Saves rejected or excluded keys (encrypted) before wiping their request. */
function saveRejected(
  run: UploadRun,
  requests: readonly { request: RequestRow; keys: readonly WaitingKey[] }[],
): void {
  saveRejectedKeys(
    spoolOf(spoolAccess(run), 'unaccepted'),
    requests.map(({ request, keys }) => ({
      request: request.position,
      offerId: run.session.uploads.offer(request).offerId,
      keys: keys.map(({ key }) => key),
    })),
  )
}
