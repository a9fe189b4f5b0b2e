import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Problem } from '../../../contract/base.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import type { Contract } from '../../../contract/index.ts'
import type { ImportReport, UndoPlan } from '../../../contract/keys/import-reports.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { failure } from '../../failure.ts'
import type { KeyImportContext } from '../context.ts'
import type { FoundImport } from '../import-registry.ts'
import type { ConfirmedExport } from '../report/confirmed-export.ts'
import { createImportReport } from '../report/import-report.ts'
import { keyRecords } from '../key-records.ts'
import { KEYS_PER_REQUEST } from '../plan/plan-requests.ts'
import { undoCsv } from './undo-csv.ts'
import { createUndoRunner } from './undo-runner.ts'
import type { UndoParts } from './undo-runner.ts'

export type { UndoParts } from './undo-runner.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>
type Offer = { offerId: string; name: string; position: number }

const nothingChanged = { effect: 'Nothing was changed.' }

/** Everything after an upload: its report, keys the service rejected, and undoing the import. */
export function createAfterUpload(
  context: KeyImportContext,
  parts: UndoParts,
  remaining: (found: FoundImport) => ImportReport['remaining'],
  confirmed: ConfirmedExport,
) {
  const { book, offers } = parts
  const { changed, find } = book
  const runner = createUndoRunner(context, parts)
  const { report, outcomes, exportReport, exportUnaccepted } = createImportReport(
    context,
    book,
    remaining,
    runner,
    confirmed,
  )

  function undoPlan({ importId }: Inputs['undoPlan']): UndoPlan[] {
    const found = find(importId)
    const { session, row } = found
    const own = new Map(offers.keys(session.accountId).map((offer) => [offer.offerId, offer]))
    const records = keyRecords(context.mirrors.database(session.accountId))
    return session.uploads
      .offers(row.number)
      .filter(({ added }) => added > 0)
      .map(({ offerId, name, platform, region, deliveryType, added, position }) => {
        const offer = own.get(offerId)
        const stock = offer?.stock ?? 0
        const gone = records.goneOf(row.number, position)
        return {
          offerId,
          offerName: name,
          platform,
          region,
          deliveryType,
          added,
          gone,
          stock,
          requests: Math.ceil(Math.max(0, stock - (added - gone)) / KEYS_PER_REQUEST),
          safe: context.accounts.acceptsIdempotencyKeys(session.accountId),
          problem: obstacle(found, offer !== undefined),
        }
      })
  }

  /** Resumes an undo that stopped, or begins it. */
  function beginOrResume(found: FoundImport, offer: Offer): void {
    const { session, row } = found
    const store = runner.storeOf(session.accountId)
    const before = store.find(row.number, offer.position)
    if (before?.state === 'stopped' && before.stoppedIn !== null)
      store.enter(before, before.stoppedIn)
    else if (before === undefined || before.state === 'done') beginUndo(found, offer)
  }
  /** Whether an undo of this import on the offer has to start, not resume. */
  function isNew({ session, row }: FoundImport, { position }: Offer): boolean {
    const before = runner.storeOf(session.accountId).find(row.number, position)
    return before === undefined || before.state === 'done'
  }

  /** Starts the undo of an import on one offer, or resumes one that stopped. */
  function undo({ importId, offerId, typed = null }: Inputs['undo']): ImportReport {
    const found = find(importId)
    const { session } = found
    context.vault.assertUnlocked()
    const [offer] = offersOf(found, [offerId])
    if (offer !== undefined && isNew(found, offer)) {
      assertCanUndo(found, [offer])
      assertTyped(found, typed, offer.name, 'the offer’s name')
    }
    if (offer !== undefined) beginOrResume(found, offer)
    runner.proceed(session.accountId)
    changed(session.accountId, importId)
    return report(found)
  }

  /** Starts the undo of an import on several offers, one after another. */
  function undoImport({ importId, offerIds, typed = null }: Inputs['undoImport']): ImportReport {
    const found = find(importId)
    const { session, row } = found
    context.vault.assertUnlocked()
    const chosen = offersOf(found, offerIds)
    const begun = chosen.filter((offer) => isNew(found, offer))
    if (begun.length > 0) {
      assertCanUndo(found, begun)
      assertTyped(found, typed, `import ${row.number}`, '“import” and its number')
    }
    runner.storeOf(session.accountId).transaction(() => {
      for (const offer of chosen) beginOrResume(found, offer)
    })
    runner.proceed(session.accountId)
    changed(session.accountId, importId)
    return report(found)
  }

  /** The offers of an import with these ids. Throws Failure `NOT_FOUND` if it added no keys to one. */
  function offersOf({ session, row }: FoundImport, offerIds: readonly string[]): Offer[] {
    const added = new Map(session.uploads.offers(row.number).map((each) => [each.offerId, each]))
    return [...new Set(offerIds)].map((offerId) => {
      const offer = added.get(offerId)
      if (offer === undefined)
        throw failure(
          'NOT_FOUND',
          `This import added no keys to the offer ${offerId}.`,
          'Check the import and try again.',
          nothingChanged,
        )
      return offer
    })
  }

  function assertCanUndo(found: FoundImport, chosen: readonly Offer[]): void {
    const { accountId } = found.session
    const own = new Set(offers.keys(accountId).map(({ offerId }) => offerId))
    for (const { offerId, name } of chosen) {
      const problem = obstacle(found, own.has(offerId))
      if (problem === null) continue
      const what = problem.code === 'NOT_FOUND' ? `${name}: ${problem.what}` : problem.what
      throw failure(problem.code, what, problem.next, { effect: problem.effect })
    }
    if (runner.undoing(accountId))
      throw failure(
        'UPLOAD_RUNNING',
        'Another import of this account is being undone.',
        'Wait until it finishes.',
        nothingChanged,
      )
  }

  function assertTyped(
    { session }: FoundImport,
    typed: string | null,
    text: string,
    what: string,
  ): void {
    if (context.accounts.get(session.accountId).mode === 'live' && typed?.trim() !== text)
      throw failure(
        'INVALID_INPUT',
        `Type ${what} to undo an import in LIVE.`,
        `Type “${text}”.`,
        nothingChanged,
      )
  }

  function beginUndo({ session, row }: FoundImport, { name, position }: Offer): void {
    const now = context.clock.now()
    runner.storeOf(session.accountId).begin({
      importNumber: row.number,
      offer: position,
      withdrawalId: context.random.id(),
      returnId: context.random.id(),
      at: now,
    })
    session.uploads.note(
      row.number,
      now,
      localized('imports.undo-started'),
      localized('imports.undo-plan', { offer: name }),
    )
  }

  return {
    undoing: runner.undoing,
    isReturn: runner.isReturn,
    returned: runner.returned,
    report: ({ importId }: Inputs['report']): ImportReport => report(find(importId)),
    outcomes,
    exportReport,
    exportUnaccepted,
    undoPlan,
    undo,
    undoImport,
    exportUndo: ({ importId }: Inputs['exportUndo']): Outputs['exportUndo'] => {
      const found = find(importId)
      return {
        fileName: `import-${found.row.number}-undo.csv`,
        base64: Buffer.from(`\ufeff${undoCsv(report(found).undos)}`).toString('base64'),
      }
    },
    startAccount: runner.startAccount,
  }
}

/** Why an import can't be undone now; null if it can. */
function obstacle({ session, row }: FoundImport, isKnownOffer: boolean): Problem | null {
  const problem = (code: ProblemCode, what: string, next: string): Problem =>
    failure(code, what, next, nothingChanged).problem
  if (row.state === 'draft' || row.ended_at === null)
    return problem(
      'UPLOAD_RUNNING',
      'This import is still uploading.',
      'Wait until it finishes, or cancel it.',
    )
  if (session.uploads.active().length > 0)
    return problem(
      'UPLOAD_RUNNING',
      'Another import of this account is uploading.',
      'Wait until it finishes, or pause it.',
    )
  return isKnownOffer
    ? null
    : problem('NOT_FOUND', 'Offer not found on this computer.', 'Sync, or check the offer list.')
}
