import type { FileSettings } from '../../../../contract/keys/import-records.ts'
import type { FileGiven } from '../classify-files.ts'

/** Difficult files imported together, with the expected outcome of every line. */
export type CorpusCase = {
  name: string
  files: readonly FileGiven[]
  /** Keys this console uploaded before, by product. */
  uploaded?: Readonly<Record<string, readonly string[]>>
  sendsRepeats?: boolean
  /** Per file, the outcome of every line, or the code of the problem. */
  expected: readonly (readonly string[] | string)[]
  /** The expected detection for the first file. */
  settings?: Partial<FileSettings>
  /** The exported rejected lines. */
  refused?: string
}

/** One file for the Steam offer, as UTF-8 text unless bytes are given. */
export const one = (
  name: string,
  file: string,
  content: string | Buffer,
  expected: readonly string[] | string,
  more: Partial<CorpusCase> & { offerId?: string | null } = {},
): CorpusCase => {
  const { offerId = 'off_steam', ...rest } = more
  return {
    name,
    files: [{ name: file, bytes: Buffer.from(content), offerId }],
    expected: [expected],
    ...rest,
  }
}
