import type { ImportFile } from '../../../../contract/keys/import-records.ts'

/**
 * The parts of an import that a file's components need. The rest changes ten times per second while
 * another file is received.
 */
export interface ImportFileProps {
  importId: string
  accountId: string
  file: ImportFile
}
