import type { InferContractRouterInputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { Bulk, BulkKind, BulkLine } from '../../../contract/offers/offer-bulk.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { localized, t } from '../../../contract/localization/localized.ts'
import { failure } from '../../failure.ts'
import type { OfferSession } from '../changes/offer-session.ts'
import type { OffersContext } from '../context.ts'
import { readOffer } from '../list/offer-rows.ts'
import { createBulkWork } from './bulk-work.ts'
import { demandGuard, demandTyped } from './planning/confirmation.ts'
import type { Confirmed } from './planning/confirmation.ts'
import type { Plan, PlanCache } from './planning/plan.ts'
import { createPreviews } from './planning/previews.ts'
import { currentState, titleOf } from './planning/rules.ts'
import type { PriceLimits } from './planning/rules.ts'
import { durationAtLimit } from './pace.ts'
import { createBulkResults, findBulk } from './results.ts'
import { viewBulk } from './runner.ts'
import type { LineActions } from './runner.ts'
import { bulkStore } from './store.ts'
import type { BulkStore } from './store.ts'
import { createBulkUndo } from './undo.ts'
import { localEntry } from '../../local-entry.ts'

type Inputs = InferContractRouterInputs<Contract['offers']['bulk']>

export type BulkParts = {
  context: OffersContext
  plans: PlanCache
  sessionOf: (accountId: string) => OfferSession
  withQueuedChanges: (accountId: string, rows: OfferRow[]) => OfferRow[]
  work: (accountId: string) => LineActions
  /** The limits of an offer's price. */
  limits: (accountId: string, row: OfferRow) => PriceLimits
  /** Notifies people when a bulk change finishes. */
  onFinished: (accountId: string, bulk: Bulk) => void
}

/**
 * Bulk changes of offers: planned, confirmed, journaled line by line, and sent at the service's
 * rate limit.
 */
export function createBulkChanges(parts: BulkParts) {
  const { context, sessionOf } = parts
  const storeOf = (accountId: string): BulkStore => bulkStore(sessionOf(accountId).store.db)
  const find = (accountId: string, bulkId: string) => findBulk(storeOf(accountId), bulkId)
  const limitOf = (accountId: string): number | null =>
    context.connection(accountId).state().budget.limit
  const modeOf = (accountId: string) => context.accounts.get(accountId).mode
  const durationOf = (accountId: string, kind: BulkKind, lines: number): number | null =>
    durationAtLimit(kind, lines, limitOf(accountId), sessionOf(accountId).store.sync().pages)
  const work = createBulkWork({ ...parts, storeOf, durationOf, act })
  const previews = createPreviews({ ...parts, limitOf, durationOf })

  async function begin(
    accountId: string,
    bulk: { kind: BulkKind; title: string; undoes: string | null },
    lines: readonly BulkLine[],
  ): Promise<Bulk> {
    const store = storeOf(accountId)
    const stored = await store.write(
      { bulkId: context.random.id(), startedAt: context.clock.now(), ...bulk },
      lines,
    )
    context.activity.add(
      localEntry({
        accountId,
        what: localized('text', { text: bulk.title }),
        detail: localized('offers.bulk-started', { offers: lines.length }),
      }),
    )
    work.proceed(accountId, stored)
    return viewBulk(store, stored)
  }

  /**
   * Starts the plan if it is still the one that the person confirmed. Throws Failure
   * `CHANGED_MEANWHILE`, `NOT_CONFIRMED` if the price guard stops a price, or `INVALID_INPUT` if a
   * typed confirmation is missing.
   */
  function beginPlan(
    accountId: string,
    plan: Plan,
    confirmed: Confirmed,
    bulk: { kind: BulkKind; title: string },
  ): Promise<Bulk> {
    const lines = plan.lines.filter((line) => line.verdict === 'changes')
    if (plan.fingerprint !== confirmed.fingerprint)
      throw failure(
        'CHANGED_MEANWHILE',
        `Prices or offers changed. The plan now changes ${t('counts.offers', { count: lines.length })}.`,
        'Check the differences, then confirm again.',
        { effect: 'No offer was changed.' },
      )
    if (lines.length === 0)
      throw failure('CONFLICT', 'There is nothing to change.', 'Check the notes of the lines.', {
        effect: 'No offer was changed.',
      })
    demandGuard(plan.summary, confirmed.beyondGuard)
    demandTyped(modeOf(accountId), {
      count: lines.length,
      isFinal: bulk.kind === 'withdraw' || bulk.kind === 'close',
      typed: confirmed.typed,
    })
    return begin(accountId, { ...bulk, undoes: null }, lines)
  }

  function act(accountId: string, bulkId: string, what: 'pause' | 'resume' | 'cancel'): Bulk {
    const { store, bulk } = find(accountId, bulkId)
    const isOpen = bulk.state === 'running' || bulk.state === 'paused'
    if (isOpen) {
      if (what === 'cancel')
        store.transaction(() => {
          store.moveAll(bulk.number, 'waiting', 'cancelled')
          store.setState(bulk.number, 'cancelled', context.clock.now())
        })
      else store.setState(bulk.number, what === 'pause' ? 'paused' : 'running', null)
    }
    const after = find(accountId, bulkId).bulk
    work.proceed(accountId, after)
    return viewBulk(store, after)
  }

  return {
    start: work.start,
    beginPlan,
    planPage: previews.planPage,
    preview: previews.preview,
    moves: previews.moves,
    ...createBulkResults({ storeOf }),
    async begin({
      accountId,
      fingerprint,
      typed = null,
      beyondGuard = false,
      ...wish
    }: Inputs['start']): Promise<Bulk> {
      return beginPlan(
        accountId,
        await previews.planFor(accountId, wish),
        { fingerprint, typed, beyondGuard },
        { kind: wish.change.kind, title: titleOf(wish.change) },
      )
    },
    retry({ accountId, bulkId, skipped = false }: Inputs['retry']): Bulk {
      const { store, bulk } = find(accountId, bulkId)
      const { db } = sessionOf(accountId).store
      store.transaction(() => {
        for (const line of store.refusedLines(bulk.number, skipped)) {
          const row = readOffer(db, line.subjectId)
          if (row !== undefined) store.rebase(line, currentState(row))
        }
        store.retry(bulk.number, skipped)
        if (store.counts(bulk.number).waiting > 0) store.setState(bulk.number, 'running', null)
      })
      return act(accountId, bulkId, 'resume')
    },
    ...createBulkUndo({ ...parts, find, begin }),
    pause: ({ accountId, bulkId }: Inputs['pause']): Bulk => act(accountId, bulkId, 'pause'),
    resume: ({ accountId, bulkId }: Inputs['resume']): Bulk => act(accountId, bulkId, 'resume'),
    cancel: ({ accountId, bulkId }: Inputs['cancel']): Bulk => act(accountId, bulkId, 'cancel'),
  }
}
