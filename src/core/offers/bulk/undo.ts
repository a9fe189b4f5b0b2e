import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { Bulk, BulkLine } from '../../../contract/offers/offer-bulk.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { t } from '../../../contract/localization/localized.ts'
import { failure } from '../../failure.ts'
import type { OfferSession } from '../changes/offer-session.ts'
import type { OffersContext } from '../context.ts'
import { demandGuard, demandTyped } from './planning/confirmation.ts'
import type { Plan, PlanCache } from './planning/plan.ts'
import type { PriceLimits } from './planning/rules.ts'
import { planUndo, reversedTitle } from './planning/undo.ts'
import { viewBulk } from './runner.ts'
import type { BulkStore, StoredBulk } from './store.ts'

type Inputs = InferContractRouterInputs<Contract['offers']['bulk']>
type Outputs = InferContractRouterOutputs<Contract['offers']['bulk']>

/** Most left-out offers that a preview names. */
const MOST_NAMED = 200

type Parts = {
  context: Pick<OffersContext, 'accounts' | 'settings'>
  plans: PlanCache
  sessionOf: (accountId: string) => OfferSession
  /** The limits of an offer's price. */
  limits: (accountId: string, row: OfferRow) => PriceLimits
  find: (accountId: string, bulkId: string) => { store: BulkStore; bulk: StoredBulk }
  begin: (
    accountId: string,
    bulk: { kind: StoredBulk['kind']; title: string; undoes: string },
    lines: readonly BulkLine[],
  ) => Promise<Bulk>
}

/** Undoes bulk changes: shows the offers that an undo would restore, and starts it. */
export function createBulkUndo({ context, plans, sessionOf, limits, find, begin }: Parts) {
  function planOf(accountId: string, bulkId: string): Promise<Plan> {
    const { store, bulk } = find(accountId, bulkId)
    const { db } = sessionOf(accountId).store
    const guardPercent = context.settings.get().priceGuard
    return plans.recall(accountId, db, JSON.stringify(['undo', bulkId, guardPercent]), () =>
      planUndo(
        { db, guardPercent, limits: (row) => limits(accountId, row) },
        store.doneLines(bulk.number),
      ),
    )
  }

  /** The bulk change. Throws Failure `CONFLICT` if it can't be undone, or was undone already. */
  function undoableBulk(accountId: string, bulkId: string): StoredBulk {
    const { store, bulk } = find(accountId, bulkId)
    if (viewBulk(store, bulk).undoable === 0)
      throw failure('CONFLICT', 'There is nothing to undo.', 'Check the list of bulk changes.', {
        effect: 'No offer was changed.',
      })
    return bulk
  }

  return {
    async undoPreview({
      accountId,
      bulkId,
    }: Inputs['undoPreview']): Promise<Outputs['undoPreview']> {
      const { lines, summary, fingerprint } = await planOf(accountId, bulkId)
      return {
        changes: summary.changes,
        leftOut: summary.leftOut,
        fingerprint,
        rows: lines
          .filter(({ verdict }) => verdict === 'left-out')
          .slice(0, MOST_NAMED)
          .map(({ subjectId, name, platform, region, deliveryType }) => ({
            subjectId,
            name,
            platform,
            region,
            deliveryType,
          })),
      }
    },
    async undo({
      accountId,
      bulkId,
      fingerprint = null,
      typed = null,
      beyondGuard = false,
    }: Inputs['undo']): Promise<Bulk> {
      undoableBulk(accountId, bulkId)
      const plan = await planOf(accountId, bulkId)
      // Another undo of it can have started while this one was planned.
      const { kind, title } = undoableBulk(accountId, bulkId)
      const lines = plan.lines.filter(({ verdict }) => verdict === 'changes')
      if (lines.length === 0)
        throw failure(
          'CHANGED_MEANWHILE',
          'All of these offers have changed since.',
          'Check the offers.',
          { effect: 'No offer was changed.' },
        )
      if (fingerprint !== null && fingerprint !== plan.fingerprint)
        throw failure(
          'CHANGED_MEANWHILE',
          `Offers changed. The undo now changes ${t('counts.offers', { count: lines.length })}.`,
          'Check the offers that keep their values, then confirm again.',
          { effect: 'No offer was changed.' },
        )
      demandGuard(plan.summary, beyondGuard)
      demandTyped(context.accounts.get(accountId).mode, {
        count: lines.length,
        isFinal: false,
        typed,
      })
      return begin(accountId, { kind, title: reversedTitle(title), undoes: bulkId }, lines)
    },
  }
}
