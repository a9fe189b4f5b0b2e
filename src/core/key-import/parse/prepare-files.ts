import type { Problem } from '../../../contract/base.ts'
import { isDiskFull } from '../../disk-full.ts'
import type { Fingerprints } from '../fingerprint/fingerprint.ts'
import { readImportFile, startOf } from './read-file.ts'
import type { ReadFileResult, TaskFile } from './read-task.ts'
import { checkedOf, linesSourceOf, sheetOf, spoolOf } from '../spool/spool-files.ts'
import type { Spool } from '../spool/spool-files.ts'
import { kindOf } from './text/file-kind.ts'
import { diskFull, spoolDamaged, UnreadableFile } from './unreadable.ts'
import { readWorkbook } from './workbook/workbook.ts'
import type { WorkbookRead } from './workbook/workbook.ts'

/** Maps an error to the problem that prevents reading a file; rethrows defects of Keydesk. */
function problemOf(error: unknown): Problem {
  if (error instanceof UnreadableFile) return error.problem
  if (isDiskFull(error)) return diskFull
  if (
    error instanceof Error &&
    /unable to authenticate|not a sealed value|ENOENT/.test(error.message)
  )
    return spoolDamaged
  throw error
}

/** The text of a workbook's chosen sheet, or why it can't be read, per file. */
export type Prepared = ReadonlyMap<
  string,
  { workbook: WorkbookRead | null; problem: Problem | null }
>

/**
 * Converts unread workbook sheets to text. Does nothing for other files. `now`: milliseconds, to
 * stop work that takes too long.
 */
export async function prepareFiles(
  task: Spool & { files: readonly TaskFile[] },
  now: () => number,
): Promise<Prepared> {
  const prepared = new Map<string, { workbook: WorkbookRead | null; problem: Problem | null }>()
  for (const { fileId, read, fixed, pictures } of task.files) {
    if (read !== null || pictures !== null) continue
    try {
      const spool = spoolOf(task, fileId)
      if (kindOf(startOf(spool)) === 'zip')
        prepared.set(fileId, {
          workbook: await readWorkbook(spool, sheetOf(task, fileId), fixed.sheet ?? null, now),
          problem: null,
        })
    } catch (error) {
      prepared.set(fileId, { workbook: null, problem: problemOf(error) })
    }
  }
  return prepared
}

export type ReadAgain = { read: ReadFileResult | null; problem: Problem | null }

/** Reads a file of a task unless it was read before with the same settings. */
export function readAgain(
  task: Spool,
  file: TaskFile,
  prepared: Prepared,
  knownOffer: (value: string) => boolean,
  fingerprints: Fingerprints,
  tell: (lines: number) => void,
): ReadAgain {
  if (file.read !== null) return { read: file.read, problem: null }
  const { workbook, problem } = prepared.get(file.fileId) ?? { workbook: null, problem: null }
  if (problem !== null) return { read: null, problem }
  try {
    const spool = linesSourceOf(task, file.fileId, workbook === null ? 'text' : 'workbook')
    return {
      read: readImportFile(
        {
          name: file.name,
          spool,
          checked: checkedOf(task, file.fileId),
          fixed: file.fixed,
          workbook,
          pictures: file.pictures,
        },
        knownOffer,
        fingerprints,
        tell,
      ),
      problem: null,
    }
  } catch (error) {
    return { read: null, problem: problemOf(error) }
  }
}
