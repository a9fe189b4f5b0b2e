import type { UndoRow } from '../undo-store.ts'
import type { AccountImports } from '../upload/upload-run.ts'

/**
 * The keys of an undo that were sent to their offer again. `returned`: the service added them, or has
 * them already. `inDoubt`: their upload was canceled before the response.
 */
export function returnedKeys(
  { drafts, uploads }: AccountImports,
  row: UndoRow,
): { returned: number; inDoubt: number } {
  const upload = row.toReturn === 0 ? undefined : drafts.find(row.returnId)
  if (upload === undefined) return { returned: 0, inDoubt: 0 }
  return {
    returned: uploads
      .offers(upload.number)
      .reduce((sum, { added, duplicates }) => sum + added + duplicates, 0),
    inDoubt: upload.state === 'cancelled' ? uploads.totals(upload.number).keysInDoubt : 0,
  }
}
