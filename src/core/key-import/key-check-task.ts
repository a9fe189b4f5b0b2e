import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import type { Problem } from '../../contract/base.ts'
import type { FileSettings } from '../../contract/imports.ts'
import { isDiskFull } from '../disk-full.ts'
import type { Block } from './checked-lines.ts'
import { reportFiles } from './file-reports.ts'
import type { FileReport } from './file-reports.ts'
import { createFingerprints, fingerprintBytes } from './fingerprint.ts'
import type { Fingerprints } from './fingerprint.ts'
import type { FrameKey } from './frames.ts'
import { createPlanner } from './plan-requests.ts'
import type { PlannedRequest } from './plan-requests.ts'
import { readImportFile, startOf } from './read-file.ts'
import type { PicturePart, ReadFileResult } from './read-task.ts'
import { pictureKey } from './read-pictures.ts'
import { writeRefusedLines } from './refused-lines.ts'
import { MOST_LINES, tooManyLines } from './taker.ts'
import { createOfferMatcher, resolveTarget } from './targets.ts'
import type { MatchedBy, OwnOffer, Target } from './targets.ts'
import { openSpool } from './spool-reader.ts'
import type { SpoolReader } from './spool-reader.ts'
import { kindOf } from './text/file-kind.ts'
import { shapesOn, usualShapes } from './text/shapes.ts'
import { diskFull, spoolDamaged, UnreadableFile } from './unreadable.ts'
import { readWorkbook } from './workbook/workbook.ts'
import type { WorkbookRead } from './workbook/workbook.ts'
import { weighLines } from './weigh.ts'
import type { FileToWeigh, Repeat, UploadedBefore, Weighed } from './weigh.ts'

/** One file of the task. `read` null: the file must be read (again) with the user's corrections. */
export type TaskFile = {
  fileId: string
  /** Number of the file in the import. */
  position: number
  name: string
  fixed: Partial<FileSettings>
  /** The offer of all lines. */
  offerId: string | null
  read: ReadFileResult | null
  /** The pictures in the file, one after another; null for a single file. */
  pictures: readonly PicturePart[] | null
  /** The user's choice per value. */
  chosen: readonly { value: string | null; offerId: string | null }[]
}

export type KeyCheckTask = {
  /**
   * `check` reads unread files and classifies all lines; `plan` classifies and writes the requests;
   * `refused` writes only the rejected lines.
   */
  kind: 'check' | 'plan' | 'refused'
  accountId: string
  importId: string
  /** The import's folder in the spool. */
  folder: string
  /** Path of the account's journal, to look up keys uploaded before. */
  journal: string
  seal: Uint8Array
  fingerprint: Uint8Array
  offers: readonly OwnOffer[]
  /** Whether keys uploaded before are sent anyway. */
  sendsRepeats: boolean
  files: readonly TaskFile[]
}

export type ResolvedTarget = {
  value: string | null
  lines: number
  offerId: string | null
  by: MatchedBy
}

export type KeyCheckResult = {
  files: {
    fileId: string
    problem: Problem | null
    read: ReadFileResult | null
    targets: ResolvedTarget[]
  }[]
  weighed: Omit<Weighed, 'perOffer'>
  offers: { offerId: string; keys: number }[]
  requests: PlannedRequest[]
  refusedLines: number
  /** For a plan: what reading found, per file. */
  fileReports: FileReport[]
}

/** The key that seals a file of the spool, by the file's name in its import's folder. */
export const spoolRecord = (importId: string, name: string): string =>
  `import:${importId}:${name.replace(/\.checked$/, ':checked')}`

const spoolFile = (task: Spool, name: string): { path: string; key: FrameKey } => ({
  path: join(task.folder, name),
  key: {
    seal: Buffer.from(task.seal),
    accountId: task.accountId,
    record: spoolRecord(task.importId, name),
  },
})
type Spool = Pick<KeyCheckTask, 'accountId' | 'importId' | 'seal' | 'folder'>

/** The location of an import's files and the keys that seal them. */
export const spoolOf = (task: Spool, fileId: string): { path: string; key: FrameKey } =>
  spoolFile(task, fileId)
/** The text of a workbook's sheet. */
const sheetOf = (task: Spool, fileId: string): { path: string; key: FrameKey } =>
  spoolFile(task, `${fileId}.sheet`)
/** The source that a file's lines were read from. */
const linesSourceOf = (
  task: Spool,
  fileId: string,
  kind: ReadFileResult['kind'],
): { path: string; key: FrameKey } =>
  kind === 'workbook' ? sheetOf(task, fileId) : spoolOf(task, fileId)
