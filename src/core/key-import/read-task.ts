import type { FileSettings, ImportFile } from '../../contract/imports.ts'
import type { FrameKey } from './frames.ts'
import type { WorkbookRead } from './workbook/workbook.ts'

/** One picture of several that come as one file. */
export type PicturePart = { name: string; size: number }

export type ReadFileTask = {
  name: string
  spool: { path: string; key: FrameKey }
  checked: { path: string; key: FrameKey }
  /** What a person has corrected; the rest is detected. */
  fixed: Partial<FileSettings>
  /** The sheets of the workbook that the spooled text comes from. */
  workbook: WorkbookRead | null
  /** The pictures in it, one after another; null: it is one file. */
  pictures: readonly PicturePart[] | null
}

export type ReadFileResult = {
  /** Of the lines as written down. */
  format: number
  kind: ImportFile['kind']
  sheets: ImportFile['sheets']
  logins: boolean
  /**
   * Tells files of one shape, whatever a person corrected: the names of their columns, or how many
   * they are and how the file is called.
   */
  shape: string
  settings: Omit<FileSettings, 'offerId'>
  columns: string[]
  lines: number
  targets: { value: string | null; lines: number }[]
  /** The length that nearly all keys made of digits alone have; null where there is none. */
  digitsLength: number | null
}
