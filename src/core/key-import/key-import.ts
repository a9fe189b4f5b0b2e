import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'
import type { Import } from '../../contract/keys/import-records.ts'
import { defineFeature } from '../lifecycle/lifecycle.ts'
import type { AccountScope, Scope } from '../lifecycle/lifecycle.ts'
import type { KeyImportContext } from './context.ts'
import { createAfterUpload } from './undo/after-upload.ts'
import type { UndoParts } from './undo/after-upload.ts'
import { createImportRegistry } from './import-registry.ts'
import { createChecks } from './check/checks.ts'
import { createDrafts } from './receive/drafts.ts'
import { isUnlocked } from './receive/draft-context.ts'
import type { DraftOffers } from './receive/drafts.ts'
import type { ProductSearch } from './receive/missing-offers.ts'
import { createConfirmedExport } from './report/confirmed-export.ts'
import { createRemainingLines } from './report/remaining-lines.ts'
import { createRejectedLinesExport } from './report/rejected-lines-export.ts'
import { importsSchemas } from './schema.ts'
import { createUploadCommands } from './upload/commands.ts'
import type { OfferTerms } from './upload/commands.ts'
import { createUploadEvents } from './upload/events.ts'
import type { AccountImports } from './upload/upload-run.ts'
import { createUploads } from './upload/uploads.ts'
import { titleOf, viewSummary } from './view/import-view.ts'

import { reencryptSpool } from './spool/reseal.ts'

export { reencryptSpool }
export { importsSchemas } from './schema.ts'
export {
  importedBatch,
  importedBatches,
  importedRequest,
  movedKeys,
  importFileNames,
  importedCosts,
  importedPurchase,
  importNumberOf,
} from './batch-facts.ts'
export type { ImportedBatch } from './batch-facts.ts'
export { hintOf } from './key-hints.ts'
export type { KeyHint } from './key-hints.ts'
export { FINGERPRINT_BYTES, keyRecords } from './key-records.ts'
export type { KeyRecord, KeyRecords, Place as KeyPlace } from './key-records.ts'
export { classifyKey } from './parse/text/classify-key.ts'
export { shapesOf, usualShapes } from './parse/text/shapes.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/** Own offers to match lines with, and a sync after an upload changed their stock. */
export type ImportOffers = DraftOffers & UndoParts['offers'] & OfferTerms

/**
 * Bulk key import: files are stored encrypted, every line is classified, each key is uploaded once,
 * and every line is accounted for.
 */
function createKeyImport(
  context: KeyImportContext,
  { offers, catalogue }: { offers: ImportOffers; catalogue: ProductSearch },
  scope: Scope,
) {
  const book = createImportRegistry(context, offers, scope, {
    controls: (importId) => ({
      pause: () => void feature.pause({ importId }),
      resume: () => void feature.resume({ importId }),
      cancel: async () => void (await feature.cancel({ importId })),
    }),
    start: startAccount,
  })
  const { changed, sessionOf, eraseFiles, find, view } = book
  /** Accounts whose offers aren't listed completely yet, so that lines can't be matched. */
  const unlisted = new Set<string>()
  const checks = createChecks(context, offers, sessionOf, book.scopeOf, changed, book.sumsBefore)
  const draftContext = { context, offers, catalogue, book, checks }
  const drafts = createDrafts(draftContext)
  const confirmed = createConfirmedExport(context, book)
  const { remaining, ...remainingLines } = createRemainingLines(draftContext, confirmed)
  const events = createUploadEvents({
    context,
    offers,
    changed,
    isReturn: (accountId, importId) => after.isReturn(accountId, importId),
    returned: (accountId, importId) => after.returned(accountId, importId),
    recheck: (accountId) => drafts.recheckShown(accountId),
  })
  const uploads = createUploads(context, sessionOf, events)
  const after = createAfterUpload(
    context,
    { book, offers, start: uploads.start },
    remaining,
    confirmed,
  )
  const commands = createUploadCommands({ context, offers, book, checks, uploads, after })

  function checkUnfinished(session: AccountImports): void {
    for (const row of session.drafts.list()) {
      if (
        row.state === 'draft' &&
        session.drafts.files(row.number).some(({ state }) => state === 'checking')
      )
        void checks.check(session.accountId, row.import_id)
    }
  }

  function startAccount(session: AccountImports, work: AccountScope): void {
    const { accountId } = work
    after.startAccount(accountId, work)
    for (const row of session.drafts.list()) {
      // A kill may have stopped Keydesk after saving the plan and before deleting the files.
      if (row.state !== 'draft')
        void work
          .spawn(eraseFiles(session, row.import_id, session.drafts.files(row.number)))
          .catch((error: unknown) => context.report('imports erase', error))
      // Show an unfinished upload of the last run as work in progress, even if it is paused or
      // waiting.
      if (row.state !== 'draft' && row.ended_at === null) changed(accountId, row.import_id)
    }
    if (!offers.isListed(accountId)) unlisted.add(accountId)
    work.onEnd(() => void unlisted.delete(accountId))
    checkUnfinished(session)
    uploads.open(accountId, work)
  }

  function matchListed(): void {
    if (!isUnlocked(context)) return
    for (const accountId of unlisted) {
      if (!offers.isListed(accountId)) continue
      unlisted.delete(accountId)
      drafts.matchAgain(accountId)
    }
  }
  // Checks what couldn't be checked before: until the vault opens, or the offers are listed.
  scope.each(context.changes.listen(scope.signal), ({ topic }) => {
    if (topic === 'vault') for (const session of book.awake()) checkUnfinished(session)
    if (topic === 'vault' || topic === 'offers') matchListed()
  })

  const feature = {
    accountOf: book.accountOf,
    list({ accountId }: Inputs['list']): Outputs['list'] {
      const session = sessionOf(accountId)
      return session.drafts
        .list()
        .filter((row) => !after.isReturn(accountId, row.import_id))
        .map((row) => ({
          ...viewSummary(row, accountId),
          upload: book.uploadOf(session, row),
          title: titleOf(session.drafts.files(row.number)),
        }))
    },
    create({ accountId }: Inputs['create']): Import {
      const session = sessionOf(accountId)
      const importId = context.random.id()
      session.drafts.add(importId, context.clock.now())
      changed(accountId, importId)
      return view(find(importId))
    },
    get: ({ importId }: Inputs['get']): Import => view(find(importId)),

    ...drafts,
    ...commands,
    ...remainingLines,

    report: after.report,
    outcomes: after.outcomes,
    exportReport: after.exportReport,
    exportUnaccepted: after.exportUnaccepted,
    undoPlan: after.undoPlan,
    undo: after.undo,
    undoImport: after.undoImport,
    exportUndo: after.exportUndo,
    exportRefused: createRejectedLinesExport(context, offers, book, checks, confirmed),
  }
  return feature
}
export type KeyImport = ReturnType<typeof createKeyImport>

export const keyImportFeature = defineFeature({
  name: 'keyImport',
  schemas: importsSchemas,
  reencryptFiles: reencryptSpool,
  start: createKeyImport,
})
