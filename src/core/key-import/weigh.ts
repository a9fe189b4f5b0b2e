import { openSync, closeSync, writeSync, renameSync } from 'node:fs'
import type { Import, LineFate, LineReason } from '../../contract/imports.ts'
import { bits, readCheckedLines, refusedBits } from './checked-lines.ts'
import type { Block } from './checked-lines.ts'
import type { FrameKey } from './frames.ts'
import { maskKey } from '../mask-key.ts'

/** Where the lines of a target go, as far as weighing needs it. `offer` -1: nowhere. */
export type TargetWeight = { offer: number; usualShapes: number | null }

export type FileToWeigh = {
  name: string
  checked: { path: string; key: FrameKey }
  /** Where the verdicts are written: one byte a line. Null: they are not needed. */
  fates: string | null
  targets: readonly TargetWeight[]
  digitsLength: number | null
}

/** Tells which of the fingerprints were uploaded before for the product of the offer beside each. */
export type UploadedBefore = (block: Block, candidates: readonly { index: number; offer: number }[]) => ReadonlySet<number>

/** A line that will be sent. */
export type ReadyLine = (file: number, block: Block, index: number, offer: number) => void

export type Weighed = Pick<Import, 'sums' | 'problems'> & { /** Ready lines by offer. */ perOffer: Map<number, number> }

/** The verdict in one byte: two bits of fate, then what only weighing knows. */
export const fates: readonly LineFate[] = ['ready', 'no-offer', 'duplicate', 'refused']
const late = { 'duplicate-in-file': 4, 'duplicate-across-files': 8, 'uploaded-before': 12, 'unusual-shape': 16, 'leading-zero-lost': 32 } as const
const duplicateBits = 12

const early: readonly LineReason[] = ['blank', 'too-long', 'control-characters', 'invalid-encoding', 'spreadsheet-damage', 'missing-column']
const examplesShown = 3

const known = new Map<number, readonly LineReason[]>()

/** All reasons of a line, from what reading found and the verdict. */
export function reasonsOf(lineBits: number, verdict: number): readonly LineReason[] {
  const both = (lineBits & 127) * 64 + verdict
  const reasons = known.get(both) ?? listReasons(lineBits, verdict)
  known.set(both, reasons)
  return reasons
}

function listReasons(lineBits: number, verdict: number): LineReason[] {
  const reasons = early.filter((_, index) => (lineBits & (1 << index)) !== 0)
  if ((verdict & 3) === 1) reasons.push('no-offer')
  for (const [reason, bit] of Object.entries(late) as [LineReason, number][]) {
    if (bit <= duplicateBits ? (verdict & duplicateBits) === bit : (verdict & bit) !== 0) reasons.push(reason)
  }
  if ((lineBits & bits.cleaned) !== 0) reasons.push('cleaned')
  return reasons
}

/** A set of fingerprints that remembers the file of the first: 18 bytes a slot in two arrays, nothing per key. */
function createSeenKeys(most: number): { /** File of the first with this fingerprint, -1 when it is new and now remembered. */ meet(words: Uint32Array, at: number, file: number): number } {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(16, most * 1.6)))
  const prints = new Uint32Array(slots * 4)
  const files = new Uint16Array(slots)
  return {
    meet(words, at, file) {
      const a = words[at] ?? 0, b = words[at + 1] ?? 0, c = words[at + 2] ?? 0, d = words[at + 3] ?? 0
      for (let slot = a & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
        const place = slot * 4
        const known = files[slot] ?? 0
        if (known === 0) {
          prints[place] = a; prints[place + 1] = b; prints[place + 2] = c; prints[place + 3] = d
          files[slot] = file + 1
          return -1
        }
        if (prints[place] === a && prints[place + 1] === b && prints[place + 2] === c && prints[place + 3] === d) return known - 1
      }
    },
  }
}

/**
 * Weighs all lines of an import against each other, against offers and against earlier uploads, in the order of files and lines: the
 * first of equal keys that has an offer is kept. Doesn't read the files again, so that a changed mapping is answered at once.
 */
