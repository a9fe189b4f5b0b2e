import type {
  DecisionReason,
  PriceCeiling,
  PriceFloor,
  PriceRule,
  PriceStep,
  RuleMode,
  RuleScope,
} from '../../../contract/price-rules.ts'
import type { LoggedDecision, MarketRow, RuleConflict } from '../../../contract/price-watch.ts'
import {
  formatCents,
  formatClock,
  formatCount,
  formatDuration,
  formatFullMoment,
  formatMoment,
} from '../../ui/format.ts'

/** A reason in two or three words, for a cell. */
export const reasonWords: Record<DecisionReason, string> = {
  match: 'Match',
  undercut: 'Undercut',
  'step-back': 'Step back',
  raise: 'Raise, leading',
  'to-floor': 'Down to the floor',
  'up-to-floor': 'Up to the floor',
  'down-to-ceiling': 'Down to the ceiling',
  leading: 'Leads',
  'at-ceiling': 'At the ceiling',
  'at-floor': 'At the floor',
  matched: 'Matched',
  'told-to-stay': 'Rule stays',
  'too-small': 'Too small a change',
  'cooling-down': 'Cooling down',
  'daily-limit': 'Limit of today',
  war: 'Price war, held',
  held: 'Held by you',
  'held-refused': 'Refused, held',
  snoozed: 'Put off',
  rejected: 'Turned down',
  'too-far': 'Too far at once',
  'out-of-hours': 'Outside its hours',
  'no-rule': 'No rule',
  'not-selling': 'Not selling',
  stale: 'Data too old',
  'best-unknown': 'Best unknown',
  'lead-unknown': 'Lead unknown',
  'no-cost': 'No cost entered',
  'no-commission': 'No commission known',
  'floor-above-ceiling': 'Floor above ceiling',
  'own-shop-leads': 'Your other shop leads',
  'outbox-waits': 'Waits in outbox',
  'changed-elsewhere': 'Changed elsewhere',
  stopped: 'All stopped',
  applied: 'Sent',
  'last-check': 'Not sent: last check',
  refused: 'Refused by the service',
  'answer-lost': 'Answer lost',
}

const notes: Readonly<Record<string, string>> = {
  stopped: 'all sending was stopped',
  'rule-gone': 'the rule was gone or switched off',
  'not-selling': 'the offer did not sell any more',
  'price-moved': 'the price had been changed',
  'not-fresh': 'the last reading was too old',
  'no-price': 'there was nothing to change',
  'below-floor': 'the price was below the floor',
  'above-ceiling': 'the price was above the ceiling',
  'limit-unknown': 'a limit could not be computed',
  jump: 'the change was too large at once',
  'changes-today': 'the limit of changes was reached',
  'market-moved': 'the market had moved, another price is right now',
  'answer-lost': 'the answer was lost, and the offer showed that it was taken',
}

/** What the last check or the service said of a sending. */
const noteWords = (note: string): string =>
  notes[note] ?? (note in reasonWords ? reasonWords[note as DecisionReason].toLowerCase() : note)

