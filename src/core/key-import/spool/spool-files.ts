import { join } from 'node:path'
import type { FrameKey } from './frames.ts'
import type { ReadFileResult } from '../parse/read-task.ts'

/** Where an import's files are stored, and the key that seals them. */
export type Spool = { accountId: string; importId: string; seal: Uint8Array; folder: string }

export type SpoolFile = { path: string; key: FrameKey }

/** The key that seals a file of the spool, by the file's name in its import's folder. */
export const spoolRecord = (importId: string, name: string): string =>
  `import:${importId}:${name.replace(/\.checked$/, ':checked')}`

const spoolFile = (task: Spool, name: string): SpoolFile => ({
  path: join(task.folder, name),
  key: {
    seal: Buffer.from(task.seal),
    accountId: task.accountId,
    record: spoolRecord(task.importId, name),
  },
})

/** The location of an import's files and the keys that seal them. */
export const spoolOf = (task: Spool, fileId: string): SpoolFile => spoolFile(task, fileId)
/** The text of a workbook's sheet. */
export const sheetOf = (task: Spool, fileId: string): SpoolFile =>
  spoolFile(task, `${fileId}.sheet`)
/** The source that a file's lines were read from. */
export const linesSourceOf = (
  task: Spool,
  fileId: string,
  kind: ReadFileResult['kind'],
): SpoolFile => (kind === 'workbook' ? sheetOf(task, fileId) : spoolOf(task, fileId))
export const checkedOf = (task: Spool, fileId: string): SpoolFile =>
  spoolFile(task, `${fileId}.checked`)
export const planOf = (task: Spool): SpoolFile => spoolFile(task, 'plan')
export const rejectedLinesOf = (task: Spool): SpoolFile => spoolFile(task, 'refused')
/** The result of every line of an import whose upload has started. */
export const lineResultsOf = (task: Spool): SpoolFile => spoolFile(task, 'lines')
/** Lines of one file that were neither sent nor rejected, byte for byte. */
export const remainingLinesOf = (task: Spool, fileId: string): SpoolFile =>
  spoolFile(task, `${fileId}.left`)
export const outcomesPath = (folder: string, fileId: string): string =>
  join(folder, `${fileId}.fates`)
