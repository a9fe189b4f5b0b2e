import type { Problem } from '../../../contract/base.ts'
import type { FileCounts } from '../../../contract/keys/import-records.ts'
import { bits } from '../spool/checked-lines.ts'
import type { Block } from '../spool/checked-lines.ts'
import { readAgain } from '../parse/prepare-files.ts'
import type { Prepared } from '../parse/prepare-files.ts'
import type { FileReport } from '../report/file-reports.ts'
import { reportsOf, writeRejected } from '../report/plan-reports.ts'
import { createPurchaseSums } from '../plan/purchases.ts'
import type { OfferPurchase, PurchaseSums } from '../plan/purchases.ts'
import type { CheckedFile, ReadableFile } from './checked-file.ts'
import { createFingerprints } from '../fingerprint/fingerprint.ts'
import { createPlanner, createRequestRules } from '../plan/plan-requests.ts'
import type { PlannedRequest } from '../plan/plan-requests.ts'
import type { Purchase, ReadFileResult, TaskFile } from '../parse/read-task.ts'
import { pictureKey, pictureKeyLength } from '../parse/read-pictures.ts'
import { checkedOf, outcomesPath, planOf, spoolOf } from '../spool/spool-files.ts'
import { openSpool } from '../spool/spool-reader.ts'
import type { SpoolReader } from '../spool/spool-reader.ts'
import { MOST_LINES, tooManyLines } from '../parse/line-collector.ts'
import { createOfferMatcher, productOf, resolveTarget } from '../classify/targets.ts'
import type { MatchedBy, OwnOffer, Target } from '../classify/targets.ts'
import { shapesOn, usualShapes } from '../parse/text/shapes.ts'
import type { FileTally } from '../classify/file-tally.ts'
import { lookUpUploads } from '../classify/uploaded-before.ts'
import { classifyLines } from '../classify/classify-lines.ts'
import type { FileToClassify, Classified, ClassifyTask } from '../classify/classify-lines.ts'

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
    /** Null if the file can't be read, and for the export of rejected lines. */
    counts: FileCounts | null
  }[]
  classified: Omit<Classified, 'perOffer' | 'files'>
  offers: { offerId: string; keys: number }[]
  requests: PlannedRequest[]
  /** Costs and suppliers of the ready keys. */
  purchases: OfferPurchase[]
  rejectedLines: number
  /** For a plan: what reading found, per file. */
  fileReports: FileReport[]
}

/**
 * Runs a task of the `key-check` worker: reads, classifies and plans outside the core's thread.
 *
 * @param tell called with the number of lines read so far in all files of this task
 * @param prepared the result of `prepareFiles`
 */
export function runKeyCheck(
  task: KeyCheckTask,
  tell: (lines: number) => void,
  prepared: Prepared = new Map(),
): KeyCheckResult {
  const files = readFiles(task, tell, prepared)
  const readable = files.flatMap((each) =>
    each.read === null ? [] : [{ ...each, read: each.read }],
  )
  const offers = offersOf(readable)
  const refusedLines = task.kind === 'check' ? 0 : writeRejected(task, readable)
  const purchases = createPurchaseSums()
  const { classified, requests } =
    task.kind === 'refused' ? nothingClassified : classify(task, readable, offers, purchases)
  const tallies = new Map(
    classified.files.map((tally, index) => [readable[index]?.file.fileId, tally] as const),
  )
  return {
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
      counts: countsOf(tallies.get(file.fileId)),
    })),
    classified: { sums: classified.sums, problems: classified.problems },
    offers: offers.map(({ offerId }, index) => ({
      offerId,
      keys: classified.perOffer.get(index) ?? 0,
    })),
    requests,
    purchases: purchases.result(
      offers.map(({ offerId }) => offerId),
      classified.perOffer,
    ),
    rejectedLines: refusedLines,
    fileReports: task.kind === 'plan' ? reportsOf(task, readable, offers, classified.files) : [],
  }
}

const nothingClassified: { classified: Classified; requests: PlannedRequest[] } = {
  classified: {
    sums: {
      read: 0,
      ready: 0,
      noOffer: 0,
      duplicate: 0,
      refused: 0,
      setAside: 0,
      cleaned: 0,
      warned: 0,
      requests: 0,
    },
    problems: [],
    perOffer: new Map(),
    files: [],
  },
  requests: [],
}

/** Reads the files that need it and finds the offer of each target, up to the limit of lines. */
function readFiles(
  task: KeyCheckTask,
  tell: (lines: number) => void,
  prepared: Prepared,
): CheckedFile[] {
  const matcher = createOfferMatcher(task.offers)
  const knownOffer = (value: string): boolean => matcher.match(value) !== null
  const fingerprints = createFingerprints(task.fingerprint)
  let done = 0
  let total = 0
  return task.files.map((file) => {
    const again = readAgain(task, file, prepared, knownOffer, fingerprints, (lines) =>
      tell(done + lines),
    )
    const lines = again.read?.lines ?? 0
    if (file.read === null) done += lines
    const fits = total + lines <= MOST_LINES
    if (fits) total += lines
    const { read, problem } = fits ? again : { read: null, problem: tooManyLines }
    return {
      file,
      read,
      problem,
      targets: (read?.targets ?? []).map(({ value, lines }) => {
        const choice = file.chosen.find((each) => each.value === value)
        const target: Target = {
          value,
          lines,
          chosen: choice === undefined ? null : { offerId: choice.offerId },
        }
        return { target, ...resolveTarget(target, file.offerId, matcher) }
      }),
    }
  })
}

