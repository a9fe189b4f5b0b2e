import type { Notice } from '../../contract/notices.ts'
import type { DecisionReason } from '../../contract/price-rules.ts'
import type { StoredRule } from './rules/facts.ts'
import { isInForce } from './rules/fits.ts'

/**
 * What people hear of without looking: the floor was reached, a price war, the changes of a day
 * used up, a price set elsewhere, a sending that was refused.
 */
const told = {
  'at-floor': {
    one: 'At its floor:',
    many: 'At the floor:',
    text: 'Somebody is cheaper than you may be. Its price stays.',
  },
  war: {
    one: 'Price war, held:',
    many: 'Price wars, held:',
    text: 'It changed too often in a short while. The rule lets it rest.',
  },
  'daily-limit': {
    one: 'Changes of today used up:',
    many: 'Changes of today used up:',
    text: 'It changed as often in 24 hours as its rule allows. Its price stays until the first of them is a day old.',
  },
  'changed-elsewhere': {
    one: 'Price changed elsewhere:',
    many: 'Prices changed elsewhere:',
    text: 'Another console or the seller panel set it. It is held until you have looked.',
  },
  'held-refused': {
    one: 'A price was not let through:',
    many: 'Prices were not let through:',
    text: 'The last check or the service refused it. It is held for an hour.',
  },
} as const
export type ToldReason = keyof typeof told
export const isTold = (reason: DecisionReason): reason is ToldReason => reason in told

export type Told = Pick<Notice, 'kind' | 'title' | 'text' | 'path'>
export type WatchEvent = { reason: ToldReason; offerId: string; name: string }

/** The same of the same offer is told at most so often, in milliseconds. */
const AGAIN_AFTER_MS = 60 * 60_000
const NAMED = 3

/**
 * Gathers what happened to offers' prices, and gives one notice for each kind, however many offers
 * it is about.
 */
export function createTelling(now: () => number) {
  const before = new Map<string, number>()
  let events: WatchEvent[] = []
  return {
    add(event: WatchEvent): void {
      const key = `${event.reason} ${event.offerId}`
      if (now() - (before.get(key) ?? -Infinity) < AGAIN_AFTER_MS) return
      before.set(key, now())
      events.push(event)
    },
    /** What has gathered since the last time. */
    take(): Told[] {
      const gathered = Map.groupBy(events, ({ reason }) => reason)
      events = []
      return [...gathered].map(([reason, some]) => {
        const { one, many, text } = told[reason]
        const [first] = some
        if (some.length === 1 && first !== undefined)
          return {
            kind: 'price-watch',
            title: `${one} ${first.name}`,
            text,
            path: `/watch/market/${first.offerId}`,
          }
        const names = some
          .slice(0, NAMED)
          .map(({ name }) => name)
          .join(', ')
        return {
          kind: 'price-watch',
          title: `${many} ${some.length.toLocaleString('en')} offers`,
          text:
            some.length > NAMED
              ? `${names} and ${(some.length - NAMED).toLocaleString('en')} more.`
              : `${names}.`,
          path: '/watch/market',
        }
      })
    },
  }
}

/**
 * Tells when rules rest though nobody switched them off, each time it begins: somebody else is at
 * work on the shop, or a rule's time is over. What was so at the first look is no event.
 */
export function createPauses(): (now: {
  at: number
  suspended: boolean
  rules: readonly StoredRule[]
}) => Told[] {
  let before: { suspended: boolean; inForce: ReadonlySet<string> } | null = null
  return ({ at, suspended, rules }) => {
    const last = before
    before = {
      suspended,
      inForce: new Set(rules.filter((stored) => isInForce(stored, at)).map(({ ruleId }) => ruleId)),
    }
    if (last === null) return []
    const ended = rules.filter(
      ({ ruleId, mode, rule: { endsAt } }) =>
        last.inForce.has(ruleId) && mode !== 'off' && endsAt !== null && endsAt <= at,
    )
    return [
      ...(suspended && !last.suspended
        ? [
            {
              kind: 'price-watch' as const,
              title: 'Rules no longer apply by themselves',
              text: 'Somebody else changes prices of this shop too: another console or the seller panel. They propose until you have looked.',
              path: '/watch/market',
            },
          ]
        : []),
      ...ended.map(({ ruleId, rule }) => ({
        kind: 'price-watch' as const,
        title: `Its time is over: ${rule.name}`,
        text: 'The rule does nothing any more. Prices stay as they are.',
        path: `/watch/rules/${ruleId}`,
      })),
    ]
  }
}
