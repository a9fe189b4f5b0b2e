import { openSync, closeSync, fsyncSync, writeSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../../durable-files.ts'
import type { Import, LineOutcome, LineReason } from '../../../contract/keys/import-records.ts'
import {
  bits,
  cleanedBits,
  warningBits,
  readCheckedLines,
  reasonBits,
  rejectedBits,
  setAsideBits,
} from '../spool/checked-lines.ts'
import type { Block } from '../spool/checked-lines.ts'
import type { FrameKey } from '../spool/frames.ts'
import { createFileTally, isSetAsideReason, sumOfFiles } from './file-tally.ts'
import type { FileTally } from './file-tally.ts'
import { maskKey } from '../../mask-key.ts'

/** Where a target's lines go, as needed for classifying. `offer` -1: no offer. */
export type ClassifyTarget = {
  offer: number
  usualShapes: number | null
  /** The offer's platform and the usual shapes of its keys. */ usual: Import['problems'][number]['usual']
}

export type FileToClassify = {
  name: string
  checked: { path: string; key: FrameKey }
  /** The file for the outcomes, one byte per line; null if they aren't needed. */
  outcomes: string | null
  targets: readonly ClassifyTarget[]
  digitsLength: number | null
  /** Bits of the reasons whose set-aside lines are sent anyway. */
  included: number
}

export type Repeat = 'uploaded-before' | 'on-another-offer'

/**
 * Looks up which fingerprints were uploaded before: for the product of their offer, or for another
 * one. Null if none were.
 */
export type UploadedBefore =
  | ((
      block: Block,
      candidates: readonly { index: number; offer: number }[],
    ) => ReadonlyMap<number, Repeat>)
  | null

/**
 * A line to send. `suspected`: its key was uploaded before, and the user wants to send it anyway.
 */
export type ReadyLine = (
  file: number,
  block: Block,
  index: number,
  offer: number,
  suspected: boolean,
) => void

export type Classified = Pick<Import, 'sums' | 'problems'> & {
  /** Ready lines by offer. */ perOffer: Map<number, number>
  files: FileTally[]
}

/**
 * The outcome in one byte: two bits for the outcome, three for an earlier occurrence of the key,
 * then the warnings found only while classifying, and the highest bit for a line that is set aside.
 */
export const outcomes: readonly LineOutcome[] = [
  'ready',
  'no-offer',
  'duplicate',
  'refused',
  'set-aside',
]
const READY = outcomes.indexOf('ready')
const setAside = 128
/** The index of a verdict's outcome. */
const outcomeIndex = (verdict: number): number => ((verdict & setAside) === 0 ? verdict & 3 : 4)
/** The outcome of a line by its verdict; a line without one is rejected. */
export const outcomeOf = (verdict: number | undefined): LineOutcome =>
  outcomes[outcomeIndex(verdict ?? 3)] ?? 'refused'
const repeats = [
  '',
  'duplicate-in-file',
  'duplicate-across-files',
  'uploaded-before',
  'on-another-offer',
] as const
const repeatBits = 28
const lateReasons = { 'unusual-shape': 32, 'leading-zero-lost': 64 } as const
const repeatOf = (repeat: Exclude<(typeof repeats)[number], ''>): number =>
  repeats.indexOf(repeat) << 2

const earlyReasons = Object.entries(bits).filter(([, bit]) => (bit & reasonBits) !== 0) as [
  LineReason,
  number,
][]
const examplesShown = 3

const known = new Map<number, readonly LineReason[]>()

/** All reasons of a line, from reading and from classifying. */
export function reasonsOf(lineBits: number, verdict: number): readonly LineReason[] {
  const both = (lineBits & reasonBits) * 256 + verdict
  const reasons = known.get(both) ?? listReasons(lineBits, verdict)
  // Stryker disable next-line CallExpression: without it, only classifying takes longer
  known.set(both, reasons)
  return reasons
}

function listReasons(lineBits: number, verdict: number): LineReason[] {
  const reasons = earlyReasons.flatMap(([reason, bit]) => ((lineBits & bit) === 0 ? [] : [reason]))
  const repeat = repeats[(verdict & repeatBits) >> 2] ?? ''
  if (repeat !== '') reasons.unshift(repeat)
  if ((verdict & 3) === 1) reasons.unshift('no-offer')
  for (const [reason, bit] of Object.entries(lateReasons) as [LineReason, number][])
    if ((verdict & bit) !== 0) reasons.push(reason)
  return reasons
}

type SeenKeys = {
  /**
   * Prefetches the memory that a block's keys are compared with, because waiting for memory key by
   * key is most of the cost.
   */
  prefetch(block: Block): void
  /**
   * The file of the first key with this fingerprint; -1 if it is new, in which case it is added.
   */
  firstFileOf(words: Uint32Array, at: number, file: number): number
}

/**
 * A set of fingerprints with the file of the first occurrence: 18 bytes per slot in two arrays, no
 * object per key. A slot of zeros is free, because no fingerprint is all zeros. So a new key costs
 * one cache miss instead of two.
 */
function createSeenKeys(most: number): SeenKeys {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(16, most * 1.6)))
  const prints = new Uint32Array(slots * 4)
  const files = new Uint16Array(slots)
  let fetched = 0
  return {
    // Stryker disable all: prefetching changes only the speed
    prefetch(block) {
      for (let index = 0; index < block.count; index++)
        fetched |= prints[((block.words[block.fingerprintAt(index)] ?? 0) & (slots - 1)) * 4] ?? 0
    },
    // Stryker restore all
    firstFileOf(words, at, file) {
      const a = words[at] ?? 0,
        b = words[at + 1] ?? 0,
        c = words[at + 2] ?? 0,
        d = words[at + 3] ?? 0
      for (let slot = a & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
        const place = slot * 4
        const e = prints[place] ?? 0,
          f = prints[place + 1] ?? 0,
          g = prints[place + 2] ?? 0,
          h = prints[place + 3] ?? 0
        if (e === a && f === b && g === c && h === d) return files[slot] ?? 0
        if ((e | f | g | h) === 0) {
          prints[place] = a
          prints[place + 1] = b
          prints[place + 2] = c
          prints[place + 3] = d
          files[slot] = file
          return -1
        }
      }
    },
  }
}

