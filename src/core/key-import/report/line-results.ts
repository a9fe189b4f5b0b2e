import { readFileSync } from 'node:fs'
import type { LineOutcome, LineReason } from '../../../contract/keys/import-records.ts'
import { outcomeOf, reasonsOf } from '../classify/classify-lines.ts'
import { readCheckedLines } from '../spool/checked-lines.ts'
import { openFrames, readFrames } from '../spool/frames.ts'
import type { SpoolFile } from '../spool/spool-files.ts'

/** Consecutive lines with the same result. `offer` indexes the offers of the results; -1: none. */
export type LineRun = {
  from: number
  to: number
  fate: LineOutcome
  reasons: readonly LineReason[]
  offer: number
}
export type ResultOffer = {
  offerId: string
  name: string
  platform: string
  region: string
  /** Missing in results of an older version. */
  deliveryType?: string
}
export type ResultSource = {
  /** Number of the file in the import. */
  position: number
  checked: SpoolFile
  outcomes: string
  /** The offer of each target as an index; -1: none. */
  targets: readonly number[]
}
/** A part of the results: the offers come first, then the runs of each file in file order. */
type Part = { offers: ResultOffer[] } | { position: number; runs: LineRun[] }

const RUNS_PER_FRAME = 4096

const sameRun = (a: LineRun, b: LineRun): boolean =>
  a.to + 1 === b.from &&
  a.fate === b.fate &&
  a.offer === b.offer &&
  a.reasons.length === b.reasons.length &&
  a.reasons.every((reason, index) => reason === b.reasons[index])

function* runsOf({ checked, outcomes, targets }: ResultSource): Generator<LineRun, void, void> {
  const verdicts = readFileSync(outcomes)
  let run: LineRun | null = null
  let at = 0
  for (const block of readCheckedLines(checked.path, checked.key)) {
    for (let index = 0; index < block.count; index++) {
      const verdict = verdicts[at++] ?? 3
      const { line } = block.line(index)
      const next: LineRun = {
        from: line,
        to: line,
        fate: outcomeOf(verdict),
        reasons: reasonsOf(block.bitsOf(index), verdict),
        offer: targets[block.targetOf(index)] ?? -1,
      }
      if (run !== null && sameRun(run, next)) run.to = line
      else {
        if (run !== null) yield run
        run = next
      }
    }
  }
  if (run !== null) yield run
}

/**
 * Saves the result of every line, sealed, because the files are deleted when their upload starts.
 * The report lists the lines from it.
 */
export function writeLineResults(
  sources: readonly ResultSource[],
  offers: readonly ResultOffer[],
  { path, key }: SpoolFile,
): void {
  const frames = openFrames(path, key, true)
  const append = (part: Part): void => void frames.append(Buffer.from(JSON.stringify(part)))
  append({ offers: [...offers] })
  for (const source of sources) {
    let runs: LineRun[] = []
    for (const run of runsOf(source)) {
      runs.push(run)
      if (runs.length < RUNS_PER_FRAME) continue
      append({ position: source.position, runs })
      runs = []
    }
    if (runs.length > 0) append({ position: source.position, runs })
  }
  frames.finish()
}

/** Reads what {@link writeLineResults} saved: the runs of lines with their files and offers. */
export function* readLineResults({
  path,
  key,
}: SpoolFile): Generator<LineRun & { position: number; product: ResultOffer | null }, void, void> {
  let offers: ResultOffer[] = []
  for (const frame of readFrames(path, key)) {
    // Trusts the JSON because this feature wrote it itself.
    const part = JSON.parse(frame.toString('utf8')) as Part
    if ('offers' in part) offers = part.offers
    else
      for (const run of part.runs)
        yield { ...run, position: part.position, product: offers[run.offer] ?? null }
  }
}
