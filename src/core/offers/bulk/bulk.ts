import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import { BULK_CONFIRM_ABOVE } from '../../../contract/offers/offer-bulk.ts'
import type {
  Bulk,
  BulkKind,
  BulkLine,
  BulkSummary,
  PlanPage,
} from '../../../contract/offers/offer-bulk.ts'
import type { OfferRow } from '../../../contract/offers/offers.ts'
import { localized, t } from '../../../contract/localization/localized.ts'
import { failure } from '../../failure.ts'
import type { AccountScope } from '../../lifecycle/lifecycle.ts'
import type { OfferSession } from '../changes/change-offer.ts'
import type { OffersContext } from '../context.ts'
import { readOffer } from '../list/list.ts'
import { createBulkJobs } from './bulk-jobs.ts'
import { durationAtLimit } from './pace.ts'
import { movesBetween, planOffers, summaryOf } from './plan.ts'
import type { Plan, PlanCache } from './plan.ts'
import { currentState, titleOf } from './rules.ts'
import { planUndo, reversedTitle } from './undo.ts'
import type { PriceLimits } from './rules.ts'
import { resultsCsv } from './results-csv.ts'
import { createRunner, viewBulk } from './runner.ts'
import type { LineActions } from './runner.ts'
import { bulkStore } from './store.ts'
import type { BulkStore, StoredBulk } from './store.ts'

type Inputs = InferContractRouterInputs<Contract['offers']['bulk']>
type Outputs = InferContractRouterOutputs<Contract['offers']['bulk']>

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

/** What a person confirmed; see `confirmationFields` of the contract. */
export type Confirmed = { fingerprint: string; typed: string | null; beyondGuard: boolean }

/** Throws unless the person confirmed the prices that the price guard stops. */
function demandGuard({ overGuard }: BulkSummary, confirmed: boolean): void {
  if (overGuard === 0 || confirmed) return
  throw failure(
    'NOT_CONFIRMED',
    `The price guard stops ${t('counts.prices', { count: overGuard })}.`,
    'Check these prices, then confirm that they are sent anyway.',
    { effect: 'No offer was changed.', details: { overGuard } },
  )
}

/** Most differences between two plans that are listed. */
const MOST_MOVES = 200
/** How often the screen is updated about a running bulk change, in milliseconds. */
const UPDATE_EVERY_MS = 500
/**
 * Bulk changes of offers: planned, confirmed, journaled line by line, and sent at the service's
 * rate limit.
 */