export function weighLines(files: readonly FileToWeigh[], total: number, uploadedBefore: UploadedBefore, ready?: ReadyLine): Weighed {
  const sums = { read: 0, ready: 0, noOffer: 0, duplicate: 0, refused: 0, cleaned: 0, warned: 0 }
  const counted = { ready: 'ready', 'no-offer': 'noOffer', duplicate: 'duplicate', refused: 'refused' } as const
  const problems = new Map<LineReason, Import['problems'][number]>()
  const perOffer = new Map<number, number>()
  const seen = createSeenKeys(total)

  const note = (reason: LineReason, fate: LineFate, name: string, block: Block, index: number): void => {
    let problem = problems.get(reason)
    if (problem === undefined) problems.set(reason, problem = { reason, fate, count: 0, examples: [] })
    problem.count++
    if (problem.examples.length >= examplesShown) return
    const text = block.bytesOf(index).toString('utf8')
    problem.examples.push({ file: name, line: block.line(index).line, shown: reason === 'spreadsheet-damage' ? text : maskKey(text) })
  }

  for (const [fileIndex, file] of files.entries()) {
    const output = file.fates === null ? null : openSync(`${file.fates}.new`, 'w', 0o600)
    try {
      for (const block of readCheckedLines(file.checked.path, file.checked.key)) {
        const candidates: { index: number; offer: number }[] = []
        for (let index = 0; index < block.count; index++) {
          const offer = file.targets[block.targetOf(index)]?.offer ?? -1
          if ((block.bitsOf(index) & refusedBits) === 0 && offer >= 0) candidates.push({ index, offer })
        }
        const before = uploadedBefore(block, candidates)
        const verdicts = Buffer.alloc(block.count)
        for (let index = 0; index < block.count; index++) {
          const verdict = weighLine(file, fileIndex, block, index, before.has(index))
          verdicts[index] = verdict
          const fate = fates[verdict & 3] ?? 'refused'
          sums.read++
          sums[counted[fate]]++
          if (fate !== 'ready') {
            for (const reason of reasonsOf(block.bitsOf(index) & refusedBits, verdict & 15)) note(reason, fate, file.name, block, index)
            continue
          }
          const offer = file.targets[block.targetOf(index)]?.offer ?? -1
          perOffer.set(offer, (perOffer.get(offer) ?? 0) + 1)
          if ((block.bitsOf(index) & bits.cleaned) !== 0) {
            sums.cleaned++
            note('cleaned', fate, file.name, block, index)
          }
          if (verdict > 15) {
            sums.warned++
            for (const reason of reasonsOf(0, verdict)) note(reason, fate, file.name, block, index)
          }
          ready?.(fileIndex, block, index, offer)
        }
        if (output !== null) writeSync(output, verdicts)
      }
    } finally {
      if (output !== null) closeSync(output)
    }
    if (file.fates !== null) renameSync(`${file.fates}.new`, file.fates)
  }

  function weighLine(file: FileToWeigh, fileIndex: number, block: Block, index: number, uploaded: boolean): number {
    const lineBits = block.bitsOf(index)
    if ((lineBits & refusedBits) !== 0) return 3
    const target = file.targets[block.targetOf(index)]
    if (target === undefined || target.offer < 0) return 1
    if (uploaded) return 2 | late['uploaded-before']
    const first = seen.meet(block.words, block.fingerprintAt(index), fileIndex)
    if (first >= 0) return 2 | (first === fileIndex ? late['duplicate-in-file'] : late['duplicate-across-files'])
    let verdict = 0
    if (target.usualShapes !== null && (target.usualShapes & block.shapesOf(index)) === 0) verdict |= late['unusual-shape']
    if ((lineBits & bits.digits) !== 0 && file.digitsLength !== null) {
      const missing = file.digitsLength - block.lengthOf(index)
      if (missing > 0 && missing <= 3) verdict |= late['leading-zero-lost']
    }
    return verdict
  }

  return { sums, problems: [...problems.values()].sort((a, b) => order(a.fate) - order(b.fate) || b.count - a.count), perOffer }
}

const order = (fate: LineFate): number => ['refused', 'no-offer', 'duplicate', 'ready'].indexOf(fate)
