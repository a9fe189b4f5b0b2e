import type { Problem } from '../../../contract/base.ts'
import type { MatchedBy, OwnOffer, Target } from '../classify/targets.ts'
import type { ReadFileResult, TaskFile } from '../parse/read-task.ts'

/** A file of a check with its result and the offers of its lines. */
export type CheckedFile = {
  file: TaskFile
  read: ReadFileResult | null
  problem: Problem | null
  targets: { target: Target; offer: OwnOffer | null; by: MatchedBy }[]
}
export type ReadableFile = CheckedFile & { read: ReadFileResult }
