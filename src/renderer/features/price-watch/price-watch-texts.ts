import { t } from '../../../contract/localization/localized.ts'
import { ZERO } from '../../../../server/api/money.ts'
import type {
  DecisionReason,
  PriceCeiling,
  PriceFloor,
  PriceRule,
  PriceStep,
  RuleMode,
  RuleScope,
} from '../../../contract/price-watch/price-rules.ts'
import type {
  LoggedDecision,
  MarketRow,
  RuleConflict,
} from '../../../contract/price-watch/price-watch-records.ts'
import {
  formatCents,
  formatClock,
  formatCount,
  formatDuration,
  formatFullMoment,
  formatMoment,
} from '../../ui/format.ts'

/** Short text for a reason, for a table cell. */
export const reasonTexts: Record<DecisionReason, string> = {
  match: 'Match',
  undercut: 'Undercut',
  'step-back': 'Step back',
  raise: 'Raise while leading',
  'to-floor': 'Down to floor',
  'up-to-floor': 'Up to floor',
  'down-to-ceiling': 'Down to ceiling',
  leading: 'Leading',
  'at-ceiling': 'At ceiling',
  'at-floor': 'At floor',
  matched: 'Matched',
  'told-to-stay': 'Kept by rule',
  'too-small': 'Change too small',
  'cooling-down': 'Cooling down',
  'daily-limit': 'Daily limit',
  war: 'Held in price war',
  held: 'Held by you',
  'held-refused': 'Rejected, held',
  snoozed: 'Held for now',
  rejected: 'Rejected by you',
  'too-far': 'Change too large',
  'out-of-hours': 'Outside hours',
  'no-rule': 'No rule',
  'not-selling': 'Not selling',
  stale: 'Data too old',
  'best-unknown': 'Best price unknown',
  'lead-unknown': 'Lead unknown',
  'no-cost': 'No cost entered',
  'no-commission': 'Commission unknown',
  'floor-above-ceiling': 'Floor above ceiling',
  'own-shop-leads': 'Your other shop leads',
  'outbox-waits': 'Queued change',
  'changed-elsewhere': 'Changed elsewhere',
  stopped: 'Rules stopped',
  applied: 'Sent',
  'last-check': 'Not sent: check failed',
  refused: 'Rejected by service',
  'answer-lost': 'Response lost',
}

const notes: Readonly<Record<string, string>> = {
  stopped: 'sending was stopped',
  'rule-gone': 'the rule was removed or switched off',
  'not-selling': 'the offer no longer sells',
  'price-moved': 'the price had changed',
  'not-fresh': 'the last reading was too old',
  'no-price': 'there is nothing to change',
  'below-floor': 'the price was below the floor',
  'above-ceiling': 'the price was above the ceiling',
  'limit-unknown': 'a limit couldn’t be computed',
  jump: 'the change was too large',
  'changes-today': 'the daily limit was reached',
  'market-moved': 'the market moved, and another price is right now',
  unreadable: 'the offer couldn’t be read from the service',
  'rule-proposes': 'the rule only proposes now',
  suspended: 'another tool is also changing this shop’s prices, so rules only propose',
  'answer-lost': 'the response was lost, and the offer showed that the price was accepted',
}

/** Text for the result of the pre-send check or the service. */
export const resultText = (note: string): string =>
  notes[note] ?? (note in reasonTexts ? reasonTexts[note as DecisionReason].toLowerCase() : note)

