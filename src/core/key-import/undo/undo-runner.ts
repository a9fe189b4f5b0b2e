import type { Scope } from '../../lifecycle/lifecycle.ts'
import type { KeyImportContext } from '../context.ts'
import type { ImportRegistry } from '../import-registry.ts'
import type { OwnOffers } from '../check/checks.ts'
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

/** Runs undos of all accounts, one per import and offer, and resumes them after a restart. */
export function createUndoRunner(context: KeyImportContext, { book, offers, start }: UndoParts) {
  const { changed, sessionOf } = book
  const running = new Set<string>()
  /** The background work of each account that can work. */
  const scopes = new Map<string, Scope>()
  const storeOf = (accountId: string): UndoStore => undoStore(context.mirrors.database(accountId))
  const productOfOffer = (accountId: string, offerId: string): string => {
    const offer = offers.keys(accountId).find((each) => each.offerId === offerId)
    return offer === undefined || offer.productId === '' ? `offer ${offerId}` : offer.productId
  }
  // A withdrawn key can be uploaded again, by this console too.
  offers.withdrawals.onKept((accountId, offerId, keys) => {
    keyRecords(context.mirrors.database(accountId)).withdraw(
      productOfOffer(accountId, offerId),
      keys.map((key) => fingerprintOf(context, key)),
      context.clock.now(),
    )
    context.changes.notify('imports', accountId)
  })

  function resume(accountId: string, row: Pick<UndoRow, 'importNumber' | 'offer'>): void {
    const scope = scopes.get(accountId)
    const key = `${accountId} ${row.importNumber}.${row.offer}`
    if (scope === undefined || scope.signal.aborted || running.has(key)) return
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
      .catch((error: unknown) => context.report('import undo', error))
      .then(() => {
        running.delete(key)
        const now = storeOf(accountId).find(row.importNumber, row.offer)
        // The undo's upload finished while this run was ending, so run again.
        if (
          now?.state === 'returning' &&
          !signal.aborted &&
          sessionOf(accountId).drafts.find(now.returnId)?.ended_at != null
        )
          resume(accountId, now)
      })
    running.add(key)
    void scope.spawn(work)
  }

  return {
    storeOf,
    resume,
    /** The account can work until `scope` ends: resumes its unfinished undos. */
    startAccount(accountId: string, scope: Scope): void {
      scopes.set(accountId, scope)
      for (const row of storeOf(accountId).open()) resume(accountId, row)
    },
    /** Whether an undo of this account is running. No other upload starts during an undo. */
    undoing: (accountId: string): boolean => storeOf(accountId).open().length > 0,
    isReturn: (accountId: string, importId: string): boolean =>
      storeOf(accountId).isReturn(importId),
    /** Resumes an undo after its upload finished. */
    returned(accountId: string, importId: string): void {
      const row = storeOf(accountId).byReturn(importId)
      if (row !== undefined) resume(accountId, row)
    },
  }
}
