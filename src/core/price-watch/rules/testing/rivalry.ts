import { cents } from '../../../../../server/api/money.ts'
import type { PriceRule } from '../../../../contract/price-watch/price-rules.ts'
import { preSendRejection } from '../../sending/pre-send-check.ts'
import { isChange } from '../reasons.ts'
import { decide } from '../decide.ts'
import type { OfferFacts, StoredRule, WatchState } from '../facts.ts'
import { afterChange, observe } from '../state.ts'
import { customerFor, receiveFor } from '../target.ts'
import { noon } from './situations.ts'

const minute = 60_000
const day = 24 * 60 * minute
const percent = 10

export const rivals = [
  'undercutter',
  'percentUndercutter',
  'matcher',
  'warrior',
  'follower',
  'itself',
] as const
export type Rival = (typeof rivals)[number]

/**
 * The next customer price of a rival. `usual`: the ordinary price; no rival sells below half of it.
 */
const wanted: Record<
  Exclude<Rival, 'itself'>,
  (own: number, ours: number, usual: number, chance: () => number) => number
> = {
  undercutter: (own, ours, usual) =>
    ours <= own ? (ours - 1 < usual / 2 ? usual : ours - 1) : own,
  percentUndercutter: (own, ours, usual) =>
    ours <= own ? Math.max(Math.floor(ours * 0.98), usual / 2) : own,
  matcher: (own, ours, usual) => Math.max(ours, usual / 2),
  warrior: (own, ours, usual, chance) =>
    chance() < 0.3
      ? Math.max(Math.round(ours * (0.9 + chance() * 0.08)), usual / 2)
      : chance() < 0.1
        ? usual
        : own,
  follower: (own, ours, usual, chance) =>
    chance() < 0.5
      ? Math.max(usual / 2, Math.min(ours + Math.round(chance() * 40) - 15, usual * 2))
      : own,
}

type Player = { price: number; state: WatchState | null; changes: number[] }
export type Rivalry = { most24h: number; mostInWar: number; changes: number; broken: string | null }

/**
 * Simulates three days of one product: an offer with its rule against a rival, which follows
 * another strategy or the same rule. At equal prices, the older price wins.
 */
export function simulateRivalry(rule: PriceRule, rival: Rival, chance: () => number): Rivalry {
  const usual = 2000
  const cost = 1000
  const us: Player = { price: receiveFor(cents(usual), percent), state: null, changes: [] }
  const other: Player = { price: receiveFor(cents(usual + 7), percent), state: null, changes: [] }
  let first = us
  let broken: string | null = null
  const stored: StoredRule = { ruleId: 'r1', revision: 1, mode: 'auto', rule }

  function play(player: Player, against: Player, now: number): void {
    const customer = customerFor(cents(player.price), percent)
    const theirs = customerFor(cents(against.price), percent)
    const facts: OfferFacts = {
      offerId: 'off_1',
      productId: 'p1',
      name: '',
      platform: '',
      region: '',
      productType: '',
      deliveryType: '',
      status: 'active',
      stock: 10,
      priceCents: cents(player.price),
      customerCents: customer,
      commissionPercent: percent,
      costCents: cents(cost),
      ownFloorCents: null,
      ownCeilingCents: null,
      isCheapest: customer < theirs || (customer === theirs && first === player),
      seenAt: now,
      bestCents: cents(Math.min(customer, theirs)),
      bestAt: now,
      ownElsewhereCents: null,
      waits: false,
    }
    let state = observe(player.state, facts, true)
    const decision = decide(stored, facts, state, now, { stopped: false, staleMs: 15 * minute })
    if (decision.hold !== null) state = { ...state, hold: { ...decision.hold, since: now } }
    const { targetCents, reason } = decision
    if (targetCents !== null && isChange(reason)) {
      const refusal = preSendRejection({
        rule,
        targetCents,
        fromCents: cents(player.price),
        priceCents: cents(player.price),
        status: 'active',
        stock: 10,
        commissionPercent: percent,
        costCents: cents(cost),
        ownFloorCents: null,
        ownCeilingCents: null,
        readAt: now,
        now,
        stopped: false,
        changesToday: player.changes.filter((at) => at > now - day).length,
      })
      if (refusal !== null) broken ??= `rejected by the pre-send check: ${refusal}`
      state = afterChange(state, {
        at: now,
        fromCents: cents(player.price),
        toCents: targetCents,
        reason,
      })
      player.price = targetCents
      player.changes.push(now)
      if (customerFor(targetCents, percent) !== theirs)
        first = customerFor(targetCents, percent) < theirs ? player : against
      else first = against
    }
    player.state = state
  }

  for (let at = noon; at < noon + 3 * day; at += 10 * minute) {
    play(us, other, at)
    if (rival === 'itself') play(other, us, at + 3 * minute)
    else if (chance() < 0.5) {
      const own = customerFor(cents(other.price), percent)
      const next = receiveFor(
        cents(
          Math.max(
            1,
            Math.round(wanted[rival](own, customerFor(cents(us.price), percent), usual, chance)),
          ),
        ),
        percent,
      )
      if (next !== other.price) first = us
      other.price = next
    }
  }
  const most = (player: Player, within: number): number =>
    Math.max(
      0,
      ...player.changes.map(
        (at, index) => player.changes.slice(index).filter((later) => later < at + within).length,
      ),
    )
  const players = rival === 'itself' ? [us, other] : [us]
  return {
    most24h: Math.max(...players.map((player) => most(player, day))),
    mostInWar: Math.max(...players.map((player) => most(player, rule.war.withinMs))),
    changes: players.reduce((sum, { changes }) => sum + changes.length, 0),
    broken,
  }
}
