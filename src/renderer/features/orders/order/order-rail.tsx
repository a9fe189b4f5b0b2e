import { t } from '../../../../contract/localization/localized.ts'
import { subtractCents } from '../../../../../server/api/money.ts'
import type { Claim } from '../../../../contract/claims.ts'
import type { KeyUse, OrderDetail } from '../../../../contract/order-records.ts'
import { Fact, Facts } from '../../../ui/data-display/facts.tsx'
import {
  formatCents,
  formatClockSeconds,
  formatFullMoment,
  formatMoment,
} from '../../../ui/format.ts'
import { Timeline } from '../../../ui/data-display/timeline.tsx'
import type { TimelineEvent } from '../../../ui/data-display/timeline.tsx'
import { Money } from '../../../ui/data-display/amounts/money.tsx'
import { PanelSection } from '../../../ui/layout/page.tsx'
import { claimLabel } from '../../../lib/labels/claim-labels.ts'
import { useOrderClaims } from '../keys/key-row.tsx'
import styles from '../orders.module.css'
import { useAccountNow } from '../../../lib/account/account-time.tsx'

/** The panel next to an order: the money, its history, and its identifiers. */
export function OrderRail({ order }: { order: OrderDetail }) {
  const now = useAccountNow()
  const claims = [...useOrderClaims().values()]
    .filter(({ orderId }) => orderId === order.orderId)
    .toReversed()
  return (
    <aside className={styles.rail} aria-label="Money, history and identifiers">
      <PanelSection title="Money">
        <Facts>
          <Fact label="Charged">
            <Money cents={order.totalCents} unit />
          </Fact>
          <Fact label="Credited back">
            <Money cents={order.refundedCents} unit />
          </Fact>
          <Fact label="Paid" strong>
            <Money cents={subtractCents(order.totalCents, order.refundedCents)} unit strong />
          </Fact>
        </Facts>
      </PanelSection>
      <PanelSection title="History">
        <Timeline label="History of this order" events={events(order, claims, now)} />
      </PanelSection>
      <PanelSection title="Identifiers">
        <Facts>
          <Fact label="Order" mono>
            {order.orderId}
          </Fact>
          <Fact label="External" mono>
            {order.externalId}
          </Fact>
          {order.requestId === null ? null : (
            <Fact label="Request" mono>
              {order.requestId}
            </Fact>
          )}
        </Facts>
      </PanelSection>
    </aside>
  )
}

type Moment = (moment: number) => string

function events(order: OrderDetail, claims: readonly Claim[], now: number): TimelineEvent[] {
  const at: Moment = (moment) =>
    new Date(moment).toDateString() === new Date(now).toDateString()
      ? formatClockSeconds(moment)
      : formatMoment(moment, now)
  return [
    ...orderEvents(order, now, at),
    ...downloadEvents(order, at),
    ...claims.map((claim) => claimEvent(claim, at)),
  ]
}

/** Recording, payment and delivery. */
function orderEvents(order: OrderDetail, now: number, at: Moment): TimelineEvent[] {
  const all: TimelineEvent[] = []
  if (order.attempt !== null)
    all.push({
      id: 'written',
      kind: 'done',
      title: 'Recorded on this computer',
      detail: 'With its idempotency key, before it was sent',
      at: at(order.attempt.writtenAt),
    })
  all.push({
    id: 'charged',
    kind: 'done',
    title: `Charged ${formatCents(order.totalCents)}`,
    detail: 'By the service, immediately',
    at: at(order.createdAt),
  })
  if (order.completedAt === null)
    all.push({
      id: 'delivering',
      kind: 'next',
      title:
        order.releaseAt === null || order.releaseAt <= now ? 'Being delivered' : 'To be delivered',
      detail:
        order.releaseAt === null || order.releaseAt <= now
          ? 'Normally within seconds'
          : `On the release date, ${formatFullMoment(order.releaseAt)}`,
    })
  else {
    const missing = order.units - order.deliveredUnits
    all.push({
      id: 'delivered',
      kind: order.deliveredUnits === 0 ? 'claim' : 'done',
      title: `${order.deliveredUnits} of ${order.units} delivered`,
      at: at(order.completedAt),
      ...(missing > 0 && { detail: `${formatCents(order.refundedCents)} credited back` }),
    })
  }
  return all
}

/** The first download, later uses of the keys, and when they were last viewed. */
function downloadEvents(order: OrderDetail, at: Moment): TimelineEvent[] {
  const all: TimelineEvent[] = []
  const downloaded = order.firstDownloadedAt ?? order.downloadedHereAt
  if (downloaded !== null)
    all.push({
      id: 'downloaded',
      kind: 'done',
      title: 'Keys downloaded',
      detail: 'First download, recorded as proof of delivery',
      at: at(downloaded),
    })
  const since = (moment: number): boolean => downloaded === null || moment >= downloaded
  for (const [index, use] of order.uses
    .filter(({ what, at: moment }) => what !== 'revealed' && what !== 'copied' && since(moment))
    .slice(-8)
    .entries()) {
    if (use.what !== 'downloaded' || index > 0)
      all.push({
        id: `use-${index}`,
        kind: 'fact',
        title: useLabels[use.what],
        detail: t('screens.orders-keys-used', { count: use.keys, who: use.who }),
        at: at(use.at),
      })
  }
  const seen = order.uses.findLast(({ what }) => what === 'revealed' || what === 'copied')
  if (seen !== undefined)
    all.push({
      id: 'seen',
      kind: 'fact',
      title: 'Last viewed',
      detail: `${useLabels[seen.what]}, by ${seen.who}`,
      at: at(seen.at),
    })
  return all
}

const claimEvent = (claim: Claim, at: Moment): TimelineEvent => ({
  id: claim.claimId,
  kind: claim.outcome === null ? 'claim' : 'done',
  title: claimLabel(claim).word,
  detail: claim.masked,
  at: at(claim.settledAt ?? claim.sentAt ?? claim.writtenAt),
})

const useLabels: Record<KeyUse['what'], string> = {
  downloaded: 'More keys downloaded',
  revealed: 'Revealed',
  copied: 'Copied',
  message: 'Copied with instructions',
  exported: 'Exported',
  opened: 'Link opened',
}
