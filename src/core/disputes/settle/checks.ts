import type { DisputeEffects, DisputeRow } from '../../../contract/disputes/dispute-records.ts'
import type { DisputeActionKind } from '../../../contract/disputes/dispute-replies.ts'
import { knownProducts } from '../../catalogue/catalogue.ts'
import { failure } from '../../failure.ts'
import { saleOf } from '../../sales/sales.ts'
import type { DisputeAccess } from '../access.ts'
import { readOfferStock } from '../alerts/batch-alarms.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'
import { actionJournal } from './action-journal.ts'
import { effectsOf } from './effects.ts'
import { checkReplacementKey } from './replacement-key.ts'
import type { RequestedAction } from './send-action.ts'

export type ActionInput = { kind: DisputeActionKind; key?: string | undefined }

/** The effect to report when an action isn't carried out. */
export const nothingMoved = (kind: DisputeActionKind): { effect: string } => ({
  effect: kind === 'refund' ? 'No money moved.' : 'No key was sent.',
})

/** Says what an action would change and whether it is possible, before anything is sent. */
export function createSettleChecks({ context, dependencies, accountOf, find }: DisputeAccess) {
  async function effects(
    accountId: string,
    disputeId: string,
    kind: DisputeActionKind,
  ): Promise<DisputeEffects> {
    const account = accountOf(accountId)
    const { db } = account.store
    const row = find(account, disputeId)
    const { offer, alarmsInStock } = await readOfferStock(
      context,
      dependencies,
      accountId,
      row.offerId,
    )
    return effectsOf(kind, {
      row,
      sale: row.saleId === null ? null : saleOf(db, row.saleId),
      offer,
      alarmInStock: alarmsInStock.length > 0,
      underWay: actionJournal(db)
        .of(disputeId)
        .some(({ state }) => state === 'sending' || state === 'unknown'),
      live: context.accounts.get(accountId).mode === 'live',
      balance: dependencies.balance(accountId),
    })
  }

  function checkKey({ store: { db } }: DisputeAccount, row: DisputeRow, key: string) {
    const products = knownProducts(db, row.productId === null ? [] : [row.productId])
    return checkReplacementKey(db, context.vault, actionJournal(db), key, {
      productId: row.productId,
      platform: row.platform,
      deliveryType: products.get(row.productId ?? '')?.deliveryType ?? '',
    })
  }

  /** The action with its checked key. Throws Failure if the key can't be sent. */
  function requested(
    account: DisputeAccount,
    row: DisputeRow,
    { kind, key }: ActionInput,
  ): RequestedAction {
    const nothing = nothingMoved(kind)
    if ((kind === 'replace-key') !== (key !== undefined))
      throw failure(
        'INVALID_INPUT',
        'A replacement with a typed key needs a key, and no other action accepts one.',
        'Choose the action again.',
        nothing,
      )
    if (key !== undefined) context.vault.assertUnlocked()
    const checked = key === undefined ? null : checkKey(account, row, key)
    if (checked?.blocked === true)
      throw failure(
        'BAD_KEY',
        'Not replaced: this key can’t be sent.',
        'Type a key that was never uploaded or sent for this product.',
        { ...nothing, details: { findings: checked.findings } },
      )
    return {
      kind,
      key: checked?.key ?? null,
      fingerprint: checked?.fingerprint ?? null,
      productId: row.productId,
    }
  }

  /** Throws Failure if keys of a batch with an alarm could be sent. Returns the effects. */
  async function assertNoAlarm(
    accountId: string,
    disputeId: string,
    kind: DisputeActionKind,
  ): Promise<DisputeEffects> {
    const found = await effects(accountId, disputeId, kind)
    if (found.obstacle === 'batch-alarm')
      throw failure(
        'CONFLICT',
        'Not replaced: keys of a batch with an alarm are in stock, and the service takes the oldest key.',
        'Withdraw the batch first, or replace with a key.',
        nothingMoved(kind),
      )
    return found
  }

  /** Throws Failure unless the confirmation is the one that the effects require. */
  function assertTyped({ typed: word }: DisputeEffects, typed: string | undefined): void {
    if (word !== null && typed?.trim() !== word)
      throw failure(
        'INVALID_INPUT',
        'Not refunded: the confirmation text doesn’t match.',
        `Type ${word} to refund it.`,
        nothingMoved('refund'),
      )
  }

  return { effects, checkKey, requested, assertNoAlarm, assertTyped }
}
export type SettleChecks = ReturnType<typeof createSettleChecks>