/** Why a decision was made, in a sentence or two. */
export function explain({
  reason,
  ruleName,
  beforeCents,
  targetCents,
  inputs,
}: LoggedDecision): string {
  const rule = ruleName === null ? 'No rule' : `“${ruleName}”`
  const best =
    inputs.bestCents === null
      ? 'an unknown best price'
      : `the best customer price ${formatCents(inputs.bestCents)}`
  const to =
    targetCents === null
      ? ''
      : `You would receive ${formatCents(targetCents)} instead of ${formatCents(beforeCents)}${inputs.targetCustomerCents === null ? '' : `, the customer pays ${formatCents(inputs.targetCustomerCents)}`}.`
  const floor = inputs.floorCents === null ? 'unknown' : formatCents(inputs.floorCents)
  const ceiling = inputs.ceilingCents === null ? 'none' : formatCents(inputs.ceilingCents)
  switch (reason) {
    case 'undercut':
      return `Another offer sells first. ${rule} goes below ${best}. ${to}`
    case 'match':
      return `Another offer sells first. ${rule} asks no more than ${best}. ${to}`
    case 'step-back':
      return `The last raise lost the lead. ${rule} goes back to the price that had it. ${to}`
    case 'raise':
      return `The offer leads for long enough. ${rule} tries a step up, to find the second best price. ${to}`
    case 'to-floor':
      return `${rule} can’t reach ${best} above the floor ${floor} and goes down to the floor. ${to}`
    case 'up-to-floor':
      return `The price is below the floor ${floor}. ${rule} goes up to it. ${to}`
    case 'down-to-ceiling':
      return `The price is above the ceiling ${ceiling}. ${rule} goes down to it. ${to}`
    case 'leading':
      return `The offer leads: the best price is its own.${inputs.until === null ? '' : ` The next step up is due at ${formatClock(inputs.until)}.`}`
    case 'at-ceiling':
      return `The offer leads at its ceiling ${ceiling}.`
    case 'at-floor':
      return `Reaching ${best} would go below the floor ${floor}.`
    case 'matched':
      return 'The price is as low as the rule asks for, and somebody else sells first all the same.'
    case 'told-to-stay':
      return `${rule} leaves the price alone while it is behind.`
    case 'too-small':
      return `The change would be smaller than ${rule} asks for.`
    case 'cooling-down':
      return `It changed${inputs.lastChangeAt === null ? '' : ` at ${formatClock(inputs.lastChangeAt)}`}. The next change may come${inputs.until === null ? ' later' : ` at ${formatClock(inputs.until)}`}.`
    case 'daily-limit':
      return `It changed ${formatCount(inputs.changesToday)} times in 24 hours, as often as ${rule} allows.`
    case 'war':
      return `It changed ${formatCount(inputs.changesInWindow)} times in a short while: a price war. It is held${inputs.until === null ? '' : ` until ${formatClock(inputs.until)}`}.`
    case 'held':
      return 'You hold its price until you let it go.'
    case 'held-refused':
      return `The last sending was not let through. It is held${inputs.until === null ? '' : ` until ${formatClock(inputs.until)}`}.`
    case 'snoozed':
      return `You put it off${inputs.until === null ? '' : ` until ${formatClock(inputs.until)}`}.`
    case 'rejected':
      return `You turned this price down. It is proposed again when the best price is another than ${inputs.bestCents === null ? 'now' : formatCents(inputs.bestCents)}.`
    case 'too-far':
      return `The change would be larger than ${rule} may make at once. Change it by hand if it is right.`
    case 'out-of-hours':
      return `${rule} rests at this hour.`
    case 'no-rule':
      return 'No rule covers this offer: it is only watched.'
    case 'not-selling':
      return 'It is paused or empty.'
    case 'stale':
      return 'What is known of it is too old, or older than its present price. Keydesk reads it again first.'
    case 'best-unknown':
      return 'It is behind, and the best price has not been read yet.'
    case 'lead-unknown':
      return 'The readings disagree on who sells first, or the service doesn’t tell. The next reading decides.'
    case 'no-cost':
      return 'The floor or ceiling is taken from the cost, and no cost is entered for this offer.'
    case 'no-commission':
      return 'The limit is what the customer pays, and the service doesn’t tell the commission.'
    case 'floor-above-ceiling':
      return `The floor ${floor} is above the ceiling ${ceiling}.`
    case 'own-shop-leads':
      return 'The cheapest offer is yours, in another shop of this desk.'
    case 'outbox-waits':
      return 'A change of its price waits in the outbox or is being sent. That comes first.'
    case 'changed-elsewhere':
      return 'Somebody else changed a price that a rule had set: the seller panel, or another console. Look, then let it go on.'
    case 'stopped':
      return 'All sending of prices is stopped.'
    case 'applied':
      return `Sent: you receive ${formatCents(targetCents ?? 0)} instead of ${formatCents(beforeCents)}.`
    case 'last-check':
      return `Not sent: at the moment of sending ${inputs.note === null ? 'the last check refused it' : noteWords(inputs.note)}.`
    case 'refused':
      return `The service refused it${inputs.note === null ? '' : ` (${inputs.note})`}. The price is as it was.`
    case 'answer-lost':
      return 'The answer of the service was lost, and the offer showed that the price was not taken.'
  }
}

export const modeWords: Record<RuleMode, string> = { off: 'Off', propose: 'Proposes', auto: 'Auto' }

const stepWords = (step: PriceStep): string =>
  step.by === 'amount' ? formatCents(step.cents) : `${step.percent} %`

/** A rule in few words, under its name. */
export function ruleInShort({ behind, leading }: PriceRule): string {
  const low =
    behind.act === 'undercut'
      ? `Undercut ${stepWords(behind.step)}`
      : behind.act === 'match'
        ? 'Match'
        : null
  const up =
    leading.act === 'raise'
      ? `raise ${stepWords(leading.step)} every ${formatDuration(leading.everyMs)}`
      : null
  if (low === null) return up === null ? 'Only limits' : `Only ${up}`
  return up === null ? low : `${low}, ${up}`
}

/** Whether a rule that is on works at this moment by its dates: null when it does. */
export function datesInShort({ startsAt, endsAt }: PriceRule, now: number): string | null {
  if (endsAt !== null && endsAt <= now) return `over since ${formatMoment(endsAt, now)}`
  return startsAt !== null && startsAt > now ? `from ${formatMoment(startsAt, now)}` : null
}

