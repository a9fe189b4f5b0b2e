import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { Import } from '../../../contract/imports.ts'
import { failure } from '../../failure.ts'
import { findChecked, ownOfferTest } from '../receive/draft-context.ts'
import type { DraftContext } from '../receive/draft-context.ts'
import { createProfiles } from './profiles.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/** Saves profiles from the files of drafts and applies them. */
export function createDraftProfiles(draft: DraftContext) {
  const { context, book, checks } = draft
  const { changed, view } = book
  return {
    profiles: ({ accountId }: Inputs['profiles']): Outputs['profiles'] =>
      createProfiles(context, book.deskOf(accountId).accountId).list(),
    saveProfile({ importId, fileId, name }: Inputs['saveProfile']): Import {
      const { found, desk, file, facts, choices } = findChecked(draft, { importId, fileId })
      const result = facts.result(file)
      if (result === null)
        throw failure(
          'SPOOL_DAMAGED',
          'The results for this file can’t be read any more.',
          'Remove it and add it again.',
        )
      const profile = createProfiles(context, desk.accountId).save(
        name,
        result,
        choices,
        file.offer_id,
      )
      desk.drafts.choose(
        fileId,
        facts.sealChoices(fileId, { ...choices, profile }),
        file.offer_id,
        false,
      )
      changed(desk.accountId, importId)
      return view(found)
    },
    applyProfile({ importId, fileId, profileId }: Inputs['applyProfile']): Import {
      const { found, desk, file, facts, choices } = findChecked(draft, { importId, fileId })
      const applied = createProfiles(context, desk.accountId).apply(
        profileId,
        choices,
        ownOfferTest(draft, desk.accountId),
      )
      desk.drafts.choose(fileId, facts.sealChoices(fileId, applied), file.offer_id, true)
      checks.interrupt(importId)
      void checks.check(desk.accountId, importId)
      changed(desk.accountId, importId)
      return view(found)
    },
    removeProfile({ accountId, profileId }: Inputs['removeProfile']): void {
      createProfiles(context, book.deskOf(accountId).accountId).remove(profileId)
      context.changes.notify('imports', accountId)
    },
  }
}
