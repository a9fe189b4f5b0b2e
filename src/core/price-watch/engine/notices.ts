import type { Notice } from '../../../contract/notices.ts'
import type { DecisionReason } from '../../../contract/price-rules.ts'
import type { StoredRule } from '../rules/facts.ts'
import { isInForce } from '../rules/fits.ts'

/** Events that people are notified about. */
const noticeTexts = {
  'at-floor': {
    one: 'At its floor:',
    many: 'At the floor:',
    text: 'Another seller is below your floor. The price stays.',
  },
  war: {
    one: 'Held in a price war:',
    many: 'Held in a price war:',
    text: 'The price changed too often in a short time. The rule pauses for this offer.',
  },
  'daily-limit': {
    one: 'Daily limit reached:',
    many: 'Daily limit reached:',
    text: 'The price changed as often in 24 hours as the rule allows. It stays until the oldest change is a day old.',
  },
  'changed-elsewhere': {
    one: 'Price changed elsewhere:',
    many: 'Prices changed elsewhere:',
    text: 'Another console or the seller panel set the price. Rules leave it unchanged until you review it.',
  },
  'held-refused': {
    one: 'Price not sent:',
    many: 'Prices not sent:',
    text: 'The pre-send check or the service rejected the price. The offer is held for an hour.',
  },
} as const
export type NoticeReason = keyof typeof noticeTexts
export const isNoticeReason = (reason: DecisionReason): reason is NoticeReason =>
  reason in noticeTexts

export type WatchNotice = Pick<Notice, 'kind' | 'title' | 'text' | 'path'>
export type WatchEvent = { reason: NoticeReason; offerId: string; name: string }

/** Minimum time between two notices of a kind for one offer, in milliseconds. */
const REPEAT_AFTER_MS = 60 * 60_000
const NAMES_SHOWN = 3

/** Collects events of offers and groups them into one notice per kind. */
export function createNoticeCollector(now: () => number) {
  const before = new Map<string, number>()
  let events: WatchEvent[] = []
  return {
    add(event: WatchEvent): void {
      const key = `${event.reason} ${event.offerId}`
      if (now() - (before.get(key) ?? -Infinity) < REPEAT_AFTER_MS) return
      before.set(key, now())
      events.push(event)
    },
    /** The notices collected since the last call. */
    take(): WatchNotice[] {
      const gathered = Map.groupBy(events, ({ reason }) => reason)
      events = []
      return [...gathered].map(([reason, some]) => {
        const { one, many, text } = noticeTexts[reason]
        const [first] = some
        if (some.length === 1 && first !== undefined)
          return {
            kind: 'price-watch',
            title: `${one} ${first.name}`,
            text,
            path: `/watch/market/${first.offerId}`,
          }
        const names = some
          .slice(0, NAMES_SHOWN)
          .map(({ name }) => name)
          .join(', ')
        return {
          kind: 'price-watch',
          title: `${many} ${some.length.toLocaleString('en')} offers`,
          text:
            some.length > NAMES_SHOWN
              ? `${names} and ${(some.length - NAMES_SHOWN).toLocaleString('en')} more.`
              : `${names}.`,
          path: '/watch/market',
        }
      })
    },
  }
}

/**
 * Creates notices when rules stop applying without a person switching them off: auto-apply is
 * suspended, or a rule expired. A state that existed at the first call is not an event.
 */
export function createPauseNotices(): (now: {
  at: number
  suspended: boolean
  rules: readonly StoredRule[]
}) => WatchNotice[] {
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
              title: 'Auto-apply is paused',
              text: 'Another console or the seller panel is also changing this shop’s prices. Rules only propose until you review.',
              path: '/watch/market',
            },
          ]
        : []),
      ...ended.map(({ ruleId, rule }) => ({
        kind: 'price-watch' as const,
        title: `Rule expired: ${rule.name}`,
        text: 'The rule no longer changes prices. Current prices stay.',
        path: `/watch/rules/${ruleId}`,
      })),
    ]
  }
}
