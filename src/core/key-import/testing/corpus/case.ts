import type { FileSettings } from '../../../../contract/imports.ts'
import type { FileGiven } from '../judge-files.ts'

/** Nasty files that come together, and what every line of them must become. */
export type CorpusCase = {
  name: string
  files: readonly FileGiven[]
  /** What this console uploaded before, by product. */
  uploaded?: Readonly<Record<string, readonly string[]>>
  sendsRepeats?: boolean
  /** Of each file the verdict of every line, or the code of what stands in its way. */
  expected: readonly (readonly string[] | string)[]
  /** What must be detected of the first file. */
  settings?: Partial<FileSettings>
  /** The refused lines as they are exported. */
  refused?: string
}

/** One file for the Steam offer, as a text of UTF-8 unless bytes are given. */
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
