import type { Withdrawal } from '../../../contract/offers/withdrawals.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { Failure, failure, isFailure } from '../../failure.ts'
import type { OfferSession } from '../changes/offer-session.ts'
import type { OffersContext } from '../context.ts'
import { canRepeat } from './key-requests.ts'
import type { KeyRequests } from './key-requests.ts'
import { readOffer } from '../list/offer-rows.ts'
import { requireWithdrawal, withdrawalStore } from './withdrawal-store.ts'
import type { StoredWithdrawal, WithdrawalStore } from './withdrawal-store.ts'
import { localEntry } from '../../local-entry.ts'

/**
 * Maximum number of keys per request. Each response is saved in the vault before the next request.
 */
const KEYS_PER_REQUEST = 2000

/** A person has to decide: no repetition can find out what happened. */
const finallyUnknown = { certainty: 'unknown', retry: 'never' } as const

type Parts = {
  context: OffersContext
  sessionOf: (accountId: string) => OfferSession
  inTurn: <T>(accountId: string, offerId: string, task: () => Promise<T>) => Promise<T>
  requests: KeyRequests
}

/** Carries out withdrawals, and settles those that failed or were interrupted. */
export function createWithdrawalRun({ context, sessionOf, inTurn, requests }: Parts) {
  const storeOf = (accountId: string): WithdrawalStore =>
    withdrawalStore(sessionOf(accountId).store.db)
  const viewOf = (accountId: string, withdrawalId: string): Withdrawal =>
    storeOf(accountId).view(requireWithdrawal(storeOf(accountId), withdrawalId))

  /**
   * Repeats requests until all wanted keys are in the vault. Throws the Failure that stopped it;
   * keys received before that stay saved.
   */
  async function requestAll(accountId: string, withdrawalId: string): Promise<void> {
    const store = storeOf(accountId)
    try {
      for (;;) {
        const withdrawal = requireWithdrawal(storeOf(accountId), withdrawalId)
        requireRepeatable(accountId, withdrawal)
        const left = withdrawal.wanted - store.kept(withdrawalId)
        if (left <= 0 && withdrawal.pieceKey === null) break
        const came = await requests
          .requestKeys(accountId, withdrawal, Math.min(KEYS_PER_REQUEST, left))
          .catch((error: unknown) => requests.stockAfterSales(accountId, withdrawal, error))
        if (came === 0) break
      }
      store.settle(withdrawalId, 'kept', null)
    } catch (error) {
      await settleFailure(accountId, withdrawalId, error)
    } finally {
      await requests
        .stockNow(accountId, requireWithdrawal(storeOf(accountId), withdrawalId).offerId)
        .catch(() => {
          // The keys are saved; the next sync pass updates the stock.
        })
      context.changes.notify(
        'offers',
        accountId,
        requireWithdrawal(storeOf(accountId), withdrawalId).offerId,
      )
    }
    const { offerId, name } = requireWithdrawal(storeOf(accountId), withdrawalId)
    context.activity.add(
      localEntry({
        accountId,
        what: localized('offers.keys-withdrawn'),
        detail: localized('offers.keys-in-vault', {
          keys: store.kept(withdrawalId),
          offer: name,
          offerId,
        }),
      }),
    )
  }

  /**
   * Throws Failure `ANSWER_LOST` if a response is missing and the request can't be repeated: ever,
   * or while the service says that it takes no Idempotency-Keys, because it would then return
   * other keys.
   */
  function requireRepeatable(accountId: string, withdrawal: StoredWithdrawal): void {
    if (withdrawal.pieceKey === null) return
    if (!canRepeat(context.clock, withdrawal))
      throw failure(
        'ANSWER_LOST',
        'The response with the keys was lost, and the service can’t repeat it.',
        'Check the offer’s stock before you withdraw again.',
        { effect: 'Keys may have left the stock.' },
      )
    if (context.accounts.acceptsIdempotencyKeys(accountId)) return
    throw failure(
      'ANSWER_LOST',
      'The response with the keys was lost, and the service can’t repeat it now.',
      'Keydesk requests the same keys as soon as the service can repeat its response.',
      { effect: 'Keys may have left the stock.' },
    )
  }

  async function settleFailure(
    accountId: string,
    withdrawalId: string,
    error: unknown,
  ): Promise<never> {
    const store = storeOf(accountId)
    if (!(error instanceof Failure)) throw error
    const withdrawal = requireWithdrawal(storeOf(accountId), withdrawalId)
    const isUnknown = error.certainty === 'unknown'
    const isOpen =
      isUnknown || isFailure(error, 'VAULT_LOCKED', 'VAULT_UNSET', 'SERVICE_UNAVAILABLE')
    // Repeating the request with the same Idempotency-Key returns the same keys, so it is retried
    // when the service responds.
    const isRepeated =
      withdrawal.pieceKey === null
        ? context.accounts.acceptsIdempotencyKeys(accountId)
        : canRepeat(context.clock, withdrawal)
    if (isOpen && isRepeated) throw error
    if (isUnknown) {
      const stock = await requests.stockNow(accountId, withdrawal.offerId).catch(() => null)
      if (stock === null || stock < withdrawal.stockBefore - store.kept(withdrawalId)) {
        const problem = failure(
          'ANSWER_LOST',
          'The response with the keys was lost, and this service can’t repeat it.',
          'Check the offer’s stock. If it is lower, ask the service’s support for the keys.',
          { effect: 'Keys may have left the stock.' },
        ).problem
        store.settle(withdrawalId, 'unknown', problem)
        throw new Failure(problem, finallyUnknown)
      }
    }
    store.settle(withdrawalId, store.kept(withdrawalId) > 0 ? 'kept' : 'refused', error.problem)
    throw error
  }

  /**
   * Settles a withdrawal from a service without Idempotency-Keys that was in flight when Keydesk
   * stopped: its outcome can't be known.
   */
  function settleInterrupted(accountId: string, withdrawalId: string): void {
    const store = storeOf(accountId)
    if (requireWithdrawal(storeOf(accountId), withdrawalId).pieceKey === null)
      return store.settle(withdrawalId, store.kept(withdrawalId) > 0 ? 'kept' : 'refused', null)
    store.settle(
      withdrawalId,
      'unknown',
      failure(
        'ANSWER_LOST',
        'Keydesk stopped during the withdrawal, and this service can’t repeat its response.',
        'Check the offer’s stock. If it is lower, ask the service’s support for the keys.',
        { effect: 'Keys may have left the stock.' },
      ).problem,
    )
  }

  /** Checks the stock and journals a new withdrawal. */
  async function journalNew(
    accountId: string,
    withdrawalId: string,
    offerId: string,
    asked: number | null,
  ): Promise<void> {
    const row = readOffer(sessionOf(accountId).store.db, offerId)
    if (row === undefined)
      throw failure(
        'NOT_FOUND',
        'Offer not found on this computer.',
        'Sync, or check the list of offers.',
        { effect: 'No keys moved.' },
      )
    const stock = await requests.stockNow(accountId, offerId)
    if (stock === 0)
      throw failure('INSUFFICIENT_STOCK', 'The offer has no keys.', 'Refresh the offer.', {
        effect: 'No keys moved.',
      })
    if (asked !== null && asked > stock)
      throw failure(
        'INSUFFICIENT_STOCK',
        `The offer has only ${stock} keys.`,
        'Withdraw that many at most.',
        { effect: 'No keys moved.' },
      )
    storeOf(accountId).begin({
      withdrawalId,
      offerId,
      name: row.name,
      asked,
      wanted: asked ?? stock,
      stockBefore: stock,
      at: context.clock.now(),
    })
  }

  /**
   * Starts a withdrawal, or resumes the one with this id. The vault must be open and stays usable
   * until the withdrawal finishes.
   */
  function withdraw(
    accountId: string,
    withdrawalId: string,
    offerId: string,
    asked: number | null,
  ): Promise<Withdrawal> {
    return inTurn(accountId, offerId, () =>
      context.vault.holdUnlocked(async () => {
        const store = storeOf(accountId)
        const known = store.find(withdrawalId)
        if (known?.state === 'kept') return viewOf(accountId, withdrawalId)
        // Another request would return other keys.
        if (known?.state === 'unknown' && known.problem !== null)
          throw new Failure(known.problem, finallyUnknown)
        if (known === undefined || known.state === 'refused') {
          await journalNew(accountId, withdrawalId, offerId, asked)
        }
        await requestAll(accountId, withdrawalId)
        return viewOf(accountId, withdrawalId)
      }),
    )
  }

  return { withdraw, settleInterrupted }
}
