import type {
  FileSettings,
  ImportFile,
  SetAsideReason,
} from '../../../contract/keys/import-records.ts'
import type { Cost } from './text/purchase-cell.ts'
import type { FrameKey } from '../spool/frames.ts'
import type { WorkbookRead } from './workbook/workbook.ts'

/** One of several pictures sent as one file. */
export type PicturePart = { name: string; size: number }

export type ReadFileTask = {
  name: string
  spool: { path: string; key: FrameKey }
  checked: { path: string; key: FrameKey }
  /** The user's corrections; everything else is detected. */
  fixed: Partial<FileSettings>
  /** The sheets of the workbook that the spooled text comes from. */
  workbook: WorkbookRead | null
  /** The pictures in the file, one after another; null for a single file. */
  pictures: readonly PicturePart[] | null
}

type PurchaseColumn = 'costColumn' | 'currencyColumn' | 'supplierColumn'
/** The settings a file was read with; earlier versions have no columns of purchases. */
export type ReadSettings = Omit<FileSettings, 'offerId' | PurchaseColumn> &
  Partial<Pick<FileSettings, PurchaseColumn>>

/** A cost and supplier of keys in a file. */
export type Purchase = Cost & { supplier: string }

export type ReadFileResult = {
  /** Information about the lines as written. */
  format: number
  kind: ImportFile['kind']
  sheets: ImportFile['sheets']
  logins: boolean
  /**
   * Identifies files with the same layout regardless of corrections: by their column names, or by
   * the number of columns and the file name.
   */
  shape: string
  settings: ReadSettings
  columns: string[]
  lines: number
  targets: { value: string | null; lines: number }[]
  /** The length of nearly all digit-only keys; null if there is none. */
  digitsLength: number | null
  /**
   * The different costs and suppliers of the lines, which refer to them by index + 1. Missing in
   * results of earlier versions.
   */
  purchases?: Purchase[]
}

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
  /** The reasons whose set-aside lines are sent anyway. */
  included: readonly SetAsideReason[]
}