function scopeInShort(scope: RuleScope): string {
  if (scope.kind === 'all') return 'All offers'
  if (scope.kind === 'offers')
    return scope.offerIds.length === 1
      ? 'One offer'
      : `${formatCount(scope.offerIds.length)} offers`
  const parts = [
    ...scope.platforms,
    ...scope.regions,
    ...scope.productTypes,
    ...scope.deliveryTypes,
  ]
  const range =
    scope.fromCents === null && scope.toCents === null
      ? []
      : [
          `${scope.fromCents === null ? 'up' : formatCents(scope.fromCents)} to ${scope.toCents === null ? 'any' : formatCents(scope.toCents)}`,
        ]
  return [...parts.slice(0, 3), ...range].join(', ') || 'All offers'
}

export function limitWords(limit: PriceFloor | PriceCeiling): string {
  switch (limit.kind) {
    case 'none':
      return 'no limit'
    case 'receive':
      return `${formatCents(limit.cents)} for you`
    case 'customer':
      return `${formatCents(limit.cents)} customer price`
    case 'cost':
      return `cost plus ${[limit.profitCents > 0 || limit.profitPercent === 0 ? formatCents(limit.profitCents) : null, limit.profitPercent > 0 ? `${limit.profitPercent} %` : null].filter((part) => part !== null).join(' and ')}`
  }
}

/** What a rule says now beside what is saved. */
export function differences(
  before: PriceRule,
  after: PriceRule,
): { what: string; from: string; to: string }[] {
  const said = (rule: PriceRule): [string, string][] => [
    ['Name', rule.name],
    ['For', scopeInShort(rule.scope)],
    [
      'When behind',
      rule.behind.act === 'undercut' ? `undercut ${stepWords(rule.behind.step)}` : rule.behind.act,
    ],
    [
      'Raise when leading',
      rule.leading.act === 'raise'
        ? `${stepWords(rule.leading.step)} every ${formatDuration(rule.leading.everyMs)}`
        : 'off',
    ],
    ['Never below', limitWords(rule.floor)],
    ['Never above', limitWords(rule.ceiling)],
    ['At the floor', rule.atFloor === 'go' ? 'go down to it' : 'stay'],
    ['Ending', rule.ending ?? 'any'],
    ['Wait to go down', formatDuration(rule.coolDownMs)],
    ['Wait to go up', formatDuration(rule.coolUpMs)],
    ['Skip less than', formatCents(rule.leastCents)],
    ['Changes a day', formatCount(rule.changesADay)],
    [
      'Price war',
      `${rule.war.changes} in ${formatDuration(rule.war.withinMs)}, hold ${formatDuration(rule.war.holdMs)}`,
    ],
    ['At once at most', `${rule.mostPercent} %`],
    [
      'Hours',
      `${rule.hours.days.length} days, ${rule.hours.from}–${rule.hours.to} ${rule.hours.zone}`,
    ],
    ['Begins', rule.startsAt === null ? 'at once' : formatFullMoment(rule.startsAt)],
    ['Ends', rule.endsAt === null ? 'never' : formatFullMoment(rule.endsAt)],
  ]
  const old = new Map(said(before))
  return said(after).flatMap(([what, to]) =>
    old.get(what) === to ? [] : [{ what, from: old.get(what) ?? '', to }],
  )
}

const offers = (count: number): string => (count === 1 ? '1 offer' : `${formatCount(count)} offers`)

/** A conflict: what it is and what it means. */
export function conflictWords({ kind, offers: count, ruleName }: RuleConflict): {
  title: string
  text: string
} {
  switch (kind) {
    case 'floor-above-ceiling':
      return {
        title: 'Floor above the ceiling',
        text: `On ${offers(count)} the floor is above the ceiling. They would be held and never change.`,
      }
    case 'no-cost':
      return {
        title: `${offers(count)} without a cost`,
        text: 'Their limits can’t be computed, so nothing is proposed for them. Enter costs in Offers.',
      }
    case 'no-commission':
      return {
        title: `${offers(count)} without a commission`,
        text: 'The service doesn’t tell it, so a customer price can’t be computed for them.',
      }
    case 'rule-above':
      return {
        title: `${offers(count)} ${count === 1 ? 'fits' : 'fit'} a rule above`,
        text: `“${ruleName ?? ''}” stands higher and sets them. They are not counted here.`,
      }
    case 'raise-without-ceiling':
      return {
        title: 'Raising without a ceiling',
        text: 'A raise needs a highest price. Set “never above”, or don’t raise.',
      }
    case 'zone-unknown':
      return {
        title: 'Unknown time zone',
        text: 'The hours name a zone that this machine doesn’t know.',
      }
    case 'covers-none':
      return { title: 'No offer fits', text: 'The rule does nothing as things stand.' }
    case 'below-cost':
      return {
        title: `${offers(count)} could sell at a loss`,
        text: 'Their floor is below what a unit cost you.',
      }
    case 'dates':
      return { title: 'It ends before it begins', text: 'Look at its dates.' }
  }
}

/** What stands in the proposal's place when there is none. */
export const insteadOfProposal = (row: MarketRow): string =>
  row.sending ? 'Being sent' : reasonWords[row.reason]

export const sinceWords = (since: number, now: number): string => formatDuration(now - since)
