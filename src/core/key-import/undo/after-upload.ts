import type { InferContractRouterInputs } from '@orpc/contract'
import type { Problem } from '../../../contract/base.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import type { Contract } from '../../../contract/index.ts'
import type { ImportReport, UndoPlan } from '../../../contract/keys/import-records.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { failure } from '../../failure.ts'
import type { KeyImportContext } from '../context.ts'
import type { FoundImport } from '../import-registry.ts'
import { createImportReport } from '../report/import-report.ts'
import { keyRecords } from '../key-records.ts'
import { KEYS_PER_REQUEST } from '../plan/plan-requests.ts'
import { createUndoRunner } from './undo-runner.ts'
import type { UndoParts } from './undo-runner.ts'

export type { UndoParts } from './undo-runner.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Offer = { offerId: string; name: string; position: number }

const nothingChanged = { effect: 'Nothing was changed.' }

/** Everything after an upload: its report, keys the service rejected, and undoing the import. */
export function createAfterUpload(
  context: KeyImportContext,
  parts: UndoParts,
  remaining: (found: FoundImport) => ImportReport['remaining'],
) {
  const { book, offers } = parts
  const { changed, find } = book
  const runner = createUndoRunner(context, parts)
  const { report, outcomes, exportReport, exportUnaccepted } = createImportReport(
    context,
    book,
    remaining,
  )

  function undoPlan({ importId }: Inputs['undoPlan']): UndoPlan[] {
    const found = find(importId)
    const { session, row } = found
    const own = new Map(offers.keys(session.accountId).map((offer) => [offer.offerId, offer]))
    const records = keyRecords(context.mirrors.database(session.accountId))
    return session.uploads
      .offers(row.number)
      .filter(({ added }) => added > 0)
      .map(({ offerId, name, added, position }) => {
        const offer = own.get(offerId)
        const stock = offer?.stock ?? 0
        const gone = records.goneOf(row.number, position)
        return {
          offerId,
          offerName: name,
          added,
          gone,
          stock,
          requests: Math.ceil(Math.max(0, stock - (added - gone)) / KEYS_PER_REQUEST),
          safe: context.accounts.acceptsIdempotencyKeys(session.accountId),
          problem: obstacle(found, offer !== undefined),
        }
      })
  }

  /** Starts the undo of an import on one offer, or resumes one that stopped. */
  function undo({ importId, offerId, typed = null }: Inputs['undo']): ImportReport {
    const found = find(importId)
    const { session, row } = found
    context.vault.assertUnlocked()
    const offer = session.uploads.offers(row.number).find((each) => each.offerId === offerId)
    if (offer === undefined)
      throw failure(
        'NOT_FOUND',
        'This import added no keys to that offer.',
        'Check the import and try again.',
        nothingChanged,
      )
    const store = runner.storeOf(session.accountId)
    const before = store.find(row.number, offer.position)
    if (before?.state === 'stopped' && before.stoppedIn !== null)
      store.enter(before, before.stoppedIn)
    else if (before === undefined || before.state === 'done') {
      assertCanUndo(found, offer, typed)
      beginUndo(found, offer)
    }
    runner.resume(session.accountId, { importNumber: row.number, offer: offer.position })
    changed(session.accountId, importId)
    return report(found)
  }

  function assertCanUndo(found: FoundImport, { offerId, name }: Offer, typed: string | null): void {
    const { accountId } = found.session
    const problem = obstacle(
      found,
      offers.keys(accountId).some((each) => each.offerId === offerId),
    )
    if (problem !== null)
      throw failure(problem.code, problem.what, problem.next, { effect: problem.effect })
    if (context.accounts.get(accountId).mode === 'live' && typed?.trim() !== name)
      throw failure(
        'INVALID_INPUT',
        'Type the offer’s name to undo an import on a live offer.',
        `Type “${name}”.`,
        nothingChanged,
      )
    if (runner.undoing(accountId))
      throw failure(
        'UPLOAD_RUNNING',
        'Another import of this account is being undone.',
        'Wait until it finishes.',
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
