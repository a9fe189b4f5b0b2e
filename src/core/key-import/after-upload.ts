import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import { existsSync } from 'node:fs'
import type { Problem } from '../../contract/base.ts'
import type { Contract } from '../../contract/index.ts'
import type { ImportReport, ImportUndo, UndoPlan } from '../../contract/imports.ts'
import type { CoreContext } from '../context.ts'
import { failure } from '../failure.ts'
import type { Found, ImportBook } from './book.ts'
import { importFileNames } from './batch-facts.ts'
import type { OwnOffers } from './checks.ts'
import { spoolOf } from './key-check-task.ts'
import { fingerprintOf, runUndo } from './undo.ts'
import type { UndoOffers } from './undo.ts'
import { keyRecords } from './key-records.ts'
import { KEYS_PER_REQUEST } from './plan-requests.ts'
import { readUnaccepted, unacceptedText } from './unaccepted.ts'
import { undoStore } from './undo-store.ts'
import type { UndoRow, UndoStore } from './undo-store.ts'
import type { ImportDesk } from './uploads.ts'

type Inputs = InferContractRouterInputs<Contract['imports']>
type Outputs = InferContractRouterOutputs<Contract['imports']>

export type UndoParts = {
  offers: OwnOffers &
    UndoOffers & {
      withdrawals: {
        onKept(told: (accountId: string, offerId: string, keys: readonly string[]) => void): void
      }
    }
  book: ImportBook
  start(accountId: string, importId: string): void
}

