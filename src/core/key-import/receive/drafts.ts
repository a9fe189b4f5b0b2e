import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { Import } from '../../../contract/keys/import-records.ts'
import type { FoundImport } from '../import-registry.ts'
import { createDraftChoices } from './draft-choices.ts'
import { createSealedFacts } from '../check/checks.ts'
import { isUnlocked, noChoices } from './draft-context.ts'
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
  const { changed, find, findDraft, findFile, planning, receiving, sealing, sessionOf, view } = book
  /** Drafts that a page has opened since the start. */
  const opened = new Set<string>()

  /** Checks a draft again if its files are checked and the vault is open. */
  async function recheck(found: FoundImport): Promise<void> {
    const { session, row } = found
    const files = session.drafts.files(row.number)
    const isChecked = files.length > 0 && files.every(({ state }) => state === 'checked')
    if (row.state !== 'draft' || !isChecked || planning.has(row.import_id)) return
    if (!isUnlocked(context)) return
    await checks.recheck(session.accountId, row.import_id)
  }

  return {
    /** Compares a draft that a page opens with the uploads and offers of now. */
    async recheck({ importId }: Inputs['recheck']): Promise<Import> {
      const found = find(importId)
      opened.add(importId)
      await recheck(found)
      return view(found)
    },
    /** Compares the opened drafts of an account again, after another upload. */
    recheckShown(accountId: string): void {
      for (const row of sessionOf(accountId).drafts.list())
        if (opened.has(row.import_id) && row.state === 'draft')
          void recheck(find(row.import_id)).catch((error: unknown) =>
            context.report('imports recheck', error),
          )
    },
    /**
     * Checks the drafts of an account again that were checked before its offers were listed. Files
     * that no one corrected are read again, because offers in a column identify it.
     */
    matchAgain(accountId: string): void {
      const session = sessionOf(accountId)
      const facts = createSealedFacts(context, accountId)
      for (const row of session.drafts.list()) {
        if (row.state !== 'draft' || planning.has(row.import_id)) continue
        for (const file of session.drafts.files(row.number)) {
          const targets = facts.result(file)?.targets ?? []
          if (file.state !== 'checked' || !targets.some(({ by }) => by === 'none')) continue
          const choices = facts.choices(file) ?? noChoices
          const isCorrected = Object.keys(choices.fixed).length > 0
          const sealed = facts.sealChoices(file.file_id, choices)
          session.drafts.choose(file.file_id, sealed, file.offer_id, !isCorrected)
        }
        void checks.check(accountId, row.import_id)
        changed(accountId, row.import_id)
      }
    },
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
