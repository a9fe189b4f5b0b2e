import { rmSync } from 'node:fs'
import type { ReadableFile } from '../check/checked-file.ts'
import type { FileTally } from '../classify/file-tally.ts'
import type { OwnOffer } from '../classify/targets.ts'
import {
  checkedOf,
  lineResultsOf,
  linesSourceOf,
  outcomesPath,
  rejectedLinesOf,
  remainingLinesOf,
} from '../spool/spool-files.ts'
import type { Spool } from '../spool/spool-files.ts'
import type { FileReport } from './file-reports.ts'
import { writeLineResults } from './line-results.ts'
import { writeChosenLines } from './rejected-lines.ts'
import type { ExportedSource } from './rejected-lines.ts'

const sourceOf = (
  task: Spool,
  { file, read }: ReadableFile,
  outcomes: string | null,
): ExportedSource => ({
  spool: linesSourceOf(task, file.fileId, read.kind),
  checked: checkedOf(task, file.fileId),
  encoding: read.settings.encoding,
  headerLine:
    read.settings.header && read.settings.form === 'table' ? read.settings.skipLines + 1 : null,
  outcomes,
})

/** Saves the rejected lines of all files as one text. */
export function writeRejected(task: Spool, files: readonly ReadableFile[]): number {
  const { path, key } = rejectedLinesOf(task)
  return writeChosenLines(
    files.filter(({ read }) => read.kind !== 'pictures').map((file) => sourceOf(task, file, null)),
    path,
    key,
  )
}

/**
 * Saves the lines without an offer and those set aside, per file, so that they can be assigned or
 * exported after the upload.
 *
 * @returns the number of lines saved per file
 */
function writeRemaining(task: Spool, files: readonly ReadableFile[]): number[] {
  return files.map((file) => {
    if (file.read.kind === 'pictures') return 0
    const { path, key } = remainingLinesOf(task, file.file.fileId)
    const source = sourceOf(task, file, outcomesPath(task.folder, file.file.fileId))
    const count = writeChosenLines([source], path, key)
    if (count === 0) rmSync(path, { force: true })
    return count
  })
}

/** What a plan leaves for the report: the result of every line, and the lines that weren't sent. */
export function reportsOf(
  task: Spool,
  files: readonly ReadableFile[],
  offers: readonly OwnOffer[],
  tallies: readonly FileTally[],
): FileReport[] {
  const numbers = new Map(offers.map(({ offerId }, index) => [offerId, index]))
  writeLineResults(
    files.map(({ file, targets }) => ({
      position: file.position,
      checked: checkedOf(task, file.fileId),
      outcomes: outcomesPath(task.folder, file.fileId),
      targets: targets.map(({ offer }) => numbers.get(offer?.offerId ?? '') ?? -1),
    })),
    offers.map(({ offerId, name, platform, region, deliveryType }) => ({
      offerId,
      name,
      platform,
      region,
      deliveryType,
    })),
    lineResultsOf(task),
  )
  const left = writeRemaining(task, files)
  return tallies.map((tally, index) => ({
    position: files[index]?.file.position ?? 0,
    remaining: left[index] ?? 0,
    ...tally,
  }))
}
