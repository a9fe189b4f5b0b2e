import type {
  FileCounts,
  FileSettings,
  ImportFile,
  SetAsideReason,
} from '../../../contract/keys/import-records.ts'
import type { FileRow } from '../draft-store.ts'
import type { ResolvedTarget } from '../check/key-check-task.ts'
import type { PicturePart, ReadFileResult } from '../parse/read-task.ts'
import type { OwnOffer } from '../classify/targets.ts'
import { readProblem } from '../../stored-problem.ts'
import { shownValues } from './shown-values.ts'

/** The sealed result of a file's check. */
export type FileResult = {
  read: ReadFileResult
  targets: ResolvedTarget[]
  /** Missing in results of earlier versions. */ counts?: FileCounts | null
}
/** The user's corrections and choices, and details received with the file, as sealed. */
export type FileChoices = {
  fixed: Partial<FileSettings>
  chosen: { value: string | null; offerId: string | null }[]
  /** The reasons whose set-aside lines are sent anyway. */
  included?: SetAsideReason[]
  /** The pictures in the file, one after another. */
  pictures?: PicturePart[]
  /** The applied profile. */
  profile?: { profileId: string; name: string }
}

const undetected: FileSettings = {
  form: 'lines',
  delimiter: ',',
  encoding: 'utf-8',
  header: false,
  skipLines: 0,
  keyColumn: 0,
  offerColumn: null,
  offerId: null,
  costColumn: null,
  currencyColumn: null,
  supplierColumn: null,
  sheet: 0,
}

export type FileFacts = {
  row: FileRow
  /** Bytes received so far. */
  received: number
  result: FileResult | null
  choices: FileChoices | null
  offers: ReadonlyMap<string, OwnOffer>
  /** Profiles saved from files with a layout. */
  offered: (shape: string) => ImportFile['offered']
}

export function viewFile({
  row,
  received,
  result,
  choices,
  offers,
  offered,
}: FileFacts): ImportFile {
  const profile = choices?.profile ?? null
  const targets = result?.targets ?? []
  const values = shownValues(targets)
  return {
    fileId: row.file_id,
    name: row.name,
    size: row.size,
    received,
    state: row.state,
    lines: row.lines,
    // Trusts the JSON because this feature stored it itself.
    problem: readProblem(row.problem),
    settings: { ...undetected, ...result?.read.settings, ...choices?.fixed, offerId: row.offer_id },
    kind: result?.read.kind ?? (choices?.pictures === undefined ? 'text' : 'pictures'),
    sheets: result?.read.sheets ?? [],
    logins: result?.read.logins ?? false,
    profile,
    offered:
      result === null || row.state !== 'checked'
        ? []
        : offered(result.read.shape ?? '').filter(
            ({ profileId }) => profileId !== profile?.profileId,
          ),
    columns: result?.read.columns ?? [],
    counts: row.state === 'checked' ? (result?.counts ?? null) : null,
    targets: targets.map(({ lines, offerId, by }, index) => {
      const offer = offerId === null ? undefined : offers.get(offerId)
      return {
        value: values[index] ?? null,
        lines,
        offerId,
        offerName: offer?.name ?? null,
        platform: offer?.platform ?? null,
        region: offer?.region ?? null,
        deliveryType: offer?.deliveryType ?? null,
        matchedBy: by,
      }
    }),
  }
}