export type ClassifyTask = {
  files: readonly FileToClassify[]
  /** Lines of all files. */
  total: number
  uploadedBefore: UploadedBefore
  /** Whether keys uploaded before are sent anyway. */
  sendsRepeats: boolean
  ready?: ReadyLine
}

/**
 * Classifies all lines of an import against each other, the offers and earlier uploads, in the
 * order of files and lines: of equal keys, the first one with an offer is kept. Doesn't read the
 * files again, so that a changed offer choice takes effect immediately.
 */
export function classifyLines({
  files,
  total,
  uploadedBefore,
  sendsRepeats,
  ready,
}: ClassifyTask): Classified {
  let warned = 0
  const tallies = files.map(() => createFileTally())
  const problems = new Map<string, Import['problems'][number]>()
  const readyOf = new Uint32Array(
    1 + Math.max(0, ...files.flatMap(({ targets }) => targets.map(({ offer }) => offer))),
  )
  const seen = createSeenKeys(total)

  const note = (
    reason: LineReason,
    fate: LineOutcome,
    { name, targets }: FileToClassify,
    fileIndex: number,
    block: Block,
    index: number,
  ): void => {
    const usual =
      reason === 'unusual-shape' ? (targets[block.targetOf(index)]?.usual ?? null) : null
    const key = `${reason} ${fate} ${usual?.platform ?? ''}`
    let problem = problems.get(key)
    if (problem === undefined)
      problems.set(
        key,
        (problem = { reason, fate, usual, isIncluded: false, count: 0, examples: [] }),
      )
    problem.count++
    if (fate === 'ready' && isSetAsideReason(reason)) problem.isIncluded = true
    tallies[fileIndex]?.note(reason, fate, block.line(index).line)
    if (problem.examples.length >= examplesShown) return
    const text = block.bytesOf(index).toString('utf8')
    problem.examples.push({
      file: name,
      line: block.line(index).line,
      shown: isShown(reason) ? text : maskKey(text),
    })
  }

  /** Reasons of a ready line; most have none. */
  function noteReady(
    file: FileToClassify,
    fileIndex: number,
    block: Block,
    index: number,
    lineBits: number,
    verdict: number,
  ): void {
    if ((lineBits & cleanedBits) !== 0) tallies[fileIndex]?.cleaned()
    if ((lineBits & (warningBits | setAsideBits)) !== 0 || verdict > 3) warned++
    for (const reason of reasonsOf(lineBits, verdict))
      note(reason, 'ready', file, fileIndex, block, index)
  }

  function classifyBlock(file: FileToClassify, fileIndex: number, block: Block): Buffer {
    const before = uploadedBefore === null ? none : uploadedBefore(block, candidatesOf(file, block))
    const verdicts = Buffer.alloc(block.count)
    // Stryker disable next-line CallExpression: prefetching changes only the speed
    seen.prefetch(block)
    // Counted by index: names would be looked up line by line.
    const counts = new Uint32Array(outcomes.length)
    const readyBits = cleanedBits | warningBits | setAsideBits
    for (let index = 0; index < block.count; index++) {
      // Stryker disable next-line ConditionalExpression: the empty map is skipped for speed
      const uploaded = before.size === 0 ? undefined : before.get(index)
      const verdict = classifyLine(file, fileIndex, block, index, uploaded)
      verdicts[index] = verdict
      const lineBits = block.bitsOf(index)
      const outcome = outcomeIndex(verdict)
      counts[outcome] = (counts[outcome] ?? 0) + 1
      if (outcome !== READY) {
        const fate = outcomeOf(verdict)
        const why = fate === 'set-aside' ? setAsideBits & ~file.included : rejectedBits
        for (const reason of reasonsOf(lineBits & why, verdict & (3 | repeatBits)))
          note(reason, fate, file, fileIndex, block, index)
        continue
      }
      const offer = file.targets[block.targetOf(index)]?.offer ?? -1
      readyOf[offer] = (readyOf[offer] ?? 0) + 1
      if (verdict !== 0 || (lineBits & readyBits) !== 0)
        noteReady(file, fileIndex, block, index, lineBits, verdict)
      ready?.(fileIndex, block, index, offer, (verdict & repeatBits) !== 0)
    }
    for (const [outcome, lines] of counts.entries())
      tallies[fileIndex]?.count(outcomes[outcome] ?? 'refused', lines)
    return verdicts
  }

  for (const [fileIndex, file] of files.entries()) {
    const output = file.outcomes === null ? null : openSync(`${file.outcomes}.new`, 'w', 0o600)
    try {
      for (const block of readCheckedLines(file.checked.path, file.checked.key)) {
        const verdicts = classifyBlock(file, fileIndex, block)
        if (output !== null) writeSync(output, verdicts)
      }
      if (output !== null) fsyncSync(output)
    } finally {
      if (output !== null) closeSync(output)
    }
    if (file.outcomes === null) continue
    renameSync(`${file.outcomes}.new`, file.outcomes)
    syncFolder(dirname(file.outcomes))
  }

  function classifyLine(
    file: FileToClassify,
    fileIndex: number,
    block: Block,
    index: number,
    uploaded: Repeat | undefined,
  ): number {
    const lineBits = block.bitsOf(index)
    if ((lineBits & rejectedBits) !== 0) return 3
    if ((lineBits & setAsideBits & ~file.included) !== 0) return setAside
    const target = file.targets[block.targetOf(index)]
    if (target === undefined || target.offer < 0) return 1
    if (uploaded !== undefined && !sendsRepeats) return 2 | repeatOf(uploaded)
    const first = seen.firstFileOf(block.words, block.fingerprintAt(index), fileIndex)
    if (first >= 0)
      return 2 | repeatOf(first === fileIndex ? 'duplicate-in-file' : 'duplicate-across-files')
    let verdict = uploaded === undefined ? 0 : repeatOf(uploaded)
    if (target.usualShapes !== null && (target.usualShapes & block.shapesOf(index)) === 0)
      verdict |= lateReasons['unusual-shape']
    if ((lineBits & bits.digits) !== 0) {
      const missing = (file.digitsLength ?? 0) - block.lengthOf(index)
      if (missing > 0 && missing <= 3) verdict |= lateReasons['leading-zero-lost']
    }
    return verdict
  }

  const tallied = tallies.map(({ result }) => result())
  const sums = { ...sumOfFiles(tallied), warned, requests: 0 }
  const perOffer = new Map(
    [...readyOf].flatMap((count, offer) => (count === 0 ? [] : [[offer, count] as const])),
  )
  return {
    sums,
    problems: [...problems.values()].sort(
      (a, b) => order(a.fate) - order(b.fate) || b.count - a.count,
    ),
    perOffer,
    files: tallied,
  }
}

const none: ReadonlyMap<number, Repeat> = new Map()

/** The lines of a block that can be sent, with their offers. */
function candidatesOf(file: FileToClassify, block: Block): { index: number; offer: number }[] {
  const candidates: { index: number; offer: number }[] = []
  for (let index = 0; index < block.count; index++) {
    const offer = file.targets[block.targetOf(index)]?.offer ?? -1
    if ((block.bitsOf(index) & rejectedBits) === 0 && offer >= 0) candidates.push({ index, offer })
  }
  return candidates
}

/** Damaged text, or the name of a picture, is shown unmasked. */
const isShown = (reason: LineReason): boolean =>
  reason === 'spreadsheet-damage' ||
  reason === 'spreadsheet-error' ||
  reason === 'placeholder' ||
  reason === 'no-picture' ||
  reason === 'picture-too-large'

const order = (fate: LineOutcome): number =>
  ['refused', 'set-aside', 'no-offer', 'duplicate', 'ready'].indexOf(fate)
