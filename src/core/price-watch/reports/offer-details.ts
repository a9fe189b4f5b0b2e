import type { InferContractRouterOutputs } from '@orpc/contract'
import { shareOf, ZERO } from '../../../../server/api/money.ts'
import type { Contract } from '../../../contract/index.ts'
import type { Offers } from '../../offers/offers.ts'
import type { PriceEngine, Watched } from '../engine/price-engine.ts'
import { leadSince, marketRow } from './market.ts'
import type { MarketContext } from './market.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

type Details = InferContractRouterOutputs<Contract['priceWatch']>['offer']

const MONTH_MS = 30 * DAY_MS
/** Decisions to mark in the chart, and their maximum number. */
const markedReasons = [
  'applied',
  'last-check',
  'refused',
  'answer-lost',
  'at-floor',
  'at-ceiling',
  'war',
  'too-far',
  'daily-limit',
  'changed-elsewhere',
] as const
const MAX_MARKS = 300

type Parts = {
  keeper: PriceEngine
  watched: Watched
  ground: MarketContext
  readings: ReturnType<Offers['offer']>['history']
  now: number
}

/** One offer of the market with its latest decision, rule, history and figures. */
export function offerDetails({ keeper, watched, ground, readings, now }: Parts): Details {
  const { offerId } = watched.facts
  const earned = ground.earned.get(offerId)
  return {
    ...marketRow(watched, ground),
    decision: keeper.log.latest(offerId),
    rule: watched.stored?.rule ?? null,
    history: {
      points: pointsOf(watched, readings),
      changes: changesOf(keeper, offerId),
      marks: marksOf(keeper, offerId, now - MONTH_MS),
      leadDay: leadSince(keeper, offerId, now - DAY_MS, now),
      leadMonth: leadSince(keeper, offerId, now - MONTH_MS, now),
      earnedMonthCents: earned?.cents ?? ZERO,
      soldMonth: earned?.sales ?? 0,
    },
  }
}

const pointsOf = ({ facts }: Watched, readings: Parts['readings']): Details['history']['points'] =>
  readings.map(({ at, priceCents, customerCents, lowestCustomerCents, isCheapest, stock }) => ({
    at,
    customerCents: customerCents ?? shareOf(priceCents, facts.customerCents, facts.priceCents),
    isEstimated: customerCents === null,
    bestCents: lowestCustomerCents,
    lead:
      stock === 0
        ? ('none' as const)
        : isCheapest === null
          ? ('unknown' as const)
          : isCheapest
            ? ('leading' as const)
            : ('behind' as const),
  }))

const changesOf = (keeper: PriceEngine, offerId: string): Details['history']['changes'] =>
  keeper.store
    .settled(offerId, 200)
    .flatMap(({ state, settledAt, fromCents, targetCents, reason, sentBy }) =>
      state === 'applied' && settledAt !== null
        ? [{ at: settledAt, fromCents, toCents: targetCents, reason, by: sentBy }]
        : [],
    )
    .toReversed()

const marksOf = (keeper: PriceEngine, offerId: string, from: number): Details['history']['marks'] =>
  keeper.log
    .list({ offerId, reasons: markedReasons, from, to: null, sentOnly: false }, 0, MAX_MARKS)
    .rows.toReversed()
    .flatMap(({ at, reason, targetCents }) => (at < from ? [] : [{ at, reason, targetCents }]))
