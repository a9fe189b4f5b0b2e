import { closeSync, openSync } from 'node:fs'
import type { Problem } from '../../../contract/base.ts'
import type { Import } from '../../../contract/keys/import-records.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { KeyImportContext } from '../context.ts'
import type { DraftStore, ImportRow } from '../draft-store.ts'
import { eraseFrame, readFrame } from '../spool/frames.ts'
import { planOf } from '../spool/spool-files.ts'
import { sealHints } from '../key-hints.ts'
import { decodeRequest } from '../plan/plan-requests.ts'
import type { WaitingKey } from '../plan/plan-requests.ts'
import type { Answer, UploadStore } from './store/upload-store.ts'
import type { RequestRow } from './store/upload-read-store.ts'

/** The stores and the spool folder of an account's imports. */
export type AccountImports = {
  accountId: string
  drafts: DraftStore
  uploads: UploadStore
  folder(importId: string): string
}

export type UploadHooks = {
  changed(accountId: string, importId: string): void
  /** The upload finished for good; none of its requests is waiting. */
  ended(session: AccountImports, importId: string, state: 'done' | 'cancelled'): void
  /** The upload stopped until a person solves this problem. */
  stopped(session: AccountImports, importId: string, problem: Problem): void
}

/** One run of an upload's loop and what its steps share. */
export type UploadRun = {
  context: KeyImportContext
  session: AccountImports
  connection: ReturnType<KeyImportContext['connection']>
  importId: string
  hooks: UploadHooks
  /** Aborts when the account closes. */
  signal: AbortSignal
  /** A signal that aborts when someone wakes the upload. */
  wakeSignal: () => AbortSignal
  /** Failed attempts since the last settled request. */
  failures: number
  /** When the upload began to wait, for whatever reasons since; null while it is running. */
  waitingSince: number | null
}

export const rowOf = ({ session, importId }: UploadRun): ImportRow | undefined =>
  session.drafts.find(importId)

export const stateOf = (run: UploadRun): Import['state'] | undefined => rowOf(run)?.state

export function isActive(run: UploadRun): boolean {
  const state = stateOf(run)
  return !run.signal.aborted && (state === 'uploading' || state === 'waiting')
}

export const reportChange = ({ session, importId, hooks }: UploadRun): void =>
  hooks.changed(session.accountId, importId)

export function isVaultLocked({ context }: UploadRun): boolean {
  try {
    context.vault.assertUnlocked()
    return false
  } catch {
    return true
  }
}

/** Stops the upload until a person solves the problem. */
export function stop(run: UploadRun, request: RequestRow, problem: Problem): void {
  if (!isActive(run)) return
  const { context, session, importId, hooks } = run
  session.uploads.setState(request.import_number, 'stopped', problem)
  session.uploads.note(
    request.import_number,
    context.clock.now(),
    localized('imports.stopped-at', { request: request.position + 1 }),
    localized('text', { text: problem.what }),
  )
  reportChange(run)
  hooks.stopped(session, importId, problem)
}

/** Saves a request's result, then wipes its keys from the plan. */
export function settle(
  run: UploadRun,
  request: RequestRow,
  keys: readonly WaitingKey[],
  answer: Answer,
): void {
  const { context, session } = run
  run.failures = 0
  run.waitingSince = null
  session.uploads.settle(
    request,
    context.clock.now(),
    answer,
    keys,
    sealHints(context.vault, session.accountId, request, keys),
  )
  erase(run, [{ offset: request.frame_offset, length: request.frame_length }])
  reportChange(run)
}

/** Access to the files in the spool that belong to this upload. */
export function spoolAccess({ context, session, importId }: UploadRun) {
  const { seal } = context.vault.material()
  return { accountId: session.accountId, importId, seal, folder: session.folder(importId) }
}

/** All keys of a request as planned. */
export function keysOf(run: UploadRun, request: RequestRow): WaitingKey[] {
  const { path, key } = planOf(spoolAccess(run))
  const file = openSync(path, 'r')
  try {
    return decodeRequest(
      readFrame(file, key, {
        index: request.frame,
        offset: request.frame_offset,
        length: request.frame_length,
      }),
    )
  } finally {
    closeSync(file)
  }
}

/** The indexes of a request's keys that the service rejected. */
export const rejectedOf = (request: RequestRow): Set<number> =>
  new Set(JSON.parse(request.left_out) as number[])

/** The keys of a request without those the service rejected. */
export function remainingKeysOf(run: UploadRun, request: RequestRow): WaitingKey[] {
  const rejected = rejectedOf(request)
  return keysOf(run, request).filter((_, index) => !rejected.has(index))
}

/**
 * Overwrites the keys of settled requests. The file is deleted when the upload has finished.
 */
export function erase(run: UploadRun, frames: readonly { offset: number; length: number }[]): void {
  const { path } = planOf(spoolAccess(run))
  const file = openSync(path, 'r+')
  try {
    for (const frame of frames) eraseFrame(file, frame)
  } finally {
    closeSync(file)
  }
}