function offersOf(files: readonly ReadableFile[]): OwnOffer[] {
  const found = files.flatMap(({ targets }) =>
    targets.flatMap(({ offer }) => (offer === null ? [] : [[offer.offerId, offer] as const])),
  )
  return [...new Map(found).values()]
}

function countsOf(tally: FileTally | undefined): FileCounts | null {
  if (tally === undefined) return null
  const { reasons: _, ...counts } = tally
  return counts
}

function filesToClassify(
  task: KeyCheckTask,
  files: readonly ReadableFile[],
  offers: readonly OwnOffer[],
): FileToClassify[] {
  const numbers = new Map(offers.map((offer, index) => [offer.offerId, index]))
  return files.map(({ file, read, targets }): FileToClassify => ({
    name: file.name,
    checked: checkedOf(task, file.fileId),
    outcomes: outcomesPath(task.folder, file.fileId),
    digitsLength: read.digitsLength,
    included: file.included.reduce((all, reason) => all | bits[reason], 0),
    targets: targets.map(({ offer }) => ({
      offer: offer === null ? -1 : (numbers.get(offer.offerId) ?? -1),
      usualShapes: offer === null ? null : usualShapes(offer.platform),
      usual:
        offer === null ? null : { platform: offer.platform, shapes: [...shapesOn(offer.platform)] },
    })),
  }))
}

/** Classifies all lines, and for a plan writes the requests. */
function classify(
  task: KeyCheckTask,
  files: readonly ReadableFile[],
  offers: readonly OwnOffer[],
  purchases: PurchaseSums,
): { classified: Classified; requests: PlannedRequest[] } {
  const uploads = lookUpUploads(task.journal, offers.map(productOf))
  try {
    const classifyTask: ClassifyTask = {
      files: filesToClassify(task, files, offers),
      total: files.reduce((sum, { read }) => sum + read.lines, 0),
      uploadedBefore: uploads.before,
      sendsRepeats: task.sendsRepeats,
    }
    return task.kind === 'plan'
      ? planRequests(task, files, classifyTask, purchases)
      : countRequests(files, classifyTask, purchases)
  } finally {
    uploads.close()
  }
}

/** The cost and supplier of a line; undefined if its file names neither. */
function purchaseOfLine(
  read: ReadFileResult | undefined,
  block: Block,
  index: number,
): Purchase | undefined {
  const number = block.purchaseOf(index)
  // An array's property -1 is looked up as a name, which is slow for a million lines.
  return number === 0 ? undefined : read?.purchases?.[number - 1]
}

/** Counts the requests that a plan would need, with the same rules. */
function countRequests(
  files: readonly ReadableFile[],
  classifyTask: ClassifyTask,
  purchases: PurchaseSums,
): { classified: Classified; requests: PlannedRequest[] } {
  const rules = createRequestRules()
  const classified = classifyLines({
    ...classifyTask,
    ready(file, block, index, offer, suspected) {
      const read = files[file]?.read
      const isPicture = read?.kind === 'pictures'
      const length = isPicture ? pictureKeyLength(block, index) : block.lengthOf(index)
      rules.add(offer, suspected, length)
      const purchase = purchaseOfLine(read, block, index)
      if (purchase !== undefined) purchases.add(offer, purchase)
    },
  })
  return {
    classified: { ...classified, sums: { ...classified.sums, requests: rules.count() } },
    requests: [],
  }
}

function planRequests(
  task: KeyCheckTask,
  files: readonly ReadableFile[],
  classifyTask: ClassifyTask,
  purchases: PurchaseSums,
): { classified: Classified; requests: PlannedRequest[] } {
  const { path, key } = planOf(task)
  const planner = createPlanner(path, key)
  const keys = createKeyReader(task)
  const sources = files.map(({ file, read }) => ({
    fileId: file.fileId,
    position: file.position,
    kind: read.kind,
  }))
  try {
    const classified = classifyLines({
      ...classifyTask,
      ready(file, block, index, offer, suspected) {
        const purchase = purchaseOfLine(files[file]?.read, block, index)
        if (purchase !== undefined) purchases.add(offer, purchase)
        planner.take(
          sources[file]?.position ?? 0,
          block,
          index,
          offer,
          suspected,
          keys.keyOf(sources[file], block, index),
        )
      },
    })
    const requests = planner.finish()
    return {
      classified: { ...classified, sums: { ...classified.sums, requests: requests.length } },
      requests,
    }
  } catch (error) {
    planner.abandon()
    throw error
  } finally {
    keys.close()
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
