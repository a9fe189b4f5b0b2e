import type { UndoRow } from '../undo-store.ts'
import type { AccountImports } from '../upload/upload-run.ts'

/** Number of keys of an undo that the service confirmed: it added them, or has them already. */
export function returnedKeys({ drafts, uploads }: AccountImports, row: UndoRow): number {
  const upload = row.toReturn === 0 ? undefined : drafts.find(row.returnId)
  const offers = upload === undefined ? [] : uploads.offers(upload.number)
  return offers.reduce((sum, { added, duplicates }) => sum + added + duplicates, 0)
}
