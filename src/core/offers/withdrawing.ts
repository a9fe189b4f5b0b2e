import { createHash } from 'node:crypto'
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../contract/index.ts'
import type { Withdrawal } from '../../contract/withdrawals.ts'
import type { CoreContext } from '../context.ts'
import { Failure, failure } from '../failure.ts'
import { lastFour, maskKey } from '../mask-key.ts'
import { isFailure, isUnknown } from './changing.ts'
import type { OfferDesk } from './changing.ts'
import { readOffer } from './list.ts'
import { takeOffers } from './poll.ts'
import { withdrawnKeyRecord } from './schema.ts'
import { withdrawalStore } from './withdrawal-store.ts'
import type { StoredWithdrawal, WithdrawalStore } from './withdrawal-store.ts'
import { releaseWithdrawn, withdrawnValues } from './withdrawn-values.ts'
import type { WithdrawnValue } from './withdrawn-values.ts'

type Inputs = InferContractRouterInputs<Contract['offers']['withdrawals']>
type Outputs = InferContractRouterOutputs<Contract['offers']['withdrawals']>

/**
 * Maximum number of keys per request. Each response is saved in the vault before the next request.
 */
const PIECE = 2000

type Parts = {
  context: CoreContext
  deskOf: (accountId: string) => OfferDesk
  inTurn: <T>(accountId: string, offerId: string, task: () => Promise<T>) => Promise<T>
}

/**
 * Withdraws keys from the service (Decision 29). The service returns them only once: each request
 * is journaled with its Idempotency-Key before it is sent, its keys are encrypted in the
 * transaction that settles it, and only then is anything shown.
 */
