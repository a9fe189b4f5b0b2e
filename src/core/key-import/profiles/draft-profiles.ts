import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { Import } from '../../../contract/keys/import-records.ts'
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
      createProfiles(context, book.sessionOf(accountId).accountId).list(),
    saveProfile({ importId, fileId, name }: Inputs['saveProfile']): Import {
      const { found, session, file, facts, choices } = findChecked(draft, { importId, fileId })
      const result = facts.result(file)
      if (result === null)
        throw failure(
          'SPOOL_DAMAGED',
          'The results for this file can’t be read any more.',
          'Remove it and add it again.',
        )
      const profile = createProfiles(context, session.accountId).save(
        name,
        result,
        choices,
        file.offer_id,
      )
      session.drafts.choose(
        fileId,
        facts.sealChoices(fileId, { ...choices, profile }),
        file.offer_id,
        false,
      )
      changed(session.accountId, importId)
      return view(found)
    },
    applyProfile({ importId, fileId, profileId }: Inputs['applyProfile']): Import {
      const { found, session, file, facts, choices } = findChecked(draft, { importId, fileId })
      const applied = createProfiles(context, session.accountId).apply(
        profileId,
        choices,
        ownOfferTest(draft, session.accountId),
      )
      session.drafts.choose(fileId, facts.sealChoices(fileId, applied), file.offer_id, true)
      checks.interrupt(importId)
      void checks.check(session.accountId, importId)
      changed(session.accountId, importId)
      return view(found)
    },
    removeProfile({ accountId, profileId }: Inputs['removeProfile']): void {
      createProfiles(context, book.sessionOf(accountId).accountId).remove(profileId)
      context.changes.notify('imports', accountId)
    },
  }
}
