import type { Cents } from '../../../../server/api/money.ts'
import type { InferContractRouterInputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { Import } from '../../../contract/keys/import-records.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { Failure, failure } from '../../failure.ts'
import type { KeyImportContext } from '../context.ts'
import type { createAfterUpload } from '../undo/after-upload.ts'
import type { FoundImport, ImportRegistry } from '../import-registry.ts'
import { hasChanged, taskFor } from '../check/checks.ts'
import { noTotals } from '../draft-store.ts'
import type { createChecks, OwnOffers } from '../check/checks.ts'
import { productOf } from '../classify/targets.ts'
import type { createUploads } from './uploads.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>

/** Stores what a unit of an offer cost. */
export type OfferTerms = {
  setTerms(input: { accountId: string; offerIds: string[]; costCents: Cents }): unknown
}

type Parts = {
  context: KeyImportContext
  offers: OwnOffers & OfferTerms
  book: ImportRegistry
  checks: ReturnType<typeof createChecks>
  uploads: ReturnType<typeof createUploads>
  after: Pick<ReturnType<typeof createAfterUpload>, 'undoing' | 'isReturn'>
}

/** The commands that start, pause, resume and cancel uploads. */
export function createUploadCommands({ context, offers, book, checks, uploads, after }: Parts) {
  const { changed, eraseFiles, find, findDraft, planning, view } = book

  /** Throws Failure `UPLOAD_RUNNING` if another upload or an undo of the account is running. */
  function assertNoOtherUpload({ session, row }: FoundImport): void {
    if (after.undoing(session.accountId) && !after.isReturn(session.accountId, row.import_id))
      throw failure(
        'UPLOAD_RUNNING',
        'Another import of this account is being undone.',
        'Wait until it finishes.',
        { effect: 'Nothing was sent.' },
      )
    const other = session.uploads.active().find(({ number }) => number !== row.number)
    if (other !== undefined)
      throw failure(
        'UPLOAD_RUNNING',
        'Another import of this account is uploading.',
        'Wait until it finishes, or pause it.',
        { effect: 'Nothing was sent.' },
      )
  }

  /** Throws Failure `CHANGED_MEANWHILE` if the plan isn't what the check has shown. */
  function assertAsShown(
    { session, row }: FoundImport,
    shown: number | null,
    { sums, problems }: Pick<Import, 'sums' | 'problems'>,
  ): void {
    // Trusts the JSON because this feature stored it itself.
    const before = { ...noTotals, ...(JSON.parse(row.sums) as Partial<Import['sums']>) }
    if (!hasChanged(before, sums) && (shown ?? sums.ready) === sums.ready) return
    session.drafts.setTotals(row.number, sums, problems)
    book.sumsBefore.set(row.import_id, before)
    changed(session.accountId, row.import_id)
    throw failure(
      'CHANGED_MEANWHILE',
      'Other lines are ready than when this import was checked.',
      'Check the new totals, then upload again.',
      { effect: 'Nothing was sent.' },
    )
  }

  /** Writes a draft's plan and starts sending it. */
  async function plan(found: FoundImport, importId: string, shown: number | null): Promise<Import> {
    const { session, row } = found
    assertNoOtherUpload(found)
    const files = session.drafts.files(row.number)
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
      const task = taskFor(context, session, importId, files, offers, 'plan')
      const {
        classified,
        offers: planned,
        requests,
        fileReports,
        purchases,
      } = await checks.work(task)
      assertAsShown(found, shown, classified)
      if (requests.length === 0)
        throw failure(
          'NOTHING_READY',
          'No lines of this import are ready to upload.',
          'Choose offers for the lines, or add other files.',
          { effect: 'Nothing was sent.' },
        )
      assertNoOtherUpload(found)
      const own = new Map(task.offers.map((offer) => [offer.offerId, offer]))
      session.uploads.begin({
        number: row.number,
        at: context.clock.now(),
        ...classified,
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
                  deliveryType: offer.deliveryType,
                },
              ]
        }),
      })
      session.drafts.setPurchases(row.number, purchases)
      for (const { offerId, costCents } of purchases)
        if (costCents !== null)
          offers.setTerms({ accountId: session.accountId, offerIds: [offerId], costCents })
    } finally {
      planning.delete(importId)
    }
    await eraseFiles(session, importId, files)
    uploads.start(session.accountId, importId)
    changed(session.accountId, importId)
    return view(found)
  }

  /**
   * Pauses an upload and waits until it isn't running, so that the response in flight is settled and
   * a kill leaves a paused import. Returns false if it has ended.
   */
  async function halt({ session, row }: FoundImport, importId: string): Promise<boolean> {
    do {
      if (find(importId).row.ended_at !== null) return false
      session.uploads.setState(row.number, 'paused', null)
      // Settling may take long, and canceling may fail after it.
      changed(session.accountId, importId)
      uploads.wake(importId)
      await uploads.settled(importId)
      // It may have been resumed in another window.
    } while (uploads.isRunning(importId))
    return find(importId).row.ended_at === null
  }

  /** Notes why an upload that was paused to be canceled stays paused. */
  function notePaused({ session, row }: FoundImport, error: unknown): void {
    session.uploads.note(
      row.number,
      context.clock.now(),
      localized('imports.paused'),
      error instanceof Failure
        ? localized('imports.not-canceled', { reason: error.problem.what })
        : null,
    )
  }

  return {
    /** Writes the complete plan and starts sending it. */
    async upload({ importId, ready = null }: Inputs['upload']): Promise<Import> {
      const found = findDraft(importId)
      // Hold the lock, because otherwise the plan could be sealed under a key that was replaced in
      // the meantime.
      return context.vault.holdUnlocked(() => plan(found, importId, ready))
    },
    pause({ importId }: Inputs['pause']): Import {
      const found = find(importId)
      if (found.row.state === 'uploading' || found.row.state === 'waiting') {
        found.session.uploads.setState(found.row.number, 'paused', null)
        found.session.uploads.note(
          found.row.number,
          context.clock.now(),
          localized('imports.paused'),
          localized('imports.paused-effect'),
        )
        uploads.wake(importId)
        changed(found.session.accountId, importId)
      }
      return view(found)
    },
    resume({ importId }: Inputs['resume']): Import {
      const found = find(importId)
      const { session, row } = found
      if (row.state === 'paused' || row.state === 'stopped') {
        context.vault.assertUnlocked()
        assertNoOtherUpload(found)
        const request =
          row.state === 'stopped' && !context.accounts.acceptsIdempotencyKeys(session.accountId)
            ? session.uploads.inFlight(row.number)
            : undefined
        if (request !== undefined) session.uploads.sendAgain(request, true)
        session.uploads.setState(row.number, 'uploading', null)
        session.uploads.note(row.number, context.clock.now(), localized('imports.resumed'), null)
      }
      if (row.ended_at === null && row.state !== 'draft') uploads.start(session.accountId, importId)
      changed(session.accountId, importId)
      return view(found)
    },
    async cancel({ importId }: Inputs['cancel']): Promise<Import> {
      const found = find(importId)
      const { session, row } = found
      if (row.state === 'draft')
        throw failure(
          'NOT_STARTED',
          'This import’s upload hasn’t started.',
          'Discard the draft instead.',
          { effect: 'Nothing was changed.' },
        )
      if (row.ended_at === null && session.uploads.inDoubt(row.number).length > 0)
        context.vault.assertUnlocked()
      if (await halt(found, importId))
        try {
          uploads.cancel(session.accountId, importId)
        } catch (error) {
          notePaused(found, error)
          throw error
        } finally {
          changed(session.accountId, importId)
        }
      return view(found)
    },
    async decide({ importId, choice }: Inputs['decide']): Promise<Import> {
      const found = find(importId)
      const { session, row } = found
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
      assertNoOtherUpload(found)
      await uploads.decide(session.accountId, importId, choice)
      session.uploads.setState(row.number, 'uploading', null)
      uploads.start(session.accountId, importId)
      changed(session.accountId, importId)
      return view(found)
    },
  }
}
