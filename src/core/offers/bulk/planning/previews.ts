import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../../contract/index.ts'
import type { BulkKind, PlanPage } from '../../../../contract/offers/offer-bulk.ts'
import type { OfferRow } from '../../../../contract/offers/offers.ts'
import type { OfferSession } from '../../changes/offer-session.ts'
import type { OffersContext } from '../../context.ts'
import { movesBetween, planOffers } from './plan.ts'
import type { Plan, PlanCache } from './plan.ts'
import type { PriceLimits } from './rules.ts'

type Inputs = InferContractRouterInputs<Contract['offers']['bulk']>
type Outputs = InferContractRouterOutputs<Contract['offers']['bulk']>

/** Most differences between two plans that are listed. */
const MOST_MOVES = 200

type Parts = {
  context: Pick<OffersContext, 'settings'>
  plans: PlanCache
  sessionOf: (accountId: string) => OfferSession
  withQueuedChanges: (accountId: string, rows: OfferRow[]) => OfferRow[]
  /** The limits of an offer's price. */
  limits: (accountId: string, row: OfferRow) => PriceLimits
  /** The requests that the service allows an account in a minute; null without a limit. */
  limitOf: (accountId: string) => number | null
  /** How long lines take at the service's limit, in milliseconds; null without a limit. */
  durationOf: (accountId: string, kind: BulkKind, lines: number) => number | null
}

/** Plans bulk changes and shows their lines before anything is sent. */
export function createPreviews({
  context,
  plans,
  sessionOf,
  withQueuedChanges: shown,
  limits,
  limitOf,
  durationOf,
}: Parts) {
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
      durationMs: durationOf(accountId, kind, summary.changes),
      requestsPerMinute,
      total: lines.length,
      rows: lines.slice(offset, offset + limit),
    }
  }

  /** The plan of a change, made again only after a write or another wish. */
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

  return {
    planFor,
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
  }
}
