import type { Problem } from '../../../contract/base.ts'
import type { DoubtChoice } from '../../../contract/keys/import-records.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { DISK_CHECK_MS } from '../../disk-full.ts'
import { Failure } from '../../failure.ts'
import type { KeyImportContext } from '../context.ts'
import { sealHints } from '../key-hints.ts'
import { handleFailure, reject } from './rejections.ts'
import {
  erase,
  isActive,
  isVaultLocked,
  remainingKeysOf,
  reportChange,
  rowOf,
  settle,
  stateOf,
  stop,
} from './upload-run.ts'
import type { AccountImports, UploadHooks, UploadRun } from './upload-run.ts'
import { sendRequest } from './sending.ts'
import type { RequestRow } from './store/upload-read-store.ts'
import { pause } from './waiting.ts'
import { readProblem } from '../../stored-problem.ts'

/**
 * The loop of one upload: takes the next request of the journal, sends it, settles it, and waits or
 * stops if necessary.
 */
export function createUpload(
  context: KeyImportContext,
  session: AccountImports,
  importId: string,
  hooks: UploadHooks,
  signal: AbortSignal,
  wakeSignal: () => AbortSignal,
) {
  const connection = context.connection(session.accountId)
  const run: UploadRun = {
    context,
    session,
    connection,
    importId,
    hooks,
    signal,
    wakeSignal,
    failures: 0,
    waitingSince: null,
  }
  return {
    /** Applies the user's decision about a request with an unknown result. */
    decide: async (choice: DoubtChoice): Promise<void> => decide(run, choice),
    /**
     * Ends the upload, which must not be running, and saves its keys that may have arrived. Does
     * nothing if it has ended.
     */
    cancel: (): void => cancel(run),
    /** Stops the upload after a defect until a person resumes it. */
    fail(problem: Problem): void {
      const row = signal.aborted ? undefined : rowOf(run)
      if (row === undefined || !isActive(run)) return
      session.uploads.setState(row.number, 'stopped', problem)
      reportChange(run)
      hooks.stopped(session, importId, problem)
    },
    run: async (): Promise<void> => sendAll(run),
  }
}

async function sendAll(run: UploadRun): Promise<void> {
  const { session, importId, hooks, signal } = run
  const row = rowOf(run)
  if (row === undefined) return
  // A kill may have stopped Keydesk between a request's response and the erasing of its keys.
  if (!isVaultLocked(run)) erase(run, session.uploads.settledFrames(row.number))
  while (isActive(run)) {
    const request = session.uploads.next(row.number)
    if (request === undefined) return hooks.ended(session, importId, 'done')
    try {
      await sendRequest(run, request)
    } catch (error) {
      if (signal.aborted) return
      if (await recover(run, row.number, request, error)) continue
    }
    // The state may still be waiting, but a successful request means that the upload is running
    // again.
    if (stateOf(run) === 'waiting' && !signal.aborted && run.failures === 0)
      session.uploads.setState(row.number, 'uploading', null)
  }
}

/** Reacts to an error while sending. Returns true if the loop retries after a full disk. */
async function recover(
  run: UploadRun,
  importNumber: number,
  request: RequestRow,
  error: unknown,
): Promise<boolean> {
  const { context, session } = run
  // As after a kill, the journal doesn't show whether the request arrived: it is looked up, or sent
  // again with its Idempotency-Key.
  if (context.diskSpace.isCausedBy(error)) {
    await pause(run, DISK_CHECK_MS, false)
    return true
  }
  const problem = error instanceof Failure ? error.problem : context.report('imports upload', error)
  const now = session.uploads.next(importNumber)
  if (!(error instanceof Failure) || now === undefined) stop(run, request, problem)
  else await handleFailure(run, request, now, problem)
  return false
}

function cancel(run: UploadRun): void {
  const { context, session, importId, hooks } = run
  const row = rowOf(run)
  // Another window may have canceled it while this one was pausing it.
  if (row === undefined || row.ended_at !== null) return
  const { keysInDoubt: count } = session.uploads.totals(row.number)
  session.uploads.cancel(
    row.number,
    context.clock.now(),
    count === 0
      ? localized('imports.canceled-effect')
      : localized('imports.canceled-in-doubt', { count }),
    keysInDoubt(run, row.number),
  )
  hooks.ended(session, importId, 'cancelled')
}

/**
 * The requests that may have arrived, with their keys. A damaged plan must not prevent canceling:
 * its requests still count as in doubt, without their lines.
 */
function keysInDoubt(run: UploadRun, importNumber: number) {
  const { context, session } = run
  try {
    return session.uploads.inDoubt(importNumber).map((request) => {
      const keys = remainingKeysOf(run, request)
      return { request, keys, hints: sealHints(context.vault, session.accountId, request, keys) }
    })
  } catch (error) {
    if (error instanceof Failure) throw error
    context.report('imports cancel', error)
    return []
  }
}

const decisionMessages: Record<DoubtChoice, Localized> = {
  'send-again': localized('imports.decision-send-again'),
  arrived: localized('imports.decision-arrived'),
  'leave-out': localized('imports.decision-leave-out'),
}

function decide(run: UploadRun, choice: DoubtChoice): void {
  const { context, session } = run
  const row = rowOf(run)
  const request = row === undefined ? undefined : session.uploads.inDoubt(row.number)[0]
  if (row === undefined || request === undefined) return
  session.uploads.note(
    row.number,
    context.clock.now(),
    localized('imports.decision', { request: request.position + 1 }),
    decisionMessages[choice],
  )
  switch (choice) {
    case 'send-again':
      return session.uploads.sendAgain(request, true)
    case 'leave-out':
      return reject(
        run,
        request,
        readProblem(row.problem ?? ''),
        'exclusion',
        localized('imports.request-excluded', { request: request.position + 1 }),
      )
    case 'arrived': {
      const keys = remainingKeysOf(run, request)
      const answer = { added: 0, duplicates: keys.length, stock: null }
      return settle(run, { ...request, in_doubt: 1 }, keys, answer)
    }
  }
}
