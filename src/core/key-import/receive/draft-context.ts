import { Failure, failure } from '../../failure.ts'
import type { KeyImportContext } from '../context.ts'
import type { ImportRegistry } from '../import-registry.ts'
import { createSealedFacts } from '../check/checks.ts'
import type { createChecks, OwnOffers } from '../check/checks.ts'
import type { FileChoices } from '../view/file-view.ts'
import type { OfferCreation, ProductSearch } from './missing-offers.ts'

/**
 * Dependencies of drafts on other features: own offers to match lines with, and the creation of new
 * offers.
 */
export type DraftOffers = OwnOffers & OfferCreation

/** Shared by the commands of drafts. */
export type DraftContext = {
  context: KeyImportContext
  offers: DraftOffers
  catalogue: ProductSearch
  book: ImportRegistry
  checks: ReturnType<typeof createChecks>
}

export const noChoices: FileChoices = { fixed: {}, chosen: [] }

/** Whether the vault is open, so that sealed choices and results can be read. */
export function isUnlocked({ vault }: Pick<KeyImportContext, 'vault'>): boolean {
  try {
    vault.assertUnlocked()
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** Finds a checked file of a draft. Requires an open vault. */
export function findChecked(
  { context, book }: Pick<DraftContext, 'context' | 'book'>,
  ref: { importId: string; fileId: string },
) {
  const found = book.findDraft(ref.importId)
  const file = book.findFile(ref, found)
  context.vault.assertUnlocked()
  if (file.state !== 'checked')
    throw failure(
      'FILE_NOT_CHECKED',
      'This file hasn’t been checked yet.',
      'Wait until the check finishes.',
    )
  const facts = createSealedFacts(context, found.session.accountId)
  return { found, session: found.session, file, facts, choices: facts.choices(file) ?? noChoices }
}

/** A test for the ids of the account's own offers. */
export function ownOfferTest(
  { offers }: Pick<DraftContext, 'offers'>,
  accountId: string,
): (offerId: string) => boolean {
  const own = new Set(offers.keys(accountId).map(({ offerId }) => offerId))
  return (offerId) => own.has(offerId)
}
