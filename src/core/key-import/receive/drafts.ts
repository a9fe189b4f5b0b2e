import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import { createDraftChoices } from './draft-choices.ts'
import type { DraftContext } from './draft-context.ts'
import { createDraftFiles } from './draft-files.ts'
import { createDraftProfiles } from '../profiles/draft-profiles.ts'
import { showLines } from '../view/first-lines.ts'
import { checkedOf, outcomesPath } from '../spool/spool-files.ts'
import { readOutcomes, removeFolder } from './receiving.ts'

export type { DraftOffers } from './draft-context.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/** Drafts: files are received, checked, corrected and assigned to offers. */
export function createDrafts(draft: DraftContext) {
  const { context, book, checks } = draft
  const { changed, find, findDraft, findFile, planning, receiving, sealing, view } = book
  return {
    ...createDraftFiles(draft),
    ...createDraftChoices(draft),
    ...createDraftProfiles(draft),
    /**
     * Classified lines. Empty if the file isn't checked, and after the upload started, because the
     * files are then deleted.
     */
    async lines({
      importId,
      fileId,
      offset = 0,
      limit = 50,
      reveal = false,
      only = null,
    }: Inputs['lines']): Promise<Outputs['lines']> {
      const found = find(importId)
      const { session, row } = found
      const file = findFile({ importId, fileId }, found)
      if (row.state !== 'draft' || file.state !== 'checked') return { total: 0, rows: [] }
      context.vault.assertUnlocked()
      const shown = view(found).files.find((each) => each.fileId === fileId)
      const checked = checkedOf(sealing(session, importId), fileId)
      const verdicts = await readOutcomes(outcomesPath(session.folder(importId), fileId))
      return showLines(checked, verdicts, shown?.targets ?? [], {
        offset,
        limit,
        only,
        reveal: reveal || shown?.kind === 'pictures',
      })
    },
    async discard({ importId }: Inputs['discard']): Promise<void> {
      const { session, row } = findDraft(importId)
      planning.add(importId)
      try {
        await checks.stop(importId)
        for (const { file_id: fileId } of session.drafts.files(row.number)) receiving.close(fileId)
        session.drafts.setRepeats(importId, false)
        session.drafts.remove(row.number)
        removeFolder(session.folder(importId))
      } finally {
        planning.delete(importId)
      }
      changed(session.accountId, importId)
    },
  }
}
