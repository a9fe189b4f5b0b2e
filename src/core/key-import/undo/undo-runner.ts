import type { Scope } from '../../lifecycle/lifecycle.ts'
import type { KeyImportContext } from '../context.ts'
import type { ImportRegistry } from '../import-registry.ts'
import type { OwnOffers } from '../check/checks.ts'
import { productOf } from '../classify/targets.ts'
import { keyRecords } from '../key-records.ts'
import { fingerprintOf, runUndo } from './undo.ts'
import type { UndoOffers } from './undo.ts'
import { undoStore } from '../undo-store.ts'
import type { UndoRow, UndoStore } from '../undo-store.ts'

export type UndoParts = {
  offers: OwnOffers &
    UndoOffers & {
      withdrawals: {
        onKept(told: (accountId: string, offerId: string, keys: readonly string[]) => void): void
      }
    }
  book: ImportRegistry
  start(accountId: string, importId: string): void
}

/** Runs the undos of all accounts, one after another per account, and resumes them after a restart. */
export function createUndoRunner(context: KeyImportContext, { book, offers, start }: UndoParts) {
  const { changed, sessionOf } = book
  /** The undo that runs, by account. */
  const running = new Map<string, UndoRow>()
  /** The background work of each account that can work. */
  const scopes = new Map<string, Scope>()
  const storeOf = (accountId: string): UndoStore => undoStore(context.mirrors.database(accountId))
  /**
   * The products under which keys of the offer can be recorded. The imports name them too, because
   * a power failure can lose the copy of the offers.
   */
  function productsOf(accountId: string, offerId: string): Set<string> {
    const offer = offers.keys(accountId).find((each) => each.offerId === offerId)
    const stored = keyRecords(context.mirrors.database(accountId)).productsOf(offerId)
    return new Set(offer === undefined ? stored : [...stored, productOf(offer)])
  }
  // A withdrawn key can be uploaded again, by this console too.
  offers.withdrawals.onKept((accountId, offerId, keys) => {
    const records = keyRecords(context.mirrors.database(accountId))
    const fingerprints = keys.map((key) => fingerprintOf(context, key))
    for (const product of productsOf(accountId, offerId))
      records.withdraw(product, fingerprints, context.clock.now())
    context.changes.notify('imports', accountId)
  })

  /** Whether an undo can't proceed until its upload ends. */
  const isReturning = (accountId: string, { state, returnId }: UndoRow): boolean => {
    const upload = sessionOf(accountId).drafts.find(returnId)
    return state === 'returning' && upload !== undefined && upload.ended_at === null
  }
  /** Whether the upload of an undo needs the user, so that the next undo continues without it. */
  const isStuck = (accountId: string, row: UndoRow): boolean => {
    const state = sessionOf(accountId).drafts.find(row.returnId)?.state
    return isReturning(accountId, row) && (state === 'stopped' || state === 'paused')
  }

  /** Runs the account's undos one after another, in the order of their offers. */
  function proceed(accountId: string): void {
    const scope = scopes.get(accountId)
    if (scope === undefined || scope.signal.aborted || running.has(accountId)) return
    const open = storeOf(accountId)
      .open()
      .filter((row) => !isStuck(accountId, row))
    const row = open.find(({ state }) => state !== 'pausing') ?? open[0]
    if (row === undefined) return
    const { signal } = scope
    const work = runUndo(
      {
        context,
        offers,
        session: sessionOf(accountId),
        signal,
        startReturn: (importId) => start(accountId, importId),
        changed: (importId) => changed(accountId, importId),
      },
      row.importNumber,
      row.offer,
    )
      .then(
        () => true,
        (error: unknown) => (context.report('import undo', error), false),
      )
      .then((isExpected) => {
        running.delete(accountId)
        if (!isExpected) return
        const now = storeOf(accountId).find(row.importNumber, row.offer)
        // `returned` continues after the upload of this undo. If it ended while this run was
        // ending, or if it needs the user, the next undo starts now.
        if (now === undefined || !isReturning(accountId, now) || isStuck(accountId, now))
          proceed(accountId)
      })
    running.set(accountId, row)
    void scope.spawn(work)
  }

  return {
    storeOf,
    proceed,
    /** Whether an undo waits for another one of the account. */
    isQueued(accountId: string, { state, importNumber, offer }: UndoRow): boolean {
      const now = running.get(accountId)
      return state === 'pausing' && (now?.importNumber !== importNumber || now.offer !== offer)
    },
    /** The account can work until `scope` ends: resumes its unfinished undos. */
    startAccount(accountId: string, scope: Scope): void {
      scopes.set(accountId, scope)
      proceed(accountId)
    },
    /** Whether an undo of this account is running. No other upload starts during an undo. */
    undoing: (accountId: string): boolean => storeOf(accountId).open().length > 0,
    isReturn: (accountId: string, importId: string): boolean =>
      storeOf(accountId).isReturn(importId),
    /** Resumes an undo after its upload finished. */
    returned(accountId: string, importId: string): void {
      if (storeOf(accountId).byReturn(importId) !== undefined) proceed(accountId)
    },
  }
}
