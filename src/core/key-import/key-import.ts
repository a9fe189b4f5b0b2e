import { extname, join } from 'node:path'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'
import type { Import } from '../../contract/imports.ts'
import type { Problem } from '../../contract/base.ts'
import type { CoreContext } from '../context.ts'
import { failure } from '../failure.ts'
import { createAfterUpload } from './after-upload.ts'
import type { UndoParts } from './after-upload.ts'
import { createImportBook } from './book.ts'
import type { Found } from './book.ts'
import { createChecks, taskFor } from './checks.ts'
import { createDrafts } from './drafts.ts'
import type { DraftOffers } from './drafts.ts'
import { readFrames } from './frames.ts'
import type { ProductSearch } from './missing-offers.ts'
import { productOf, refusedOf } from './key-check-task.ts'
import { removeFiles } from './receiving.ts'
import { createUploads } from './uploads.ts'
import type { ImportDesk } from './uploads.ts'
import { titleOf, viewSummary } from './view.ts'

export { resealSpool } from './reseal.ts'
export { importsSchemas } from './schema.ts'
export {
  importedBatch,
  importedBatches,
  importedRequest,
  importFileNames,
  importNumberOf,
} from './batch-facts.ts'
export type { ImportedBatch } from './batch-facts.ts'
export { hintOf } from './key-hints.ts'
export type { KeyHint } from './key-hints.ts'
export { keyRecords } from './key-records.ts'
export type { KeyRecord, KeyRecords, Place as KeyPlace } from './key-records.ts'
export { judge } from './text/judge.ts'
export { shapesOf, usualShapes } from './text/shapes.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

/** Own offers to match lines with, and a sync after an upload changed their stock. */
export type ImportOffers = DraftOffers & UndoParts['offers']

/**
 * Bulk key import: files are stored encrypted, every line is classified, each key is uploaded once,
 * and every line is accounted for.
 */
