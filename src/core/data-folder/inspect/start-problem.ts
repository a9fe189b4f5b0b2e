import { existsSync } from 'node:fs'
import { recoveryProblemSchema } from '../../../contract/app/recovery.ts'
import type { RecoveryProblem } from '../../../contract/app/recovery.ts'
import { isDiskFull } from '../../disk-full.ts'
import { Failure } from '../../failure.ts'
import { MigrationFailed } from '../../mirror/mirror.ts'
import { DataFolderInUse } from '../lock.ts'
import { codeOf } from './file-state.ts'

/**
 * Why Keydesk doesn't start with a data folder: a problem from which a person can recover, or
 *
 * - `not-a-folder`, `no-folder`: the path is a file, or the folder can't be created
 * - `unexpected`: anything else
 */
export type StartProblemKind = RecoveryProblem | 'not-a-folder' | 'no-folder' | 'unexpected'

/** Keydesk can't start with this data folder. Its message is for people: `what`, then `next`. */
export class StartProblem extends Error {
  readonly what: string
  readonly next: string
  readonly kind: StartProblemKind
  /** The file, relative to the data folder; null for the folder itself. */
  readonly file: string | null
  /** The system's or SQLite's code, for support. It isn't part of the message. */
  readonly detail: string | null

  constructor(
    kind: StartProblemKind,
    file: string | null,
    detail: string | null,
    dataDir: string | null = null,
    options: ErrorOptions = {},
  ) {
    const { what, next } = textsOf(kind, dataDir)
    super(`${what} ${next}`, options)
    this.what = what
    this.next = next
    this.name = 'StartProblem'
    this.kind = kind
    this.file = file
    this.detail = detail
  }
}

function textsOf(kind: StartProblemKind, dataDir: string | null): { what: string; next: string } {
  const folder = dataDir === null ? 'The data folder' : `The data folder ${dataDir}`
  const repair = 'Repair it, or restore a backup.'
  switch (kind) {
    case 'missing':
      return {
        what: 'The database keydesk.db is missing, but the data folder has files of accounts.',
        next: repair,
      }
    case 'wiped':
      return {
        what: 'The database keydesk.db is empty, but the data folder has files of accounts.',
        next: repair,
      }
    case 'incomplete':
      return {
        what: 'The database keydesk.db lacks accounts that were in this data folder.',
        next: repair,
      }
    case 'damaged':
      return { what: 'The database keydesk.db is damaged.', next: repair }
    case 'unreadable':
      return {
        what: 'The database keydesk.db can’t be read.',
        next: 'Check its permissions and the disk, then start Keydesk again.',
      }
    case 'newer':
      return {
        what: 'A newer Keydesk wrote this data.',
        next: 'Start that version, or use another data folder.',
      }
    case 'read-only':
      return {
        what: `${folder} can’t be written.`,
        next: 'Allow your user to write in it, then start Keydesk again.',
      }
    case 'disk-full':
      return {
        what: 'This computer’s disk is full.',
        next: 'Free up some space, then start Keydesk again.',
      }
    case 'update-disk-full':
      return {
        what: 'There isn’t enough disk space to back up your data before the update.',
        next: 'Free up some space, then start Keydesk again.',
      }
    case 'migration-failed':
      return {
        what: 'This version of Keydesk can’t update your data.',
        next: 'Install the previous version, or restore a backup.',
      }
    case 'not-a-folder':
      return { what: `${folder} is a file.`, next: 'Choose a folder with --data.' }
    case 'no-folder':
      return {
        what: `${folder} can’t be created.`,
        next: 'Create it yourself, or choose another one with --data.',
      }
    case 'unexpected':
      return {
        what: 'An unexpected error stopped Keydesk.',
        next: 'Start it again. If it keeps happening, contact support with the log in the data folder.',
      }
  }
}

const NO_ACCESS = new Set(['EACCES', 'EPERM', 'EROFS', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'])
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB)/

/** The reason behind an error of opening a data folder. Its own text stays out of the message. */
export function startProblemOf(error: unknown, dataDir: string): StartProblem {
  if (error instanceof StartProblem) return error
  const code = codeOf(error)
  const problem = (kind: StartProblemKind): StartProblem =>
    new StartProblem(kind, null, code, dataDir, { cause: error })
  if (isDiskFull(error)) return problem('disk-full')
  if (error instanceof MigrationFailed)
    return new StartProblem('migration-failed', null, error.message, dataDir, { cause: error })
  if (error instanceof Failure && error.problem.code === 'NEWER_DATA') return problem('newer')
  if (code === 'EEXIST' || code === 'ENOTDIR') return problem('not-a-folder')
  if (DAMAGE.test(code)) return problem('damaged')
  if (NO_ACCESS.has(code) || code.startsWith('SQLITE_READONLY'))
    return problem(existsSync(dataDir) ? 'read-only' : 'no-folder')
  if (code === 'ENOENT' && !existsSync(dataDir)) return problem('no-folder')
  if (code.startsWith('SQLITE_IOERR') || code === 'EIO') return problem('unreadable')
  return problem('unexpected')
}

export type RecoverableProblem = StartProblem & { readonly kind: RecoveryProblem }

/** Whether the recovery screen can help. */
export const isRecoverable = (error: unknown): error is RecoverableProblem =>
  error instanceof StartProblem && recoveryProblemSchema.safeParse(error.kind).success

/** Runs `open`, and replaces its errors with the reason why Keydesk can't start. */
export function withStartProblems<Result>(dataDir: string, open: () => Result): Result {
  try {
    return open()
  } catch (error) {
    throw error instanceof DataFolderInUse ? error : startProblemOf(error, dataDir)
  }
}
