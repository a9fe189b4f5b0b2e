import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { DisputeDetail, DisputeRow } from '../../../contract/disputes/dispute-records.ts'
import type { Contract } from '../../../contract/index.ts'
import { knownProducts } from '../../catalogue/catalogue.ts'
import { failure } from '../../failure.ts'
import { saleOf } from '../../sales/sales.ts'
import type { DisputeAccess } from '../access.ts'
import { readOfferStock } from '../alerts/batch-alarms.ts'
import { actionJournal } from './action-journal.ts'
import type { ActionJournal } from './action-journal.ts'
import { effectsOf } from './effects.ts'
import { checkReplacementKey } from './replacement-key.ts'
import { sendAction } from './send-action.ts'
import type { DisputeAccount } from '../sync/write-disputes.ts'

type Inputs = InferContractRouterInputs<Contract['disputes']>
type Outputs = InferContractRouterOutputs<Contract['disputes']>

/** Previews, checks and sends replacements and refunds. */
export function createSettleProcedures(access: DisputeAccess) {
  const { context, dependencies, accountOf, find, detail, notifyChanged } = access
  const actionsOf = (accountId: string): ActionJournal =>
    actionJournal(context.mirrors.database(accountId))

  async function effects({
    accountId,
    disputeId,
    kind,
  }: Inputs['effects']): Promise<Outputs['effects']> {
    const account = accountOf(accountId)
    const row = find(account, disputeId)
    const { offer, alarmsInStock } = await readOfferStock(
      context,
      dependencies,
      accountId,
      row.offerId,
    )
    return effectsOf(kind, {
      row,
      sale: row.saleId === null ? null : saleOf(account.store.db, row.saleId),
      offer,
      alarmInStock: alarmsInStock.length > 0,
      underWay: actionsOf(accountId)
        .of(disputeId)
        .some(({ state }) => state === 'sending' || state === 'unknown'),
      live: context.accounts.get(accountId).mode === 'live',
      balance: dependencies.balance(accountId),
    })
  }
  function checkKey({ accountId, store }: DisputeAccount, row: DisputeRow, key: string) {
    const products = knownProducts(store.db, row.productId === null ? [] : [row.productId])
    return checkReplacementKey(store.db, context.vault, actionsOf(accountId), key, {
      productId: row.productId,
      platform: row.platform,
      deliveryType: products.get(row.productId ?? '')?.deliveryType ?? '',
    })
  }
  /** Throws Failure unless the input fits the action, and its confirmation the dispute. */
  async function assertInput(input: Inputs['act'], nothing: { effect: string }): Promise<void> {
    if ((input.kind === 'replace-key') !== (input.key !== undefined))
      throw failure(
        'INVALID_INPUT',
        'A replacement with a typed key needs a key, and no other action accepts one.',
        'Choose the action again.',
        nothing,
      )
    const { typed: word, obstacle } = await effects(input)
    if (obstacle === 'batch-alarm')
      throw failure(
        'CONFLICT',
        'Not replaced: keys of a batch with an alarm are in stock, and the service takes the oldest key.',
        'Withdraw the batch first, or replace with a key.',
        nothing,
      )
    if (word !== null && input.typed?.trim() !== word)
      throw failure(
        'INVALID_INPUT',
        'Not refunded: the confirmation text doesn’t match.',
        `Type ${word} to refund it.`,
        nothing,
      )
  }

  return {
    effects,
    checkKey({ accountId, disputeId, key }: Inputs['checkKey']): Outputs['checkKey'] {
      const account = accountOf(accountId)
      const { blocked, findings } = checkKey(account, find(account, disputeId), key)
      return { blocked, findings }
    },
    async act(input: Inputs['act']): Promise<DisputeDetail> {
      const { accountId, disputeId, kind, key, seen } = input
      const account = accountOf(accountId)
      const row = find(account, disputeId)
      const nothing = { effect: kind === 'refund' ? 'No money moved.' : 'No key was sent.' }
      await assertInput(input, nothing)
      if (key !== undefined) context.vault.assertUnlocked()
      const checked = key === undefined ? null : checkKey(account, row, key)
      if (checked?.blocked === true)
        throw failure(
          'BAD_KEY',
          'Not replaced: this key can’t be sent.',
          'Type a key that was never uploaded or sent for this product.',
          { ...nothing, details: { findings: checked.findings } },
        )
      const wanted = {
        kind,
        key: checked?.key ?? null,
        fingerprint: checked?.fingerprint ?? null,
        productId: row.productId,
      }
      try {
        await account.serial(disputeId, () =>
          sendAction(account, actionsOf(accountId), disputeId, wanted, seen),
        )
      } finally {
        notifyChanged(accountId, disputeId)
        if (kind === 'replace-stock') dependencies.offersChanged(accountId)
      }
      return detail(accountId, disputeId)
    },
    async dismissAction({
      accountId,
      disputeId,
      actionId,
    }: Inputs['dismissAction']): Promise<DisputeDetail> {
      if (actionsOf(accountId).find(actionId)?.disputeId === disputeId)
        actionsOf(accountId).dismiss(actionId)
      context.changes.notify('disputes', accountId, disputeId)
      return detail(accountId, disputeId)
    },
  }
}
