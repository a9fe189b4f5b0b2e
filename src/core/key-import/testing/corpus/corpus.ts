import { binaries } from './binaries.ts'
import type { CorpusCase } from './case.ts'
import { encodings } from './encodings.ts'
import { lineFiles } from './line-files.ts'
import { pictures } from './pictures.ts'
import { repeats } from './repeats.ts'
import { suppliers } from './suppliers.ts'
import { tables } from './tables.ts'
import { workbooks } from './workbooks.ts'

/**
 * Handmade files with the outcome of every line, covering typical damage by people, spreadsheets
 * and suppliers.
 */
export const corpus: readonly CorpusCase[] = [
  ...lineFiles,
  ...encodings,
  ...tables,
  ...repeats,
  ...workbooks,
  ...pictures,
  ...binaries,
  ...suppliers,
]