/** Everything after an upload: its report, keys the service rejected, and undoing the import. */
export function createAfterUpload(context: CoreContext, { book, offers, start }: UndoParts) {
  const { changed, deskOf, find, sealing } = book
  const running = new Map<string, Promise<void>>()
  const signals = new Map<string, AbortSignal>()
  const storeOf = (accountId: string): UndoStore => undoStore(context.mirrors.database(accountId))
  const productOfOffer = (accountId: string, offerId: string): string => {
    const offer = offers.keys(accountId).find((each) => each.offerId === offerId)
    return offer === undefined || offer.productId === '' ? `offer ${offerId}` : offer.productId
  }
  // A withdrawn key can be uploaded again, by this console too.
  offers.withdrawals.onKept((accountId, offerId, keys) => {
    keyRecords(context.mirrors.database(accountId)).leave(
      productOfOffer(accountId, offerId),
      keys.map((key) => fingerprintOf(context, key)),
      context.clock.now(),
    )
    context.changes.notify('imports', accountId)
  })

  function goOn(accountId: string, row: Pick<UndoRow, 'importNumber' | 'offer'>): void {
    const signal = signals.get(accountId)
    const key = `${accountId} ${row.importNumber}.${row.offer}`
    if (signal === undefined || signal.aborted || running.has(key)) return
    const work = runUndo(
      {
        context,
        offers,
        desk: deskOf(accountId),
        signal,
        startReturn: (importId) => start(accountId, importId),
        changed: (importId) => changed(accountId, importId),
      },
      row.importNumber,
      row.offer,
    )
      .catch((error: unknown) => context.report('import undo', error))
      .then(() => {
        running.delete(key)
        const now = storeOf(accountId).find(row.importNumber, row.offer)
        // The undo's upload finished while this run was ending, so run again.
        if (
          now?.state === 'returning' &&
          !signal.aborted &&
          deskOf(accountId).drafts.find(now.returnId)?.ended_at != null
        )
          goOn(accountId, now)
      })
    running.set(key, work)
  }

  function viewUndo(desk: ImportDesk, row: UndoRow): ImportUndo {
    const upload = row.toReturn === 0 ? undefined : desk.drafts.find(row.returnId)
    const totals = upload === undefined ? [] : desk.uploads.offers(upload.number)
    const stuck =
      upload?.state === 'stopped' && upload.problem !== null
        ? (JSON.parse(upload.problem) as Problem)
        : null
    return {
      offerId: row.offerId,
      offerName: row.offerName,
      state: stuck === null ? row.state : 'stopped',
      startedAt: row.startedAt,
      endedAt: row.endedAt,
      takenBack: row.takenBack,
      toReturn: row.toReturn,
      returned: totals.reduce((sum, { added, duplicates }) => sum + added + duplicates, 0),
      withdrawalId: row.withdrawalId,
      problem: stuck ?? (row.problem === null ? null : (JSON.parse(row.problem) as Problem)),
    }
  }
  const unacceptedFile = ({ desk, row }: Found) =>
    spoolOf(sealing(desk, row.import_id), 'unaccepted')

  function report(found: Found): ImportReport {
    const { desk, row } = found
    const db = context.mirrors.database(desk.accountId)
    const told = keyRecords(db).told(row.number)
    const known = new Map(desk.uploads.fileReports(row.number).map((each) => [each.position, each]))
    const count = (position: number, fate: string): number =>
      told
        .filter((each) => each.file === position && each.fate === fate)
        .reduce((sum, each) => sum + each.count, 0)
    return {
      files: desk.drafts.files(row.number).map(({ name, position, lines }) => ({
        name,
        read: lines,
        cleaned: known.get(position)?.cleaned ?? 0,
        refused: known.get(position)?.refused ?? 0,
        refusedLines: known.get(position)?.lines ?? '',
        added: count(position, 'added'),
        duplicates: count(position, 'duplicate'),
        unsure: count(position, 'unsure'),
        notTaken: count(position, 'refused'),
      })),
      unaccepted: told
        .filter(({ fate }) => fate === 'refused')
        .reduce((sum, each) => sum + each.count, 0),
      undos: undoStore(db)
        .ofImport(row.number)
        .map((each) => viewUndo(desk, each)),
    }
  }

  /** Why an import can't be undone now; null if it can. */
  function obstacle({ desk, row }: Found, known: boolean): Problem | null {
    const refuse = (code: string, what: string, next: string): Problem =>
      failure(code, what, next, { effect: 'Nothing was changed.' }).problem
    if (row.state === 'draft' || row.ended_at === null)
      return refuse(
        'UPLOAD_RUNNING',
        'This import is still uploading.',
        'Wait until it finishes, or cancel it.',
      )
    if (desk.uploads.active().length > 0)
      return refuse(
        'UPLOAD_RUNNING',
        'Another import of this account is uploading.',
        'Wait until it finishes, or pause it.',
      )
    return known
      ? null
      : refuse('NOT_FOUND', 'Offer not found on this computer.', 'Sync, or check the offer list.')
  }

  context.accounts.onReady((account, signal) => {
    if (account.role !== 'seller') return
    signals.set(account.id, signal)
    for (const row of storeOf(account.id).open()) goOn(account.id, row)
  })
  context.accounts.onRelease(async (accountId) => {
    signals.delete(accountId)
    await Promise.allSettled(
      [...running].filter(([key]) => key.startsWith(`${accountId} `)).map(([, work]) => work),
    )
  })

  return {
    /** Whether an undo of this account is running. No other upload starts during an undo. */
    undoing: (accountId: string): boolean => storeOf(accountId).open().length > 0,
    isReturn: (accountId: string, importId: string): boolean =>
      storeOf(accountId).isReturn(importId),
    /** Resumes an undo after its upload finished. */
    returned(accountId: string, importId: string): void {
      const row = storeOf(accountId).byReturn(importId)
      if (row !== undefined) goOn(accountId, row)
    },
    report: ({ importId }: Inputs['report']): ImportReport => report(find(importId)),
    outcomes({ importId, fate, offset = 0, limit = 100 }: Inputs['outcomes']): Outputs['outcomes'] {
      const { desk, row } = find(importId)
      const db = context.mirrors.database(desk.accountId)
      const files = importFileNames(db, row.number)
      const names = new Map(
        desk.uploads.offers(row.number).map(({ position, name }) => [position, name]),
      )
      return keyRecords(db)
        .lines(row.number, fate, { offset, limit })
        .map(({ file, line, offer }) => ({
          fileName: files.get(file) ?? '',
          line,
          offerName: names.get(offer ?? 0) ?? '',
        }))
    },
    async exportUnaccepted({
      importId,
    }: Inputs['exportUnaccepted']): Promise<Outputs['exportUnaccepted']> {
      const found = find(importId)
      return context.vault.holdUnlocked(async () => {
        const file = unacceptedFile(found)
        if (!existsSync(file.path))
          throw failure(
            'NOT_FOUND',
            'The service accepted every key of this import.',
            'There is nothing to export.',
          )
        const { text, table } = unacceptedText(readUnaccepted(file))
        return {
          fileName: `import ${found.row.number} rejected keys.${table ? 'csv' : 'txt'}`,
          base64: Buffer.from(text).toString('base64'),
        }
      })
    },
    undoPlan({ importId }: Inputs['undoPlan']): UndoPlan[] {
      const found = find(importId)
      const { desk, row } = found
      const own = new Map(offers.keys(desk.accountId).map((offer) => [offer.offerId, offer]))
      const records = keyRecords(context.mirrors.database(desk.accountId))
      return desk.uploads
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
            safe: context.accounts.takesIdempotencyKeys(desk.accountId),
            problem: obstacle(found, offer !== undefined),
          }
        })
    },
    undo({ importId, offerId, typed = null }: Inputs['undo']): ImportReport {
      const found = find(importId)
      const { desk, row } = found
      context.vault.assertUnlocked()
      const offer = desk.uploads.offers(row.number).find((each) => each.offerId === offerId)
      if (offer === undefined)
        throw failure(
          'NOT_FOUND',
          'This import added no keys to that offer.',
          'Check the import and try again.',
          { effect: 'Nothing was changed.' },
        )
      const store = storeOf(desk.accountId)
      const before = store.find(row.number, offer.position)
      if (before?.state === 'stopped' && before.stoppedIn !== null)
        store.enter(before, before.stoppedIn)
      else if (before === undefined || before.state === 'done') {
        const problem = obstacle(
          found,
          offers.keys(desk.accountId).some((each) => each.offerId === offerId),
        )
        if (problem !== null)
          throw failure(problem.code, problem.what, problem.next, { effect: problem.effect })
        if (context.accounts.get(desk.accountId).mode === 'live' && typed?.trim() !== offer.name)
          throw failure(
            'INVALID_INPUT',
            'Type the offer’s name to undo an import on a live offer.',
            `Type “${offer.name}”.`,
            { effect: 'Nothing was changed.' },
          )
        if (this.undoing(desk.accountId))
          throw failure(
            'UPLOAD_RUNNING',
            'Another import of this account is being undone.',
            'Wait until it finishes.',
            { effect: 'Nothing was changed.' },
          )
        const now = context.clock.now()
        store.begin({
          importNumber: row.number,
          offer: offer.position,
          withdrawalId: context.random.id(),
          returnId: context.random.id(),
          at: now,
        })
        desk.uploads.note(
          row.number,
          now,
          'Undo started',
          `Keydesk pauses ${offer.name}, withdraws its keys and uploads the keys of other imports again`,
        )
      }
      goOn(desk.accountId, { importNumber: row.number, offer: offer.position })
      changed(desk.accountId, importId)
      return report(found)
    },
    async close(): Promise<void> {
      await Promise.allSettled(running.values())
    },
  }
}
