import type { Notice } from '../../contract/notices.ts'
import type { DecisionReason } from '../../contract/price-rules.ts'

/** What people hear of without looking: the floor was reached, a price war, a price set elsewhere, a sending that was refused. */
const told = {
  'at-floor': { one: 'At its floor:', many: 'At the floor:', text: 'Somebody is cheaper than you may be. Its price stays.' },
  war: { one: 'Price war, held:', many: 'Price wars, held:', text: 'It changed too often in a short while. The rule lets it rest.' },
  'changed-elsewhere': { one: 'Price changed elsewhere:', many: 'Prices changed elsewhere:', text: 'Another console or the seller panel set it. It is held until you have looked.' },
  'held-refused': { one: 'A price was not let through:', many: 'Prices were not let through:', text: 'The last check or the service refused it. It is held for an hour.' },
} as const
export type ToldReason = keyof typeof told
export const isTold = (reason: DecisionReason): reason is ToldReason => reason in told

export type WatchEvent = { reason: ToldReason; offerId: string; name: string }

/** The same of the same offer is told at most so often, in milliseconds. */
const AGAIN_AFTER_MS = 60 * 60_000
const NAMED = 3

/** Gathers what happened to offers' prices, and gives one notice for each kind, however many offers it is about. */
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
    take(): Pick<Notice, 'kind' | 'title' | 'text' | 'path'>[] {
      const gathered = Map.groupBy(events, ({ reason }) => reason)
      events = []
      return [...gathered].map(([reason, some]) => {
        const { one, many, text } = told[reason]
        const [first] = some
        if (some.length === 1 && first !== undefined) return { kind: 'price-watch', title: `${one} ${first.name}`, text, path: `/watch/market/${first.offerId}` }
        const names = some.slice(0, NAMED).map(({ name }) => name).join(', ')
        return { kind: 'price-watch', title: `${many} ${some.length.toLocaleString('en')} offers`, text: some.length > NAMED ? `${names} and ${(some.length - NAMED).toLocaleString('en')} more.` : `${names}.`, path: '/watch/market' }
      })
    },
  }
}