/** Explains a decision in one or two sentences. */
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
  const customer =
    inputs.targetCustomerCents === null
      ? ''
      : `, the customer pays ${formatCents(inputs.targetCustomerCents)}`
  const to =
    targetCents === null
      ? ''
      : `You would receive ${formatCents(targetCents)} instead of ${formatCents(beforeCents)}${customer}.`
  const floor = inputs.floorCents === null ? 'unknown' : formatCents(inputs.floorCents)
  const ceiling = inputs.ceilingCents === null ? 'none' : formatCents(inputs.ceilingCents)
  const until = inputs.until === null ? '' : ` until ${formatClock(inputs.until)}`
  switch (reason) {
    case 'undercut':
      return `Another offer sells first. ${rule} goes below ${best}. ${to}`
    case 'match':
      return `Another offer sells first. ${rule} matches ${best}. ${to}`
    case 'step-back':
      return `The last raise lost the lead. ${rule} steps back to the price that led. ${to}`
    case 'raise':
      return `The offer has led long enough. ${rule} tries a higher price to find the second-best one. ${to}`
    case 'to-floor':
      return (
        `${rule} can’t reach ${best} without going below the floor of ${floor}, so it ` +
        `goes down to the floor. ${to}`
      )
    case 'up-to-floor':
      return `The price is below the floor of ${floor}. ${rule} raises it to the floor. ${to}`
    case 'down-to-ceiling':
      return `The price is above the ceiling of ${ceiling}. ${rule} lowers it to the ceiling. ${to}`
    case 'leading':
      return (
        'The offer leads: the best price is its ' +
        `own.${inputs.until === null ? '' : ` The next raise is due at ${formatClock(inputs.until)}.`}`
      )
    case 'at-ceiling':
      return `The offer leads at its ceiling of ${ceiling}.`
    case 'at-floor':
      return `Reaching ${best} would go below the floor of ${floor}.`
    case 'matched':
      return 'The price is already as low as the rule wants, but another offer still sells first.'
    case 'told-to-stay':
      return `${rule} leaves the price unchanged while the offer is behind.`
    case 'too-small':
      return `The change would be smaller than the minimum of ${rule}.`
    case 'cooling-down':
      return (
        'The price ' +
        `changed${inputs.lastChangeAt === null ? '' : ` at ${formatClock(inputs.lastChangeAt)}`}. ` +
        'It can change ' +
        `again${inputs.until === null ? ' later' : ` at ${formatClock(inputs.until)}`}.`
      )
    case 'daily-limit':
      return `The price changed ${t('counts.times', { count: inputs.changesToday })} in 24 hours, the limit of ${rule}.`
    case 'war':
      return (
        `The price changed ${t('counts.times', { count: inputs.changesInWindow })} in a short ` +
        `time: a price war. It’s held${until}.`
      )
    case 'held':
      return 'The price is on hold until you release it.'
    case 'held-refused':
      return `The last price was rejected. The offer is held${until}.`
    case 'snoozed':
      return `You put the price on hold${until}.`
    case 'rejected':
      return (
        'You rejected this price. It’s proposed again when the best price ' +
        `changes${inputs.bestCents === null ? '' : ` from ${formatCents(inputs.bestCents)}`}.`
      )
    case 'too-far':
      return `The change would be larger than ${rule} allows. Change the price manually if it’s right.`
    case 'out-of-hours':
      return `${rule} isn’t active at this hour.`
    case 'no-rule':
      return 'No rule covers this offer. It’s only watched.'
    case 'not-selling':
      return 'The offer is paused or has no keys.'
    case 'stale':
      return 'The data is too old, or older than the current price. Keydesk refreshes it first.'
    case 'best-unknown':
      return 'The offer is behind, and the best price hasn’t been read yet.'
    case 'lead-unknown':
      return (
        'The readings disagree on which offer sells first, or the service doesn’t ' +
        'report it. The next reading decides.'
      )
    case 'no-cost':
      return 'The floor or ceiling depends on the cost, and no cost is entered for this offer.'
    case 'no-commission':
      return 'The limit is a customer price, and the service doesn’t report the commission.'
    case 'floor-above-ceiling':
      return `The floor of ${floor} is above the ceiling of ${ceiling}.`
    case 'own-shop-leads':
      return 'The cheapest offer is yours, in another of your shops.'
    case 'outbox-waits':
      return 'A change of this price is queued or being sent. That comes first.'
    case 'changed-elsewhere':
      return (
        'A price set by a rule was changed in the seller panel or another console. ' +
        'Review it, then release the offer.'
      )
    case 'stopped':
      return 'Price sending is stopped.'
    case 'applied':
      return `Sent: you receive ${formatCents(targetCents ?? ZERO)} instead of ${formatCents(beforeCents)}.`
    case 'last-check':
      return `Not sent: ${inputs.note === null ? 'the pre-send check rejected it' : resultText(inputs.note)}.`
    case 'refused':
      return `The service rejected the price${inputs.note === null ? '' : ` (${inputs.note})`}. The offer is unchanged.`
    case 'answer-lost':
      return 'The service’s response was lost, and the offer showed that the price wasn’t accepted.'
  }
}

export const modeTexts: Record<RuleMode, string> = { off: 'Off', propose: 'Proposes', auto: 'Auto' }

const describeStep = (step: PriceStep): string =>
  step.by === 'amount' ? formatCents(step.cents) : `${step.percent} %`

/** A short description of a rule, shown under its name. */
export function summarizeRule({ behind, leading }: PriceRule): string {
  const low =
    behind.act === 'undercut'
      ? `Undercut ${describeStep(behind.step)}`
      : behind.act === 'match'
        ? 'Match'
        : null
  const up =
    leading.act === 'raise'
      ? `raise ${describeStep(leading.step)} every ${formatDuration(leading.everyMs)}`
      : null
  if (low === null) return up === null ? 'Limits only' : `Only ${up}`
  return up === null ? low : `${low}, ${up}`
}

/** Describes why a rule isn't active by its dates; null if it is. */
export function describeDates({ startsAt, endsAt }: PriceRule, now: number): string | null {
  if (endsAt !== null && endsAt <= now) return `expired ${formatMoment(endsAt, now)}`
  return startsAt !== null && startsAt > now ? `from ${formatMoment(startsAt, now)}` : null
}