export function createBulkChanges({
  context,
  plans,
  sessionOf,
  withQueuedChanges: shown,
  work,
  limits,
  onFinished: ended,
}: BulkParts) {
  /** The background work of the accounts that can work. */
  const ready = new Map<string, AccountScope>()
  const running = new Set<string>()
  const storeOf = (accountId: string): BulkStore => bulkStore(sessionOf(accountId).store.db)

  function find(accountId: string, bulkId: string): { store: BulkStore; bulk: StoredBulk } {
    const store = storeOf(accountId)
    const bulk = store.find(bulkId)
    if (bulk === undefined)
      throw failure(
        'NOT_FOUND',
        'Change not found on this computer.',
        'Check the list of bulk changes.',
        {
          effect: 'No offer was changed.',
        },
      )
    return { store, bulk }
  }

  const due = new Set<string>()
  function tell(accountId: string): void {
    if (due.has(accountId)) return
    due.add(accountId)
    context.clock.after(UPDATE_EVERY_MS, () => {
      due.delete(accountId)
      context.changes.notify('offers', accountId)
    })
  }

  const limitOf = (accountId: string): number | null =>
    context.connection(accountId).state().budget.limit
  const showJob = createBulkJobs({ context, storeOf, limitOf, act })

  function wake(accountId: string): void {
    const scope = ready.get(accountId)
    if (scope === undefined || scope.signal.aborted || running.has(accountId)) return
    const store = storeOf(accountId)
    const run = createRunner({
      context,
      session: sessionOf(accountId),
      store,
      work: work(accountId),
      signal: scope.signal,
      told(bulk, isEnd, waits) {
        showJob(accountId, store.find(bulk.bulkId) ?? bulk, waits)
        tell(accountId)
        if (isEnd) ended(accountId, viewBulk(store, bulk))
      },
    })
    running.add(accountId)
    void scope
      .spawn(run())
      .catch((error: unknown) => void context.report('offers bulk', error))
      .finally(() => {
        running.delete(accountId)
        // Work may have been started or resumed, or the account reconnected, while the run finished.
        if (
          ready.get(accountId)?.signal.aborted === false &&
          storeOf(accountId).firstRunning() !== undefined
        )
          wake(accountId)
      })
  }

  function demandTyped(
    accountId: string,
    count: number,
    isFinal: boolean,
    typed: string | null,
  ): void {
    if (
      context.accounts.get(accountId).mode !== 'live' ||
      (!isFinal && count <= BULK_CONFIRM_ABOVE) ||
      typed?.trim() === String(count)
    )
      return
    throw failure(
      'INVALID_INPUT',
      `Type ${count} to continue.`,
      'Bulk changes of live offers need the exact number of offers.',
      { effect: 'No offer was changed.' },
    )
  }

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
    context.activity.add({
      accountId,
      what: localized('text', { text: bulk.title }),
      detail: localized('offers.bulk-started', { offers: lines.length }),
      outcome: 'ok',
      code: null,
      status: null,
      requestId: null,
      durationMs: null,
    })
    showJob(accountId, stored, false)
    context.changes.notify('offers', accountId)
    wake(accountId)
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
    demandTyped(
      accountId,
      lines.length,
      bulk.kind === 'withdraw' || bulk.kind === 'close',
      confirmed.typed,
    )
    return begin(accountId, { ...bulk, undoes: null }, lines)
  }

  /** A window of a plan, as the screen shows it. */
  function planPage(
    accountId: string,
    kind: BulkKind,
    { lines, summary, fingerprint }: Plan,
    { offset = 0, limit = 100 }: { offset?: number | undefined; limit?: number | undefined } = {},
  ): PlanPage {
    const requestsPerMinute = limitOf(accountId)
    return {
      summary,
      fingerprint,
      durationMs: durationAtLimit(kind, summary.changes, requestsPerMinute),
      requestsPerMinute,
      total: lines.length,
      rows: lines.slice(offset, offset + limit),
    }
  }

  function planFor(
    accountId: string,
    { chosen, change }: Pick<Inputs['start'], 'chosen' | 'change'>,
  ): Promise<Plan> {
    const { db } = sessionOf(accountId).store
    const filter =
      'filter' in chosen
        ? ({
            view: chosen.filter.view ?? 'all',
            query: chosen.filter.query ?? '',
            platforms: chosen.filter.platforms ?? [],
            regions: chosen.filter.regions ?? [],
          } as const)
        : null
    const parts = {
      db,
      lowStock: context.settings.get().lowStock,
      shown: (rows: OfferRow[]) => shown(accountId, rows),
      limits: (row: OfferRow) => limits(accountId, row),
      guardPercent: context.settings.get().priceGuard,
    }
    return plans.recall(accountId, db, JSON.stringify([chosen, change, parts.guardPercent]), () =>
      planOffers(
        parts,
        filter === null ? { offerIds: 'offerIds' in chosen ? chosen.offerIds : [] } : { filter },
        change,
      ),
    )
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
    showJob(accountId, after, false)
    context.changes.notify('offers', accountId)
    wake(accountId)
    return viewBulk(store, after)
  }

  return {
    /** The account is ready for requests until `scope` ends: resumes unfinished bulk changes. */
    start(scope: AccountScope): void {
      const id = scope.accountId
      ready.set(id, scope)
      const store = storeOf(id)
      store.prune()
      for (const bulk of store.all())
        if (bulk.state === 'running' || bulk.state === 'paused') showJob(id, bulk, false)
      wake(id)
    },
    beginPlan,
    planPage,
    async preview({ accountId, window, ...wish }: Inputs['preview']): Promise<Outputs['preview']> {
      return planPage(accountId, wish.change.kind, await planFor(accountId, wish), window)
    },
    moves({ accountId, seen, now }: Inputs['moves']): Outputs['moves'] {
      const [before, after] = [plans.find(accountId, seen), plans.find(accountId, now)]
      if (before === undefined || after === undefined) return { total: null, rows: [] }
      const moves = movesBetween(before.lines, after.lines)
      return { total: moves.length, rows: moves.slice(0, MOST_MOVES) }
    },
    async begin({
      accountId,
      fingerprint,
      typed = null,
      beyondGuard = false,
      ...wish
    }: Inputs['start']): Promise<Bulk> {
      return beginPlan(
        accountId,
        await planFor(accountId, wish),
        { fingerprint, typed, beyondGuard },
        { kind: wish.change.kind, title: titleOf(wish.change) },
      )
    },
    list({ accountId }: Inputs['list']): Outputs['list'] {
      const store = storeOf(accountId)
      return store.all().map((bulk) => viewBulk(store, bulk))
    },
    results({ accountId, bulkId, state = null, window }: Inputs['results']): Outputs['results'] {
      const { store, bulk } = find(accountId, bulkId)
      const view = viewBulk(store, bulk)
      const total =
        state === null
          ? Object.values(view.counts).reduce((sum, count) => sum + count, 0)
          : view.counts[state]
      return {
        bulk: view,
        total,
        rows: store.results(bulk.number, state, window?.offset ?? 0, window?.limit ?? 100),
      }
    },
    async export({ accountId, bulkId }: Inputs['export']): Promise<Outputs['export']> {
      const { store, bulk } = find(accountId, bulkId)
      const day = new Date(bulk.startedAt).toISOString().slice(0, 10)
      const text = await resultsCsv((offset, limit) =>
        store.results(bulk.number, null, offset, limit),
      )
      return {
        fileName: `results-${bulk.kind}-${day}.csv`,
        text,
        rows: Object.values(store.counts(bulk.number)).reduce((sum, count) => sum + count, 0),
      }
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
    async undo({
      accountId,
      bulkId,
      typed = null,
      beyondGuard = false,
    }: Inputs['undo']): Promise<Bulk> {
      const { store, bulk } = find(accountId, bulkId)
      if (viewBulk(store, bulk).undoable === 0)
        throw failure('CONFLICT', 'There is nothing to undo.', 'Check the list of bulk changes.', {
          effect: 'No offer was changed.',
        })
      const lines = planUndo(sessionOf(accountId).store.db, store.doneLines(bulk.number), (row) =>
        limits(accountId, row),
      )
      if (lines.length === 0)
        throw failure(
          'CHANGED_MEANWHILE',
          'All of these offers have changed since.',
          'Check the offers.',
          { effect: 'No offer was changed.' },
        )
      demandGuard(summaryOf(lines, false, context.settings.get().priceGuard), beyondGuard)
      demandTyped(accountId, lines.length, false, typed)
      return begin(
        accountId,
        { kind: bulk.kind, title: reversedTitle(bulk.title), undoes: bulkId },
        lines,
      )
    },
    pause: ({ accountId, bulkId }: Inputs['pause']): Bulk => act(accountId, bulkId, 'pause'),
    resume: ({ accountId, bulkId }: Inputs['resume']): Bulk => act(accountId, bulkId, 'resume'),
    cancel: ({ accountId, bulkId }: Inputs['cancel']): Bulk => act(accountId, bulkId, 'cancel'),
  }
}
