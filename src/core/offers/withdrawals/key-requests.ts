import { storedAgeMs } from '../../clock.ts'
import { isFailure } from '../../failure.ts'
import { createHash } from 'node:crypto'
import {
  IDEMPOTENCY_KEPT_MS,
  resultOf,
  sendJournaled,
} from '../../journaled-send/journaled-send.ts'
import { maskKey } from '../../mask-key.ts'
import type { OfferSession } from '../changes/offer-session.ts'
import type { OffersContext } from '../context.ts'
import { storeOffers } from '../sync/poll.ts'
import { withdrawnKeyRecord } from '../schema.ts'
import { withdrawalStore } from './withdrawal-store.ts'
import type { StoredWithdrawal, WithdrawalStore } from './withdrawal-store.ts'

/** Called with the keys that left an offer, inside the transaction that saves them in the vault. */
export type KeptListener = (accountId: string, offerId: string, keys: readonly string[]) => void

type Parts = {
  context: OffersContext
  sessionOf: (accountId: string) => OfferSession
  onKept: KeptListener
}

/**
 * Whether repeating the request whose response is missing returns the same keys. After 24 hours, the
 * service would take other keys from the stock.
 */
export const canRepeat = (
  clock: OffersContext['clock'],
  { pieceRepeatable, pieceAt }: Pick<StoredWithdrawal, 'pieceRepeatable' | 'pieceAt'>,
): boolean =>
  pieceRepeatable && (pieceAt === null || storedAgeMs(clock, pieceAt) < IDEMPOTENCY_KEPT_MS)

/** Single requests of a withdrawal: keys from the service into the vault, and the current stock. */
export function createKeyRequests({ context, sessionOf, onKept }: Parts) {
  const storeOf = (accountId: string): WithdrawalStore =>
    withdrawalStore(sessionOf(accountId).store.db)

  async function stockNow(accountId: string, offerId: string): Promise<number> {
    const session = sessionOf(accountId)
    const offer = await context
      .connection(accountId)
      .call('getOffer', { params: { id: offerId } }, { priority: 'person' })
    session.fresh.touch(offerId)
    storeOffers(
      { store: session.store, fresh: session.fresh },
      [offer],
      session.store.sync().round,
      null,
    )
    context.changes.notify('offers', accountId, offerId)
    return offer.stock
  }

  function saveKeys(
    accountId: string,
    { withdrawalId, offerId }: StoredWithdrawal,
    keys: readonly string[],
  ): void {
    const store = storeOf(accountId)
    store.transaction(() => {
      const from = store.kept(withdrawalId)
      for (const [index, key] of keys.entries()) {
        const position = from + index
        store.add({
          withdrawalId,
          position,
          offerId,
          masked: maskKey(key),
          sealed: context.vault.seal(
            accountId,
            withdrawnKeyRecord(withdrawalId, position),
            Buffer.from(key),
          ),
          fingerprint: context.vault.fingerprint(createHash('sha256').update(key).digest()),
          at: context.clock.now(),
        })
      }
      store.endPiece(withdrawalId)
      onKept(accountId, offerId, keys)
    })
    context.changes.notify('vault')
  }

  /**
   * Sends one request: the one whose response is missing, or the next. Returns the number of keys
   * received.
   */
  async function requestKeys(
    accountId: string,
    withdrawal: StoredWithdrawal,
    count: number,
  ): Promise<number> {
    const { withdrawalId, offerId, pieceKey } = withdrawal
    const idempotencyKey = pieceKey ?? context.random.id()
    const pieceCount = pieceKey === null ? count : withdrawal.pieceCount
    const isRepeatable =
      pieceKey === null
        ? context.accounts.acceptsIdempotencyKeys(accountId)
        : withdrawal.pieceRepeatable
    const outcome = await sendJournaled<readonly string[]>({
      again: pieceKey !== null,
      write() {
        if (pieceKey === null)
          storeOf(accountId).beginPiece({
            withdrawalId,
            idempotencyKey,
            pieceCount,
            isRepeatable,
            at: context.clock.now(),
          })
      },
      async send() {
        const { keys } = await context
          .connection(accountId)
          .call(
            'withdrawKeys',
            { params: { id: offerId }, body: { count: pieceCount } },
            isRepeatable
              ? { priority: 'person', idempotencyKey }
              : { priority: 'person', once: true },
          )
        return keys
      },
      // A request that isn't done ends the withdrawal, which then settles both.
      settle(settled) {
        if (settled.state === 'done') saveKeys(accountId, withdrawal, settled.result)
      },
    })
    return resultOf(outcome).length
  }

  /**
   * If all keys are wanted but some were sold since, the remaining stock is all. Returns 0 if none
   * is left; rethrows other errors.
   */
  async function stockAfterSales(
    accountId: string,
    { withdrawalId, offerId, asked }: StoredWithdrawal,
    error: unknown,
  ): Promise<number> {
    if (asked !== null || !isFailure(error, 'INSUFFICIENT_STOCK')) throw error
    const store = storeOf(accountId)
    const left = await stockNow(accountId, offerId)
    store.want(withdrawalId, store.kept(withdrawalId) + left)
    return left
  }

  return { stockNow, requestKeys, stockAfterSales }
}
export type KeyRequests = ReturnType<typeof createKeyRequests>
