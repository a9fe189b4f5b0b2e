import type { Notice } from '../../../contract/app/notices.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import type { Clock, Monotonic } from '../../clock.ts'
import type { OfferFacts } from './facts.ts'
import type { OfferRecord } from '../store.ts'

export type AlertKind = 'lost-lead' | 'low-stock' | 'empty'
export type Alert = { kind: AlertKind; offerId: string; name: string; text: Localized }

/**
 * Minimum time between two alerts of a kind for one offer, in milliseconds: a lead can come and go
 * quickly.
 */
const REPEAT_AFTER_MS = 30 * 60_000
const NAMES_SHOWN = 3

/**
 * Compares two readings of an offer and returns the event that a person should see, if any: it lost
 * the lead at an unchanged price, its stock fell to its low threshold, or it ran out of stock. A
 * state that hasn't changed is not an event.
 */
export function alertOf(
  before: Pick<OfferRecord, 'status' | 'stock' | 'is_cheapest' | 'price_cents' | 'low_at'>,
  now: OfferFacts,
  lowStock: number,
): Alert | null {
  if (now.status !== 'active' || before.status !== 'active') return null
  const { offerId, name } = now
  if (before.stock > 0 && now.stock === 0)
    return { kind: 'empty', offerId, name, text: localized('offers.empty-effect') }
  const low = before.low_at ?? lowStock
  if (before.stock > low && now.stock <= low)
    return {
      kind: 'low-stock',
      offerId,
      name,
      text: localized('offers.low-stock-left', { stock: now.stock }),
    }
  if (
    before.is_cheapest === 1 &&
    before.stock > 0 &&
    now.isCheapest === false &&
    before.price_cents === now.priceCents
  ) {
    return {
      kind: 'lost-lead',
      offerId,
      name,
      text:
        now.lowestCustomerCents === null
          ? localized('offers.cheaper-seller')
          : localized('offers.best-price', {
              best: now.lowestCustomerCents,
              own: now.customerCents,
            }),
    }
  }
  return null
}

const TITLES = {
  'lost-lead': {
    one: 'offers.lost-lead',
    many: 'offers.lost-lead-many',
    view: 'not-cheapest',
  },
  'low-stock': { one: 'offers.low-stock', many: 'offers.low-stock-many', view: 'low-stock' },
  empty: { one: 'offers.empty', many: 'offers.empty-many', view: 'empty' },
} as const satisfies Record<AlertKind, { one: string; many: string; view: string }>

/** Groups alerts into one notice per kind of event. */
export function groupAlerts(
  alerts: readonly Alert[],
): Pick<Notice, 'kind' | 'title' | 'text' | 'path'>[] {
  return (Object.keys(TITLES) as AlertKind[]).flatMap((kind) => {
    const some = alerts.filter((alert) => alert.kind === kind)
    const [first] = some
    if (first === undefined) return []
    if (some.length === 1)
      return [
        {
          kind,
          title: localized(TITLES[kind].one, { offer: first.name }),
          text: first.text,
          path: `/offers/${first.offerId}`,
        },
      ]
    const more = Math.max(0, some.length - NAMES_SHOWN)
    const names = some
      .slice(0, NAMES_SHOWN)
      .map(({ name }) => name)
      .join(', ')
    return [
      {
        kind,
        title: localized(TITLES[kind].many, { offers: some.length }),
        text: localized('offers.names', { names, more }),
        path: `/offers?view=${TITLES[kind].view}`,
      },
    ]
  })
}

/** Suppresses alerts that were sent for the same offer a short while ago. */
export function createAlertThrottle(clock: Pick<Clock, 'monotonic'>) {
  const sentAt = new Map<string, Monotonic>()
  return {
    fresh(alerts: readonly Alert[]): Alert[] {
      const at = clock.monotonic()
      for (const [key, then] of sentAt) if (at - then >= REPEAT_AFTER_MS) sentAt.delete(key)
      return alerts.filter(({ kind, offerId }) => {
        const key = `${kind} ${offerId}`
        if (sentAt.has(key)) return false
        sentAt.set(key, at)
        return true
      })
    },
  }
}
