import type { ImportFile } from '../../../contract/imports.ts'

/**
 * What of an import a file's parts are drawn from: the rest of it changes ten times a second while
 * another file comes in.
 */
export interface FileOfImport {
  importId: string
  accountId: string
  file: ImportFile
}