export const checkedOf = (task: Spool, fileId: string): { path: string; key: FrameKey } =>
  spoolFile(task, `${fileId}.checked`)
export const planOf = (task: Spool): { path: string; key: FrameKey } => spoolFile(task, 'plan')
export const refusedOf = (task: Spool): { path: string; key: FrameKey } =>
  spoolFile(task, 'refused')
export const fatesPath = (folder: string, fileId: string): string => join(folder, `${fileId}.fates`)

/**
 * The id under which a product's keys are compared. Services that don't report an offer's product
 * are compared per offer.
 */
export const productOf = (offer: Pick<OwnOffer, 'offerId' | 'productId'>): string =>
  offer.productId === '' ? `offer ${offer.offerId}` : offer.productId

const LOOK_UP = 512

/** Looks up fingerprints in the journal in batches, with a separate connection. */
function lookUpUploads(
  path: string,
  products: readonly string[],
): { before: UploadedBefore; close(): void } {
  const db = new BetterSqlite3(path, { readonly: true })
  const any = db.prepare('SELECT 1 FROM import_uploaded_keys LIMIT 1').get() !== undefined
  const select = db.prepare<Buffer[], { fingerprint: Buffer; product_id: string }>(
    `
      SELECT fingerprint, product_id FROM import_uploaded_keys
      WHERE fingerprint IN (${Array.from({ length: LOOK_UP }, () => '?').join(',')})`,
  )
  const before: UploadedBefore = !any
    ? null
    : (block: Block, candidates) => {
        const found = new Map<number, Repeat>()
        for (let from = 0; from < candidates.length; from += LOOK_UP) {
          const some = candidates.slice(from, from + LOOK_UP)
          const prints = some.map(({ index }) =>
            fingerprintBytes(block.words, block.fingerprintAt(index)),
          )
          const padded = Array.from(
            { length: LOOK_UP },
            (_, at) => prints[at] ?? prints[0] ?? Buffer.alloc(16),
          )
          const known = new Set(
            select
              .all(...padded)
              .flatMap((row) => [
                row.fingerprint.toString('latin1'),
                `${row.fingerprint.toString('latin1')} ${row.product_id}`,
              ]),
          )
          if (known.size === 0) continue
          for (const [at, { index, offer }] of some.entries()) {
            const print = prints[at]?.toString('latin1') ?? ''
            if (known.has(print))
              found.set(
                index,
                known.has(`${print} ${products[offer] ?? ''}`)
                  ? 'uploaded-before'
                  : 'on-another-offer',
              )
          }
        }
        return found
      }
  return { before, close: () => db.close() }
}

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
export async function prepareFiles(task: KeyCheckTask, now: () => number): Promise<Prepared> {
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

type ReadAgain = { read: ReadFileResult | null; problem: Problem | null }

function readAgain(
  task: KeyCheckTask,
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

/** Returns the content to send for a line: its text, or the picture. */
function createKeyReader(task: KeyCheckTask): {
  keyOf(
    file: { fileId: string; kind: ReadFileResult['kind'] } | undefined,
    block: Block,
    index: number,
  ): Buffer
  close(): void
} {
  const spools = new Map<string, SpoolReader>()
  return {
    keyOf(file, block, index) {
      if (file?.kind !== 'pictures') return block.bytesOf(index)
      const spool =
        spools.get(file.fileId) ??
        openSpool(spoolOf(task, file.fileId).path, spoolOf(task, file.fileId).key)
      spools.set(file.fileId, spool)
      return pictureKey(spool, block, index)
    },
    close: () => {
      for (const spool of spools.values()) spool.close()
    },
  }
}

/**
 * Runs a task of the `key-check` worker: reads, classifies and plans outside the core's thread.
 *
 * @param tell called with the number of lines read so far in all files of this task
 * @param prepared the result of {@link prepareFiles}
 */
export function runKeyCheck(
  task: KeyCheckTask,
  tell: (lines: number) => void,
  prepared: Prepared = new Map(),
): KeyCheckResult {
  const matcher = createOfferMatcher(task.offers)
  const knownOffer = (value: string): boolean => matcher.match(value) !== null
  const fingerprints = createFingerprints(task.fingerprint)
  let done = 0
  let lines = 0
  const files = task.files.map((file) => {
    const again = readAgain(task, file, prepared, knownOffer, fingerprints, (lines) =>
      tell(done + lines),
    )
    if (file.read === null) done += again.read?.lines ?? 0
    lines += again.read?.lines ?? 0
    const { read, problem } = lines > MOST_LINES ? { read: null, problem: tooManyLines } : again
    if (read === null) lines -= again.read?.lines ?? 0
    const targets = (read?.targets ?? []).map(({ value, lines }) => {
      const choice = file.chosen.find((each) => each.value === value)
      const target: Target = {
        value,
        lines,
        chosen: choice === undefined ? null : { offerId: choice.offerId },
      }
      return { target, ...resolveTarget(target, file.offerId, matcher) }
    })
    return { file, read, problem, targets }
  })
  const readable = files.flatMap((each) =>
    each.read === null ? [] : [{ ...each, read: each.read }],
  )

  let refusedLines = 0
  if (task.kind !== 'check') {
    const refused = refusedOf(task)
    refusedLines = writeRefusedLines(
      readable
        .filter(({ read }) => read.kind !== 'pictures')
        .map(({ file, read }) => ({
          spool: linesSourceOf(task, file.fileId, read.kind),
          checked: checkedOf(task, file.fileId),
          encoding: read.settings.encoding,
          header: read.settings.header && read.settings.form === 'table',
        })),
      refused.path,
      refused.key,
    )
  }
  const offers = [
    ...new Map(
      readable.flatMap(({ targets }) =>
        targets.flatMap(({ offer }) => (offer === null ? [] : [[offer.offerId, offer] as const])),
      ),
    ).values(),
  ]
  const numbers = new Map(offers.map((offer, index) => [offer.offerId, index]))
  const toWeigh: FileToWeigh[] = readable.map(({ file, read, targets }) => ({
    name: file.name,
    checked: checkedOf(task, file.fileId),
    fates: task.kind === 'refused' ? null : fatesPath(task.folder, file.fileId),
    digitsLength: read.digitsLength,
    targets: targets.map(({ offer }) => ({
      offer: offer === null ? -1 : (numbers.get(offer.offerId) ?? -1),
      usualShapes: offer === null ? null : usualShapes(offer.platform),
      usual:
        offer === null ? null : { platform: offer.platform, shapes: [...shapesOn(offer.platform)] },
    })),
  }))
  const total = readable.reduce((sum, { read }) => sum + read.lines, 0)
  const empty: Weighed = {
    sums: { read: 0, ready: 0, noOffer: 0, duplicate: 0, refused: 0, cleaned: 0, warned: 0 },
    problems: [],
    perOffer: new Map(),
  }
  const answer = (
    { sums, problems, perOffer }: Weighed,
    requests: PlannedRequest[],
  ): KeyCheckResult => ({
    files: files.map(({ file, read, problem, targets }) => ({
      fileId: file.fileId,
      problem,
      read,
      targets: targets.map(({ target, offer, by }) => ({
        value: target.value,
        lines: target.lines,
        offerId: offer?.offerId ?? null,
        by,
      })),
    })),
    weighed: { sums, problems },
    offers: offers.map(({ offerId }, index) => ({ offerId, keys: perOffer.get(index) ?? 0 })),
    requests,
    refusedLines,
    fileReports:
      task.kind === 'plan'
        ? reportFiles(
            readable.map(({ file }) => ({
              position: file.position,
              checked: checkedOf(task, file.fileId),
            })),
          )
        : [],
  })
  if (task.kind === 'refused') return answer(empty, [])

  const uploads = lookUpUploads(task.journal, offers.map(productOf))
  try {
    const weighing = {
      files: toWeigh,
      total,
      uploadedBefore: uploads.before,
      sendsRepeats: task.sendsRepeats,
    }
    if (task.kind === 'check') return answer(weighLines(weighing), [])
    const plan = planOf(task)
    const planner = createPlanner(plan.path, plan.key)
    const keys = createKeyReader(task)
    const sources = readable.map(({ file, read }) => ({
      fileId: file.fileId,
      position: file.position,
      kind: read.kind,
    }))
    try {
      const weighed = weighLines({
        ...weighing,
        ready: (file, block, index, offer, suspected) =>
          planner.take(
            sources[file]?.position ?? 0,
            block,
            index,
            offer,
            suspected,
            keys.keyOf(sources[file], block, index),
          ),
      })
      return answer(weighed, planner.finish())
    } catch (error) {
      planner.abandon()
      throw error
    } finally {
      keys.close()
    }
  } finally {
    uploads.close()
  }
}