function summarizeScope(scope: RuleScope): string {
  if (scope.kind === 'all') return 'All offers'
  if (scope.kind === 'offers')
    return t('screens.price-watch-scope', { count: scope.offerIds.length })
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
          `${scope.fromCents === null ? 'up' : formatCents(scope.fromCents)} to ` +
            `${scope.toCents === null ? 'any' : formatCents(scope.toCents)}`,
        ]
  return [...parts.slice(0, 3), ...range].join(', ') || 'All offers'
}

export function describeLimit(limit: PriceFloor | PriceCeiling): string {
  switch (limit.kind) {
    case 'none':
      return 'no limit'
    case 'receive':
      return `${formatCents(limit.cents)} for you`
    case 'customer':
      return `${formatCents(limit.cents)} customer price`
    case 'cost': {
      const percent = limit.profitPercent > 0 ? [`${limit.profitPercent} %`] : []
      const amount =
        limit.profitCents > 0 || limit.profitPercent === 0 ? [formatCents(limit.profitCents)] : []
      return `cost plus ${[...amount, ...percent].join(' and ')}`
    }
  }
}

/** The differences between the saved and the edited rule. */
export function differences(
  before: PriceRule,
  after: PriceRule,
): { what: string; from: string; to: string }[] {
  const said = (rule: PriceRule): [string, string][] => [
    ['Name', rule.name],
    ['For', summarizeScope(rule.scope)],
    [
      'When behind',
      rule.behind.act === 'undercut'
        ? `undercut ${describeStep(rule.behind.step)}`
        : rule.behind.act,
    ],
    [
      'Raise when leading',
      rule.leading.act === 'raise'
        ? `${describeStep(rule.leading.step)} every ${formatDuration(rule.leading.everyMs)}`
        : 'off',
    ],
    ['Never below', describeLimit(rule.floor)],
    ['Never above', describeLimit(rule.ceiling)],
    ['At floor', rule.atFloor === 'go' ? 'go down to the floor' : 'stay'],
    ['Ending', rule.ending ?? 'any'],
    ['Wait before going down', formatDuration(rule.coolDownMs)],
    ['Wait before going up', formatDuration(rule.coolUpMs)],
    ['Skip changes below', formatCents(rule.leastCents)],
    ['Changes per day', formatCount(rule.changesADay)],
    [
      'Price war',
      `${rule.war.changes} in ${formatDuration(rule.war.withinMs)}, hold ${formatDuration(rule.war.holdMs)}`,
    ],
    ['Largest change', `${rule.mostPercent} %`],
    [
      'Hours',
      `${t('counts.days', { count: rule.hours.days.length })}, ${rule.hours.from}–${rule.hours.to} ${rule.hours.zone}`,
    ],
    ['Starts', rule.startsAt === null ? 'immediately' : formatFullMoment(rule.startsAt)],
    ['Ends', rule.endsAt === null ? 'never' : formatFullMoment(rule.endsAt)],
  ]
  const old = new Map(said(before))
  return said(after).flatMap(([what, to]) =>
    old.get(what) === to ? [] : [{ what, from: old.get(what) ?? '', to }],
  )
}

const offers = (count: number): string => t('counts.offers', { count })

/** Title and explanation of a conflict. */
export function describeConflict({ kind, offers: count, ruleName }: RuleConflict): {
  title: string
  text: string
} {
  switch (kind) {
    case 'floor-above-ceiling':
      return {
        title: 'Floor above the ceiling',
        text: `For ${offers(count)}, the floor is above the ceiling. Their prices would never change.`,
      }
    case 'no-cost':
      return {
        title: `${offers(count)} without a cost`,
        text: 'Their limits can’t be computed, so nothing is proposed for them. Enter costs in Offers.',
      }
    case 'no-commission':
      return {
        title: `${offers(count)} without a commission`,
        text: 'The service doesn’t report it, so their customer price can’t be computed.',
      }
    case 'rule-above':
      return {
        title: t('screens.price-watch-rule-above', { count }),
        text: `“${ruleName ?? ''}” comes first and sets their prices. They aren’t counted here.`,
      }
    case 'raise-without-ceiling':
      return {
        title: 'Raising without a ceiling',
        text: 'Raising needs a maximum price. Set “Never above”, or don’t raise.',
      }
    case 'zone-unknown':
      return {
        title: 'Unknown time zone',
        text: 'This computer doesn’t know the time zone of the hours.',
      }
    case 'covers-none':
      return { title: 'No matching offers', text: 'The rule currently does nothing.' }
    case 'below-cost':
      return {
        title: `${offers(count)} could sell at a loss`,
        text: 'Their floor is below your cost per unit.',
      }
    case 'dates':
      return { title: 'The end is before the start', text: 'Check the dates.' }
  }
}

/** The text shown when there is no proposal. */
export const proposalPlaceholder = (row: MarketRow): string =>
  row.sending ? 'Sending' : reasonTexts[row.reason]

export const timeSince = (since: number, now: number): string => formatDuration(now - since)
