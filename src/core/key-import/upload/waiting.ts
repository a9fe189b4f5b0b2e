import { shownCode } from '../../../contract/base.ts'
import type { Problem } from '../../../contract/base.ts'
import { isVaultCode } from '../../../contract/problem-codes.ts'
import { localized, t } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { storedAgeMs } from '../../clock.ts'
import { problemMessage } from './store/upload-store.ts'
import type { RequestRow } from './store/upload-read-store.ts'
import { isActive, isVaultLocked, reportChange, rowOf, stateOf } from './upload-run.ts'
import type { UploadRun } from './upload-run.ts'
import { readProblem } from '../../stored-problem.ts'

const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 30_000

/** Waits for a time, or until the vault opens, the upload is woken, or the account closes. */
export async function pause(run: UploadRun, ms: number, forVault: boolean): Promise<void> {
  const until = AbortSignal.any([run.signal, run.wakeSignal()])
  if (until.aborted) return
  await new Promise<void>((resolve) => {
    const cancel = run.context.clock.after(ms, done)
    function done(): void {
      cancel()
      until.removeEventListener('abort', done)
      resolve()
    }
    until.addEventListener('abort', done, { once: true })
    if (forVault) void untilVaultChanges(run, until, done)
  })
}

async function untilVaultChanges(
  { context }: UploadRun,
  until: AbortSignal,
  resolve: () => void,
): Promise<void> {
  for await (const change of context.changes.listen(until)) {
    if (change.topic === 'vault') return resolve()
  }
}

/** Shows why the upload waits, waits, and marks it as running again when it can continue. */
export async function waitFor(
  run: UploadRun,
  request: RequestRow,
  problem: Problem,
): Promise<void> {
  if (!isActive(run)) return
  const { context, connection, signal } = run
  run.failures++
  run.waitingSince ??= waitingSince(run, request)
  if (isNewReason(run, problem)) noteWaiting(run, request, problem)
  const needsVault = isVaultCode(problem.code)
  await pause(run, delayMs(run, problem, needsVault), needsVault)
  // A paused or canceled upload must not wait for the service.
  if (!isActive(run)) return
  const until = AbortSignal.any([signal, run.wakeSignal()])
  await connection.ready(until).catch(() => {})
  if (stateOf(run) !== 'waiting' || signal.aborted) return
  if (needsVault && isVaultLocked(run)) return
  noteResumed(run, request, run.waitingSince ?? context.clock.now())
  run.waitingSince = null
}

/** An upload that waited before a restart has been waiting since its last entry in the log. */
function waitingSince(run: UploadRun, request: RequestRow): number {
  const { context, session } = run
  const before =
    stateOf(run) === 'waiting' ? session.uploads.journal(request.import_number)[0] : undefined
  return before?.at ?? context.clock.now()
}

/** The reason may have changed: the service is back, but after a restart the vault is locked. */
function isNewReason(run: UploadRun, problem: Problem): boolean {
  const reason = rowOf(run)?.problem ?? null
  return (
    stateOf(run) !== 'waiting' ||
    reason === null ||
    shownCode(readProblem(reason)) !== shownCode(problem)
  )
}

function delayMs({ context, failures }: UploadRun, problem: Problem, needsVault: boolean): number {
  const backoff =
    Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) *
    (0.75 + context.random.fraction() / 2)
  return problem.retryAfterMs ?? (needsVault ? LONGEST_DELAY_MS : backoff)
}

function noteWaiting(run: UploadRun, request: RequestRow, problem: Problem): void {
  const { context, session } = run
  const { keys, keysSettled } = session.uploads.totals(request.import_number)
  // The problem describes one request; the user wants to know what happened to the import.
  const effect = t('imports.uploaded-so-far', { done: keysSettled, keys })
  const next = isVaultCode(problem.code) ? t('imports.resumes-with-vault') : problem.next
  session.uploads.setState(request.import_number, 'waiting', { ...problem, effect, next })
  session.uploads.note(
    request.import_number,
    context.clock.now(),
    waitingMessage(problem),
    problemMessage(problem),
  )
  reportChange(run)
}

function noteResumed(run: UploadRun, request: RequestRow, started: number): void {
  const { context, session } = run
  const now = context.clock.now()
  const seconds = Math.max(1, Math.round(storedAgeMs(context.clock, started) / 1000))
  session.uploads.setState(request.import_number, 'uploading', null)
  session.uploads.note(
    request.import_number,
    now,
    localized('imports.resumed-at', { request: request.position + 1 }),
    localized(resumedCode(run, request), { seconds }),
  )
  reportChange(run)
}

function resumedCode({ context, session }: UploadRun, request: RequestRow) {
  if (request.attempts === 0) return 'imports.resumed-after'
  return context.accounts.acceptsIdempotencyKeys(session.accountId)
    ? 'imports.resumed-after-safely'
    : 'imports.resumed-after-checking'
}

function waitingMessage(problem: Problem): Localized {
  switch (problem.code) {
    case 'OFFLINE':
      return localized('imports.connection-lost')
    case 'ANSWER_LOST':
      return localized('imports.response-lost')
    case 'RATE_LIMITED':
      return localized('imports.rate-limited')
    case 'VAULT_LOCKED':
    case 'VAULT_UNSET':
      return localized('imports.waiting-for-vault')
    default:
      return localized('imports.waiting')
  }
}
