import type { Notice } from '../../../contract/app/notices.ts'
import type { DecisionReason } from '../../../contract/price-watch/price-rules.ts'
import { localized } from '../../../contract/localization/localized.ts'
import { longAgo, msSince } from '../../clock.ts'
import type { Clock, Monotonic } from '../../clock.ts'
import type { StoredRule } from '../rules/facts.ts'
import { isInForce } from '../rules/fits.ts'

/** Events that people are notified about. */
const noticeTexts = {
  'at-floor': {
    one: 'price-watch.at-floor',
    many: 'price-watch.at-floor-many',
    text: 'price-watch.at-floor-effect',
  },
  war: {
    one: 'price-watch.war',
    many: 'price-watch.war-many',
    text: 'price-watch.war-effect',
  },
  'daily-limit': {
    one: 'price-watch.daily-limit',
    many: 'price-watch.daily-limit-many',
    text: 'price-watch.daily-limit-effect',
  },
  'changed-elsewhere': {
    one: 'price-watch.changed-elsewhere',
    many: 'price-watch.changed-elsewhere-many',
    text: 'price-watch.changed-elsewhere-effect',
  },
  'held-refused': {
    one: 'price-watch.held',
    many: 'price-watch.held-many',
    text: 'price-watch.held-effect',
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
export function createNoticeCollector(clock: Pick<Clock, 'monotonic'>) {
  const before = new Map<string, Monotonic>()
  let events: WatchEvent[] = []
  return {
    add(event: WatchEvent): void {
      const key = `${event.reason} ${event.offerId}`
      if (msSince(clock, before.get(key) ?? longAgo) < REPEAT_AFTER_MS) return
      before.set(key, clock.monotonic())
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
            title: localized(one, { offer: first.name }),
            text: localized(text),
            path: `/watch/market/${first.offerId}`,
          }
        const names = some
          .slice(0, NAMES_SHOWN)
          .map(({ name }) => name)
          .join(', ')
        return {
          kind: 'price-watch',
          title: localized(many, { offers: some.length }),
          text: localized('offers.names', {
            names,
            more: Math.max(0, some.length - NAMES_SHOWN),
          }),
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
              title: localized('price-watch.paused'),
              text: localized('price-watch.paused-reason'),
              path: '/watch/market',
            },
          ]
        : []),
      ...ended.map(({ ruleId, rule }) => ({
        kind: 'price-watch' as const,
        title: localized('price-watch.rule-expired', { rule: rule.name }),
        text: localized('price-watch.rule-expired-effect'),
        path: `/watch/rules/${ruleId}`,
      })),
    ]
  }
}