export function createWithdrawals({ context, deskOf, inTurn }: Parts) {
  const keptBy: ((accountId: string, offerId: string, keys: readonly string[]) => void)[] = []
  const storeOf = (accountId: string): WithdrawalStore =>
    withdrawalStore(deskOf(accountId).store.db)

  function find(accountId: string, withdrawalId: string): StoredWithdrawal {
    const found = storeOf(accountId).find(withdrawalId)
    if (found === undefined)
      throw failure(
        'NOT_FOUND',
        'Withdrawal not found on this computer.',
        'Check the offer’s list of withdrawals.',
      )
    return found
  }
  const view = (accountId: string, withdrawalId: string): Withdrawal =>
    storeOf(accountId).view(find(accountId, withdrawalId))

  async function stockNow(accountId: string, offerId: string): Promise<number> {
    const desk = deskOf(accountId)
    const offer = await context
      .connection(accountId)
      .call('getOffer', { params: { id: offerId } }, { priority: 'person' })
    desk.fresh.touch(offerId)
    takeOffers(
      { store: desk.store, fresh: desk.fresh, now: () => context.clock.now() },
      [offer],
      desk.store.sync().round,
      null,
    )
    context.changes.notify('offers', accountId, offerId)
    return offer.stock
  }

  function keep(
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
      for (const told of keptBy) told(accountId, offerId, keys)
    })
    context.changes.notify('vault')
  }

  /**
   * Sends one request: the one whose response is missing, or the next. Returns the number of keys
   * received.
   */
  async function piece(
    accountId: string,
    withdrawal: StoredWithdrawal,
    count: number,
  ): Promise<number> {
    const store = storeOf(accountId)
    const takesKeys = context.accounts.takesIdempotencyKeys(accountId)
    const { idempotencyKey, pieceCount } =
      withdrawal.pieceKey === null
        ? store.beginPiece(withdrawal.withdrawalId, context.random.id(), count)
        : { idempotencyKey: withdrawal.pieceKey, pieceCount: withdrawal.pieceCount }
    const answer = await context
      .connection(accountId)
      .call(
        'withdrawKeys',
        { params: { id: withdrawal.offerId }, body: { count: pieceCount } },
        takesKeys ? { priority: 'person', idempotencyKey } : { priority: 'person', once: true },
      )
    const keys = answer.keys ?? []
    keep(accountId, withdrawal, keys)
    return keys.length
  }

  /**
   * If all keys are wanted but some were sold since, the remaining stock is all. Returns 0 if none
   * is left; rethrows other errors.
   */
  async function sold(
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

  /**
   * Repeats requests until all wanted keys are in the vault. Throws the Failure that stopped it;
   * keys received before that stay saved.
   */
  async function take(accountId: string, withdrawalId: string): Promise<void> {
    const store = storeOf(accountId)
    try {
      for (;;) {
        const withdrawal = find(accountId, withdrawalId)
        const left = withdrawal.wanted - store.kept(withdrawalId)
        if (left <= 0 && withdrawal.pieceKey === null) break
        const came = await piece(accountId, withdrawal, Math.min(PIECE, left)).catch(
          (error: unknown) => sold(accountId, withdrawal, error),
        )
        if (came === 0) break
      }
      store.settle(withdrawalId, 'kept', null)
    } catch (error) {
      await fail(accountId, withdrawalId, error)
    } finally {
      await stockNow(accountId, find(accountId, withdrawalId).offerId).catch(() => {
        // The keys are saved; the next sync pass updates the stock.
      })
      context.changes.notify('offers', accountId, find(accountId, withdrawalId).offerId)
    }
    const { offerId, name } = find(accountId, withdrawalId)
    context.activity.add({
      accountId,
      what: 'Keys withdrawn',
      detail: `${store.kept(withdrawalId)} of ${name} (${offerId}), saved in the vault`,
      outcome: 'ok',
      code: null,
      status: null,
      requestId: null,
      durationMs: null,
    })
  }

  async function fail(accountId: string, withdrawalId: string, error: unknown): Promise<never> {
    const store = storeOf(accountId)
    if (!(error instanceof Failure)) throw error
    const withdrawal = find(accountId, withdrawalId)
    const isOpen =
      isUnknown(error) || isFailure(error, 'VAULT_LOCKED', 'VAULT_UNSET', 'SERVICE_UNAVAILABLE')
    // Repeating the request with the same Idempotency-Key returns the same keys, so it is retried
    // when the service responds.
    if (isOpen && context.accounts.takesIdempotencyKeys(accountId)) throw error
    if (isUnknown(error)) {
      const stock = await stockNow(accountId, withdrawal.offerId).catch(() => null)
      if (stock === null || stock < withdrawal.stockBefore - store.kept(withdrawalId)) {
        const problem = failure(
          'ANSWER_LOST',
          'The response with the keys was lost, and this service can’t repeat it.',
          'Check the offer’s stock. If it is lower, ask the service’s support for the keys.',
          { effect: 'Keys may have left the stock.' },
        ).problem
        store.settle(withdrawalId, 'unknown', problem)
        throw new Failure(problem)
      }
    }
    store.settle(withdrawalId, store.kept(withdrawalId) > 0 ? 'kept' : 'refused', error.problem)
    throw error
  }

  /**
   * Settles a withdrawal from a service without Idempotency-Keys that was in flight when Keydesk
   * stopped: its outcome can't be known.
   */
  function cutOff(accountId: string, withdrawalId: string): void {
    const store = storeOf(accountId)
    if (find(accountId, withdrawalId).pieceKey === null)
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
        if (known?.state === 'kept') return view(accountId, withdrawalId)
        if (known === undefined || known.state === 'refused') {
          const row = readOffer(deskOf(accountId).store.db, offerId)
          if (row === undefined)
            throw failure(
              'NOT_FOUND',
              'Offer not found on this computer.',
              'Sync, or check the list of offers.',
              { effect: 'No keys moved.' },
            )
          const stock = await stockNow(accountId, offerId)
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
          store.begin({
            withdrawalId,
            offerId,
            name: row.name,
            asked,
            wanted: asked ?? stock,
            stockBefore: stock,
            at: context.clock.now(),
          })
        }
        await take(accountId, withdrawalId)
        return view(accountId, withdrawalId)
      }),
    )
  }

  return {
    withdraw,
    /**
     * Registers a listener for keys that left an offer. It runs inside the transaction that saves
     * them in the vault.
     */
    onKept: (told: (accountId: string, offerId: string, keys: readonly string[]) => void): void =>
      void keptBy.push(told),
    /** The saved keys in plain text, for a feature that returns them to their offer. */
    values: (accountId: string, withdrawalId: string): Generator<WithdrawnValue, void, void> =>
      withdrawnValues(context.vault, deskOf(accountId).store.db, accountId, withdrawalId),
    /**
     * Finds a withdrawn key in the vault by its fingerprint and returns it masked; null if no
     * withdrawal has it. Throws Failure `VAULT_LOCKED`.
     */
    holding(
      accountId: string,
      fingerprint: Buffer,
    ): { withdrawalId: string; position: number; masked: string; last4: string | null } | null {
      const found = storeOf(accountId).holding(fingerprint)
      if (found === undefined) return null
      const { sealed, ...held } = found
      return {
        ...held,
        last4: lastFour(
          context.vault
            .open(accountId, withdrawnKeyRecord(held.withdrawalId, held.position), sealed)
            .toString(),
        ),
      }
    },
    /** Deletes keys from the vault that are on their offer again. */
    release: (accountId: string, withdrawalId: string, positions: readonly number[]): void =>
      releaseWithdrawn(deskOf(accountId).store.db, withdrawalId, positions),
    async begin({
      accountId,
      offerId,
      count,
      expectedStock,
      typed = null,
    }: Inputs['withdraw']): Promise<Withdrawal> {
      const row = readOffer(deskOf(accountId).store.db, offerId)
      if (row !== undefined && row.stock !== expectedStock)
        throw failure(
          'CHANGED_MEANWHILE',
          `The offer now has ${row.stock} keys.`,
          'Check it, then confirm again.',
          { effect: 'No keys moved.' },
        )
      const keys = count ?? expectedStock
      if (context.accounts.get(accountId).mode === 'live' && typed?.trim() !== String(keys))
        throw failure(
          'INVALID_INPUT',
          `Type ${keys} to withdraw.`,
          'Withdrawing live keys needs the exact number of keys.',
          { effect: 'No keys moved.' },
        )
      return withdraw(accountId, context.random.id(), offerId, count)
    },
    /** Repeats withdrawals whose response is missing, with the same Idempotency-Key. */
    async settleOpen(accountId: string): Promise<void> {
      for (const { withdrawalId, offerId } of storeOf(accountId).open()) {
        if (context.accounts.takesIdempotencyKeys(accountId)) {
          await withdraw(accountId, withdrawalId, offerId, null).catch(() => {
            // The vault is locked or the service is unreachable: the next sync pass tries again.
          })
          continue
        }
        // Runs in the offer's turn, because a running withdrawal settles itself.
        await inTurn(accountId, offerId, async () => {
          if (find(accountId, withdrawalId).state === 'sending') cutOff(accountId, withdrawalId)
        })
      }
    },
    list: ({ accountId, offerId = null }: Inputs['list']): Outputs['list'] =>
      storeOf(accountId).list(offerId).map(storeOf(accountId).view),
    keys({ accountId, withdrawalId, offset = 0, limit = 100 }: Inputs['keys']): Outputs['keys'] {
      find(accountId, withdrawalId)
      const store = storeOf(accountId)
      return { total: store.kept(withdrawalId), keys: store.keys(withdrawalId, offset, limit) }
    },
    reveal({ accountId, withdrawalId, position }: Inputs['reveal']): Outputs['reveal'] {
      const sealed = storeOf(accountId).sealed(withdrawalId, position)
      if (sealed === undefined)
        throw failure(
          'NOT_FOUND',
          'This key isn’t stored on this computer.',
          'Check the withdrawal.',
        )
      context.vault.assertUnlocked()
      const value = context.vault
        .open(accountId, withdrawnKeyRecord(withdrawalId, position), sealed)
        .toString()
      context.activity.add({
        accountId,
        what: 'Key revealed',
        detail: `Key ${position + 1} of a withdrawal from ${find(accountId, withdrawalId).name}`,
        outcome: 'ok',
        code: null,
        status: null,
        requestId: null,
        durationMs: null,
      })
      return { value }
    },
    export({ accountId, withdrawalId }: Inputs['export']): Outputs['export'] {
      const { name, offerId } = find(accountId, withdrawalId)
      const store = storeOf(accountId)
      context.vault.assertUnlocked()
      const total = store.kept(withdrawalId)
      // Keys that are on their offer again leave gaps between the positions of the others.
      const values = [
        ...withdrawnValues(context.vault, deskOf(accountId).store.db, accountId, withdrawalId),
      ].map(({ value }) => value)
      context.activity.add({
        accountId,
        what: 'Keys exported',
        detail: `${total} keys withdrawn from ${name}, in plain text`,
        outcome: 'ok',
        code: null,
        status: null,
        requestId: null,
        durationMs: null,
      })
      return {
        fileName: `withdrawn keys ${offerId} ${new Date(context.clock.now()).toISOString().slice(0, 10)}.txt`,
        base64: Buffer.from(`${values.join('\n')}\n`).toString('base64'),
      }
    },
  }
}
