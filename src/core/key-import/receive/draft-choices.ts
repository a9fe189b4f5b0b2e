import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { FileSettings, Import } from '../../../contract/keys/import-records.ts'
import { failure } from '../../failure.ts'
import { createSealedFacts } from '../check/checks.ts'
import { findChecked, noChoices, ownOfferTest } from './draft-context.ts'
import type { DraftContext } from './draft-context.ts'
import { valueMeant } from '../view/shown-values.ts'
import { createMissingOffers, findMissingOffers } from './missing-offers.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/** The user's choices for a draft: settings of files, offers of lines, and repeats. */
export function createDraftChoices(draft: DraftContext) {
  const { context, offers, catalogue, book, checks } = draft
  const { changed, findDraft, findFile, view } = book
  return {
    async setRepeats({ importId, send }: Inputs['setRepeats']): Promise<Import> {
      const found = findDraft(importId)
      context.vault.assertUnlocked()
      found.session.drafts.setRepeats(importId, send)
      await checks.check(found.session.accountId, importId)
      return view(found)
    },
    async include({ importId, reason, include }: Inputs['include']): Promise<Import> {
      const found = findDraft(importId)
      const { session } = found
      context.vault.assertUnlocked()
      const facts = createSealedFacts(context, session.accountId)
      for (const file of session.drafts.files(found.row.number)) {
        if (file.state !== 'checked') continue
        const choices = facts.choices(file) ?? noChoices
        const others = (choices.included ?? []).filter((each) => each !== reason)
        const included = include ? [...others, reason] : others
        const sealed = facts.sealChoices(file.file_id, { ...choices, included })
        session.drafts.choose(file.file_id, sealed, file.offer_id, false)
      }
      await checks.check(session.accountId, importId)
      return view(found)
    },
    async missingOffers(ref: Inputs['missingOffers']): Promise<Outputs['missingOffers']> {
      const { session, file, facts } = findChecked(draft, ref)
      return findMissingOffers(catalogue, session.accountId, facts.result(file)?.targets ?? [])
    },
    async createOffers({
      importId,
      fileId,
      offers: wanted,
    }: Inputs['createOffers']): Promise<Outputs['createOffers']> {
      const before = findChecked(draft, { importId, fileId })
      const { session } = before
      const targets = before.facts.result(before.file)?.targets ?? []
      const results = await createMissingOffers(context, offers, session.accountId, wanted)
      // The draft may have changed while the offers were created.
      const { found, file, facts, choices } = findChecked(draft, { importId, fileId })
      const made = results
        .filter(({ offerId }) => offerId !== null)
        .map(({ value, offerId }) => ({ value: valueMeant(targets, value), offerId }))
      const values = new Set(made.map(({ value }) => value))
      const chosen = [...choices.chosen.filter(({ value }) => !values.has(value)), ...made]
      session.drafts.choose(
        fileId,
        facts.sealChoices(fileId, { ...choices, chosen }),
        file.offer_id,
        false,
      )
      await checks.check(session.accountId, importId)
      return { results, import: view(found) }
    },
    /**
     * Stores only the user's corrections; everything else is detected again. If only the offer of
     * all lines changes, the file isn't read again.
     */
    async configureFile({ importId, fileId, settings }: Inputs['configureFile']): Promise<Import> {
      const found = findDraft(importId)
      const { session } = found
      const file = findFile({ importId, fileId }, found)
      context.vault.assertUnlocked()
      if (file.state === 'receiving')
        throw failure(
          'FILE_INCOMPLETE',
          'This file is still being received.',
          'Wait until the check finishes.',
        )
      const { offerId = file.offer_id, ...reading } = settings
      const facts = createSealedFacts(context, session.accountId)
      const choices = facts.choices(file) ?? noChoices
      const readAgain = Object.keys(reading).length > 0 || file.state !== 'checked'
      const fixed: Partial<FileSettings> = { ...choices.fixed, ...withoutUndefined(reading) }
      const chosen =
        offerId === file.offer_id
          ? choices.chosen
          : choices.chosen.filter(({ value }) => value !== null)
      session.drafts.choose(
        fileId,
        facts.sealChoices(fileId, { ...choices, fixed, chosen }),
        offerId,
        readAgain,
      )
      if (readAgain) checks.interrupt(importId)
      const checked = checks.check(session.accountId, importId)
      changed(session.accountId, importId)
      if (!readAgain) await checked
      return view(found)
    },
    async chooseOffer({
      importId,
      fileId,
      value,
      offerId,
    }: Inputs['chooseOffer']): Promise<Import> {
      const { found, session, file, facts, choices } = findChecked(draft, { importId, fileId })
      if (offerId !== null && !ownOfferTest(draft, session.accountId)(offerId))
        throw failure(
          'NOT_FOUND',
          'Offer not found on this computer.',
          'Sync, or check the offer list.',
        )
      const exact = valueMeant(facts.result(file)?.targets ?? [], value)
      const chosen = [
        ...choices.chosen.filter((each) => each.value !== exact),
        { value: exact, offerId },
      ]
      session.drafts.choose(
        fileId,
        facts.sealChoices(fileId, { ...choices, chosen }),
        file.offer_id,
        false,
      )
      await checks.check(session.accountId, importId)
      return view(found)
    },
  }
}

const withoutUndefined = (settings: {
  [Name in keyof FileSettings]?: FileSettings[Name] | undefined
}): Partial<FileSettings> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
