import {
  addCents,
  type Cents,
  subtractCents,
  sumCents,
  timesCents,
  ZERO,
} from '../../../../server/api/money.ts'
import type { SimulationResult } from '../../../contract/price-watch/price-simulation.ts'
import type { Decision, OfferFacts, WatchState } from '../rules/facts.ts'
import { isSelling } from '../rules/state.ts'
import type { CopiedOffer } from './world.ts'
import { DAY_MS } from '../../../../server/api/time.ts'

/** The worst moment is the window of this many hours in which the most offers lost the lead. */
const WORST_MS = 3 * 3_600_000

type Spell = { leadingMs: number; behindMs: number }
type OfferTally = Spell & { changes: number; units: number; revenueCents: Cents }
type Moment = { at: number; lost: number; leading: number; limited: number; wars: number }

export type SoldUnit = { offerId: string; priceCents: Cents; at: number }

const shareOf = ({ leadingMs, behindMs }: Spell): number | null =>
  leadingMs + behindMs === 0 ? null : leadingMs / (leadingMs + behindMs)
const none = (): Spell => ({ leadingMs: 0, behindMs: 0 })

/** Counts the results of a set of rules in a simulation. */
export function createTally(
  originals: ReadonlyMap<string, CopiedOffer>,
  began: number,
  days: number,
) {
  const offers = new Map(
    [...originals.keys()].map((id): [string, OfferTally] => [
      id,
      { ...none(), changes: 0, units: 0, revenueCents: ZERO },
    ]),
  )
  const byDay = Array.from({ length: days }, (): OfferTally => ({
    ...none(),
    units: 0,
    revenueCents: ZERO,
    changes: 0,
  }))
  const moments: Moment[] = []
  const leads = new Map<string, WatchState['lead']>()
  const said = new Map<string, string>()
  const sum = { changes: 0, raised: 0, wars: 0, decisions: 0, refused: 0 }
  const dayOf = (at: number): number =>
    Math.min(days - 1, Math.max(0, Math.floor((at - began) / DAY_MS)))

  return {
    /** A step of the simulation at `at`: the state seen now applied for the past `passedMs`. */
    step(
      at: number,
      passedMs: number,
      seen: readonly { facts: OfferFacts; state: WatchState; decision: Decision }[],
    ): void {
      const moment: Moment = { at, lost: 0, leading: 0, limited: 0, wars: 0 }
      const day = byDay[dayOf(at - 1)]
      for (const { facts, state, decision } of seen) {
        if (leads.get(facts.offerId) === 'leading' && state.lead === 'behind') moment.lost += 1
        leads.set(facts.offerId, state.lead)
        const kind =
          state.lead === 'leading' ? 'leadingMs' : state.lead === 'behind' ? 'behindMs' : null
        const own = offers.get(facts.offerId)
        if (kind !== null && isSelling(facts) && own !== undefined && day !== undefined) {
          own[kind] += passedMs
          day[kind] += passedMs
        }
        moment.leading += Number(state.lead === 'leading')
        moment.limited += Number(decision.reason === 'daily-limit')
        moment.wars += Number(decision.reason === 'war')
        if (decision.hold !== null) sum.wars += 1
        const words = `${decision.reason} ${decision.targetCents} ${facts.priceCents} ${facts.bestCents}`
        if (said.get(facts.offerId) !== words) sum.decisions += 1
        said.set(facts.offerId, words)
      }
      moments.push(moment)
    },
    changed(offerId: string, at: number, byCents: Cents): void {
      const own = offers.get(offerId)
      const day = byDay[dayOf(at)]
      if (own !== undefined) own.changes += 1
      if (day !== undefined) day.changes += 1
      sum.changes += 1
      sum.raised += Number(byCents > 0)
    },
    refused(): void {
      sum.refused += 1
    },
    sold(units: readonly SoldUnit[]): void {
      for (const { offerId, priceCents, at } of units) {
        const day = byDay[dayOf(at)]
        for (const each of [offers.get(offerId), day]) {
          if (each === undefined) continue
          each.units += 1
          each.revenueCents = addCents(each.revenueCents, priceCents)
        }
      }
    },
    result(): SimulationResult {
      const all = [...offers]
      const whole = all.reduce(
        (into, [, each]) => ({
          leadingMs: into.leadingMs + each.leadingMs,
          behindMs: into.behindMs + each.behindMs,
        }),
        none(),
      )
      const known = all.filter(([id]) => originals.get(id)?.costCents != null)
      return {
        lead: shareOf(whole),
        units: all.reduce((total, [, { units }]) => total + units, 0),
        revenueCents: sumCents(all.map(([, { revenueCents }]) => revenueCents)),
        profitCents:
          known.length === 0
            ? null
            : sumCents(
                known.map(([id, { units, revenueCents }]) =>
                  subtractCents(
                    revenueCents,
                    timesCents(originals.get(id)?.costCents ?? ZERO, units),
                  ),
                ),
              ),
        profitOffers: known.length,
        ...sum,
        days: byDay.map(({ units, revenueCents, changes, ...spell }) => ({
          lead: shareOf(spell),
          units,
          revenueCents,
          changes,
        })),
        worst: worstOf(moments, began),
        offers: all.map(([id, { units, revenueCents, changes, ...spell }]) => ({
          offerId: originals.get(id)?.offerId ?? id,
          name: originals.get(id)?.name ?? id,
          units,
          revenueCents,
          changes,
          lead: shareOf(spell),
        })),
      }
    },
  }
}

/**
 * The hours in which the most offers lost the lead, and the time until as many led again. Null if
 * no offer lost it.
 */
function worstOf(moments: readonly Moment[], began: number): SimulationResult['worst'] {
  let worst: { first: number; last: number; lost: number } | null = null
  for (let last = 0, first = 0, lost = 0; last < moments.length; last += 1) {
    lost += moments[last]?.lost ?? 0
    while ((moments[last]?.at ?? 0) - (moments[first]?.at ?? 0) >= WORST_MS)
      lost -= moments[first++]?.lost ?? 0
    if (lost > (worst?.lost ?? 0)) worst = { first, last, lost }
  }
  if (worst === null) return null
  const { first, last, lost } = worst
  const at = moments[first]?.at ?? began
  const before = moments[first - 1]?.leading ?? moments[first]?.leading ?? 0
  const recovered = moments.slice(last).find(({ leading }) => leading >= before)
  const around = moments.slice(first, last + 1)
  return {
    at,
    day: Math.floor((at - began) / DAY_MS),
    lost,
    limited: Math.max(...around.map(({ limited }) => limited)),
    wars: Math.max(...around.map(({ wars }) => wars)),
    recoveredMs: recovered === undefined ? null : recovered.at - at,
  }
}
