import type { Notice } from '../../contract/notices.ts'
import type { OfferFacts } from './facts.ts'
import type { OfferRecord } from './store.ts'

export type AlertKind = 'lost-lead' | 'low-stock' | 'empty'
export type Alert = { kind: AlertKind; offerId: string; name: string; text: string }

/** An offer whose lead comes and goes is told at most so often, in milliseconds. */
const AGAIN_AFTER_MS = 30 * 60_000
const NAMED = 3

const euros = (amount: number): string => (amount / 100).toFixed(2)

/**
 * What happened to an offer between two readings of the service, if a person should hear of it: it
 * lost the lead though its price is the same, its stock went down to where it counts as low, or it
 * has none left. What was so before is no event.
 */
export function alertOf(
  before: Pick<OfferRecord, 'status' | 'stock' | 'is_cheapest' | 'price_cents' | 'low_at'>,
  now: OfferFacts,
  lowStock: number,
): Alert | null {
  if (now.status !== 'active' || before.status !== 'active') return null
  const { offerId, name } = now
  if (before.stock > 0 && now.stock === 0)
    return { kind: 'empty', offerId, name, text: 'It sells nothing until it has keys.' }
  const low = before.low_at ?? lowStock
  if (before.stock > low && now.stock <= low)
    return {
      kind: 'low-stock',
      offerId,
      name,
      text: `${now.stock} ${now.stock === 1 ? 'key is' : 'keys are'} left.`,
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
          ? 'Somebody is cheaper.'
          : `Best is ${euros(now.lowestCustomerCents)}, yours is ${euros(now.customerCents)}.`,
    }
  }
  return null
}

const TITLES: Readonly<Record<AlertKind, { one: string; many: string; view: string }>> = {
  'lost-lead': { one: 'Lost the lead on', many: 'Lost the lead on', view: 'not-cheapest' },
  'low-stock': { one: 'Low stock:', many: 'Low stock:', view: 'low-stock' },
  empty: { one: 'Empty:', many: 'Empty:', view: 'empty' },
}

/** One notice for each kind of event, however many offers it is about. */
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
          title: `${TITLES[kind].one} ${first.name}`,
          text: first.text,
          path: `/offers/${first.offerId}`,
        },
      ]
    const more = some.length - NAMED
    const names = some
      .slice(0, NAMED)
      .map(({ name }) => name)
      .join(', ')
    return [
      {
        kind,
        title: `${TITLES[kind].many} ${some.length.toLocaleString('en')} offers`,
        text: more > 0 ? `${names} and ${more.toLocaleString('en')} more.` : `${names}.`,
        path: `/offers?view=${TITLES[kind].view}`,
      },
    ]
  })
}

/** Leaves out what was told of the same offer a short while ago. */
export function createAlertMemory(now: () => number) {
  const told = new Map<string, number>()
  return {
    fresh(alerts: readonly Alert[]): Alert[] {
      const at = now()
      for (const [key, then] of told) if (at - then >= AGAIN_AFTER_MS) told.delete(key)
      return alerts.filter(({ kind, offerId }) => {
        const key = `${kind} ${offerId}`
        if (told.has(key)) return false
        told.set(key, at)
        return true
      })
    },
  }
}