export function createKeyImport(
  context: CoreContext,
  offers: ImportOffers,
  catalogue: ProductSearch,
) {
  const closing = new AbortController()
  const book = createImportBook(context, offers, closing.signal, (importId) => ({
    pause: () => void feature.pause({ importId }),
    resume: () => void feature.resume({ importId }),
    cancel: async () => void (await feature.cancel({ importId })),
  }))
  const {
    changed,
    deskOf,
    desks,
    eraseFiles,
    find,
    findDraft,
    planning,
    receiving,
    sealing,
    view,
  } = book
  const checks = createChecks(context, offers, deskOf, changed)
  const drafts = createDrafts(context, offers, catalogue, book, checks)
  const uploads = createUploads(context, deskOf, { changed, ended, stopped })
  const after = createAfterUpload(context, { book, offers, start: uploads.start })

  function ended(desk: ImportDesk, importId: string, state: 'done' | 'cancelled'): void {
    const row = desk.drafts.find(importId)
    if (row === undefined) return
    const now = context.clock.now()
    const { keys, keysSettled } = desk.uploads.totals(row.number)
    const added = desk.uploads.offers(row.number).reduce((sum, offer) => sum + offer.added, 0)
    const counts = `${added.toLocaleString('en')} of ${keys.toLocaleString('en')} keys added`
    if (state === 'done') {
      desk.uploads.setState(row.number, 'done', null, now)
      desk.uploads.note(row.number, now, 'Upload finished', counts)
      if (!after.isReturn(desk.accountId, importId))
        context.notices.notify({
          accountId: desk.accountId,
          kind: 'import-done',
          title: `${added.toLocaleString('en')} ${added === 1 ? 'key' : 'keys'} uploaded`,
          text: `${counts}.`,
          path: `/import/${importId}`,
        })
    }
    context.activity.add({
      accountId: desk.accountId,
      what: state === 'done' ? 'Keys uploaded' : 'Key upload canceled',
      detail:
        state === 'done'
          ? counts
          : `${counts}, ${(keys - keysSettled).toLocaleString('en')} not sent`,
      outcome: 'ok',
      code: null,
      status: null,
      requestId: null,
      durationMs: now - (row.started_at ?? now),
    })
    void removeFiles([join(desk.folder(importId), 'plan')]).catch((error: unknown) =>
      context.report('imports erase', error),
    )
    context.changes.notify('offers', desk.accountId)
    void offers
      .syncNow(desk.accountId)
      .catch((error: unknown) => context.report('imports stock', error))
    changed(desk.accountId, importId)
    after.returned(desk.accountId, importId)
  }

  function stopped({ accountId }: ImportDesk, importId: string, problem: Problem): void {
    context.notices.notify({
      accountId,
      kind: 'import-stopped',
      title: 'Import needs your attention',
      text: problem.what,
      path: `/import/${importId}`,
    })
  }

  function goesOn({ desk, row }: Found): void {
    if (after.undoing(desk.accountId) && !after.isReturn(desk.accountId, row.import_id))
      throw failure(
        'UPLOAD_RUNNING',
        'Another import of this account is being undone.',
        'Wait until it finishes.',
        { effect: 'Nothing was sent.' },
      )
    const other = desk.uploads.active().find(({ number }) => number !== row.number)
    if (other !== undefined)
      throw failure(
        'UPLOAD_RUNNING',
        'Another import of this account is uploading.',
        'Wait until it finishes, or pause it.',
        { effect: 'Nothing was sent.' },
      )
  }

  function checkUnfinished(accountId: string): void {
    const desk = deskOf(accountId)
    for (const row of desk.drafts.list()) {
      if (
        row.state === 'draft' &&
        desk.drafts.files(row.number).some(({ state }) => state === 'checking')
      )
        void checks.check(accountId, row.import_id)
    }
  }

  context.accounts.onReady((account, signal) => {
    if (account.role !== 'seller') return
    const until = AbortSignal.any([signal, closing.signal])
    const desk = deskOf(account.id)
    for (const row of desk.drafts.list()) {
      // A kill may have stopped Keydesk after saving the plan and before deleting the files.
      if (row.state !== 'draft')
        void eraseFiles(desk, row.import_id, desk.drafts.files(row.number)).catch(
          (error: unknown) => context.report('imports erase', error),
        )
      // Show an unfinished upload of the last run as work in progress, even if it is paused or
      // waiting.
      if (row.state !== 'draft' && row.ended_at === null) changed(account.id, row.import_id)
    }
    checkUnfinished(account.id)
    uploads.open(account.id, until)
  })
  context.accounts.onRelease(async (accountId) => {
    const desk = desks.get(accountId)
    for (const { import_id: importId, number } of desk?.drafts.list() ?? []) {
      uploads.wake(importId)
      await checks.stop(importId)
      await uploads.settled(importId)
      for (const file of desk?.drafts.files(number) ?? []) receiving.close(file.file_id)
    }
    desks.delete(accountId)
  })
  void (async () => {
    for await (const change of context.changes.listen(closing.signal)) {
      if (change.topic !== 'vault') continue
      for (const accountId of desks.keys()) checkUnfinished(accountId)
    }
  })().catch((error: unknown) => context.report('imports vault', error))

  /** Writes a draft's plan and starts sending it. */
  async function plan(found: Found, importId: string): Promise<Import> {
    const { desk, row } = found
    goesOn(found)
    const files = desk.drafts.files(row.number)
    if (files.some(({ state }) => state === 'receiving' || state === 'checking'))
      throw failure(
        'FILE_NOT_CHECKED',
        'Some files haven’t been checked yet.',
        'Wait until the check finishes, or remove the files.',
        { effect: 'Nothing was sent.' },
      )
    planning.add(importId)
    try {
      await checks.stop(importId)
      const task = taskFor(context, desk, importId, files, offers, 'plan')
      const { weighed, offers: planned, requests, fileReports } = await checks.work(task)
      if (requests.length === 0)
        throw failure(
          'NOTHING_READY',
          'No lines of this import are ready to upload.',
          'Choose offers for the lines, or add other files.',
          { effect: 'Nothing was sent.' },
        )
      goesOn(found)
      const own = new Map(task.offers.map((offer) => [offer.offerId, offer]))
      desk.uploads.begin({
        number: row.number,
        at: context.clock.now(),
        ...weighed,
        requests,
        fileReports,
        keyOf: () => context.random.id(),
        offers: planned.flatMap(({ offerId, keys }, position) => {
          const offer = own.get(offerId)
          return keys === 0 || offer === undefined
            ? []
            : [
                {
                  position,
                  offerId,
                  product: productOf(offer),
                  name: offer.name,
                  platform: offer.platform,
                  region: offer.region,
                },
              ]
        }),
      })
    } finally {
      planning.delete(importId)
    }
    await eraseFiles(desk, importId, files)
    uploads.start(desk.accountId, importId)
    changed(desk.accountId, importId)
    return view(found)
  }

  const feature = {
    list({ accountId }: Inputs['list']): Outputs['list'] {
      const desk = deskOf(accountId)
      return desk.drafts
        .list()
        .filter((row) => !after.isReturn(accountId, row.import_id))
        .map((row) => ({
          ...viewSummary(row, accountId),
          upload: book.uploadOf(desk, row),
          title: titleOf(desk.drafts.files(row.number)),
        }))
    },
    create({ accountId }: Inputs['create']): Import {
      const desk = deskOf(accountId)
      const importId = context.random.id()
      desk.drafts.add(importId, context.clock.now())
      changed(accountId, importId)
      return view(find(importId))
    },
    get: ({ importId }: Inputs['get']): Import => view(find(importId)),

    ...drafts,

    /** Writes the complete plan and starts sending it. */
    async upload({ importId }: Inputs['upload']): Promise<Import> {
      const found = findDraft(importId)
      // Hold the lock, because otherwise the plan could be sealed under a key that was replaced in
      // the meantime.
      return context.vault.holdUnlocked(() => plan(found, importId))
    },
    pause({ importId }: Inputs['pause']): Import {
      const found = find(importId)
      if (found.row.state === 'uploading' || found.row.state === 'waiting') {
        found.desk.uploads.setState(found.row.number, 'paused', null)
        found.desk.uploads.note(
          found.row.number,
          context.clock.now(),
          'Paused',
          'A request in flight is still completed',
        )
        uploads.wake(importId)
        changed(found.desk.accountId, importId)
      }
      return view(found)
    },
    resume({ importId }: Inputs['resume']): Import {
      const found = find(importId)
      const { desk, row } = found
      if (row.state === 'paused' || row.state === 'stopped') {
        context.vault.assertUnlocked()
        goesOn(found)
        const request =
          row.state === 'stopped' && !context.accounts.takesIdempotencyKeys(desk.accountId)
            ? desk.uploads.inFlight(row.number)
            : undefined
        if (request !== undefined) desk.uploads.sendAgain(request, true)
        desk.uploads.setState(row.number, 'uploading', null)
        desk.uploads.note(row.number, context.clock.now(), 'Resumed', '')
      }
      if (row.ended_at === null && row.state !== 'draft') uploads.start(desk.accountId, importId)
      changed(desk.accountId, importId)
      return view(found)
    },
    async cancel({ importId }: Inputs['cancel']): Promise<Import> {
      const found = find(importId)
      const { desk, row } = found
      if (row.state === 'draft')
        throw failure(
          'NOT_STARTED',
          'This import’s upload hasn’t started.',
          'Discard the draft instead.',
          { effect: 'Nothing was changed.' },
        )
      if (row.ended_at === null) {
        const now = context.clock.now()
        desk.uploads.setState(row.number, 'cancelled', null, now)
        desk.uploads.note(
          row.number,
          now,
          'Cancelled',
          'Uploaded keys stay on their offers; waiting keys were deleted from this computer',
        )
        const running = uploads.isRunning(importId)
        uploads.wake(importId)
        await uploads.settled(importId)
        if (!running) ended(desk, importId, 'cancelled')
        changed(desk.accountId, importId)
      }
      return view(found)
    },
    async decide({ importId, choice }: Inputs['decide']): Promise<Import> {
      const found = find(importId)
      const { desk, row } = found
      if (row.state !== 'stopped')
        throw failure(
          'CONFLICT',
          'This upload isn’t waiting for a decision.',
          'Check the import and try again.',
          {
            effect: 'Nothing was changed.',
          },
        )
      context.vault.assertUnlocked()
      goesOn(found)
      await uploads.decide(desk.accountId, importId, choice)
      desk.uploads.setState(row.number, 'uploading', null)
      uploads.start(desk.accountId, importId)
      changed(desk.accountId, importId)
      return view(found)
    },
    report: after.report,
    outcomes: after.outcomes,
    exportUnaccepted: after.exportUnaccepted,
    undoPlan: after.undoPlan,
    undo: (input: Inputs['undo']) => after.undo(input),
    async exportRefused({ importId }: Inputs['exportRefused']): Promise<Outputs['exportRefused']> {
      const { desk, row } = find(importId)
      const files = desk.drafts.files(row.number).filter(({ state }) => state === 'checked')
      const lines = await context.vault.holdUnlocked(async () => {
        if (row.state === 'draft')
          await checks.work(taskFor(context, desk, importId, files, offers, 'refused'))
        const { path, key } = refusedOf(sealing(desk, importId))
        return Buffer.concat([...readFrames(path, key)])
      })
      const only = files.length === 1 ? files[0] : undefined
      const extension = only === undefined ? '.txt' : extname(only.name)
      // The lines of a workbook are its rows, with tabs between the cells.
      const textExtension = /^\.xls[xm]?$/i.test(extension)
        ? '.tsv'
        : extension === ''
          ? '.txt'
          : extension
      const fileName =
        only === undefined
          ? 'rejected lines.txt'
          : `${only.name.slice(0, only.name.length - extension.length)} rejected${textExtension}`
      return { fileName, base64: lines.toString('base64') }
    },
    async close(): Promise<void> {
      closing.abort()
      receiving.closeAll()
      await checks.close()
      await uploads.close()
      await after.close()
    },
  }
  return feature
}
export type KeyImport = ReturnType<typeof createKeyImport>
