import { t } from '../../../../contract/localization/localized.ts'
import { IconCalendarTime, IconRepeat } from '@tabler/icons-react'
import { useContext } from 'react'
import { Link, useLocation } from 'wouter'
import type { OrderDetail } from '../../../../contract/order-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { useAccountNow } from '../../../lib/account/account-time.tsx'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { FigureStrip } from '../../../ui/data-display/facts.tsx'
import {
  formatDuration,
  formatEur,
  formatFullMoment,
  formatMoment,
  formatZone,
} from '../../../ui/format.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Body, HeaderNotice, Page } from '../../../ui/layout/page.tsx'
import { ProgressRing } from '../../../ui/feedback/progress-ring.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { newLine } from '../composer/basket.ts'
import { replaceDraft } from '../composer/replace-draft.ts'
import { DownloadKeys } from '../keys/download-keys.tsx'
import { useOrderClaims } from '../keys/key-row.tsx'
import { OrderKeys } from '../keys/order-keys.tsx'
import { OrderLines } from './order-lines.tsx'
import { OrderRail } from './order-rail.tsx'
import { OrderStatus } from '../order-status.tsx'
import { claimWindow } from './claim-window.ts'
import type { ClaimWindow } from './claim-window.ts'
import { useOrder } from './use-order.ts'
import styles from '../orders.module.css'

/** One order: charges, deliveries, its keys, and its history. Readable offline. */
export function OrderPage({ orderId }: { orderId: string }) {
  const account = useAccount()
  const [, go] = useLocation()
  const notice = useContext(HeaderNotice)
  const { order: data, problem, retry } = useOrder(orderId)
  const claims = useOrderClaims()
  const replaced = [...claims.values()].some(
    (claim) => claim.orderId === orderId && claim.outcome === 'replaced' && claim.newKeyId === null,
  )
  useShortcut('Escape', () => go('/orders'))
  if (data === undefined) {
    return (
      <Page>
        <Body padded>
          {problem === null ? null : (
            <ErrorState
              problem={problem}
              onRetry={retry}
              actions={
                <Button kind="quiet" onClick={() => go('/orders')}>
                  Back to orders
                </Button>
              }
            />
          )}
        </Body>
      </Page>
    )
  }
  const orderAgain = (): void => {
    if (data.status === 'processing') return
    replaceDraft(
      account.id,
      data.items.map(({ productId, qty }) => newLine(productId, qty)),
      `Order draft replaced by ${data.externalId}`,
    )
    go('/orders/new')
  }
  return (
    <Page>
      <header className={styles.head}>
        <div>
          <Link href="/orders" className={styles.crumb}>
            Orders<span aria-hidden>›</span>
            {data.externalId}
          </Link>
          <h1>
            {data.externalId}
            <OrderStatus status={data.status} />
          </h1>
        </div>
        <div className={styles.headActions}>
          <Button
            icon={<IconRepeat size={16} stroke={1.6} />}
            disabled={data.status === 'processing'}
            title={
              data.status === 'processing' ? 'This order is paid and being delivered' : undefined
            }
            onClick={orderAgain}
          >
            Order again…
          </Button>
        </div>
      </header>
      {notice}
      <Figures order={data} claims={claims} />
      <div className={styles.split}>
        <Body>
          <StateNotice order={data} />
          {data.keys.length > 0 ? <OrderKeys order={data} /> : <OrderLines order={data} />}
          {data.keys.length < data.deliveredUnits ? (
            <DownloadKeys order={data} />
          ) : replaced ? (
            <DownloadKeys order={data} replacement />
          ) : null}
        </Body>
        <OrderRail order={data} />
      </div>
    </Page>
  )
}

function Figures({
  order,
  claims,
}: {
  order: OrderDetail
  claims: ReturnType<typeof useOrderClaims>
}) {
  const now = useAccountNow()
  const window = claimWindow(order, claims, now)
  const missing = order.units - order.deliveredUnits
  const settled = order.status !== 'processing'
  return (
    <FigureStrip
      label="Order figures"
      figures={[
        {
          label: 'Placed',
          value: formatFullMoment(order.createdAt),
          detail: formatZone(order.createdAt),
        },
        {
          label: 'Lines',
          value: order.items.length,
          detail: t('counts.units', { count: order.units }),
        },
        { label: 'Charged', value: formatEur(order.totalCents) },
        {
          label: 'Credited back',
          value: formatEur(order.refundedCents),
          ...(settled &&
            missing > 0 && {
              detail: t('screens.orders-units-missing', { count: missing }),
            }),
        },
        window === null
          ? { label: 'Claimable until', value: '–' }
          : {
              label: 'Claimable until',
              value: formatMoment(window.until, now),
              detail: timeLeft(window, now),
            },
      ]}
    />
  )
}

/** The time left to claim a key, and how it differs for others. */
function timeLeft(
  { until, isOver, keysOver, endsLater, isLatest }: ClaimWindow,
  now: number,
): string {
  if (isOver) return 'over'
  const left = formatDuration(until - now)
  if (isLatest) return t('screens.orders-claim-latest', { left })
  if (keysOver > 0) return t('screens.orders-claim-over', { left, count: keysOver })
  return endsLater ? t('screens.orders-claim-differs', { left }) : `${left} left`
}

/** When undelivered units of a pre-order are credited back, after its release (Decision 16). */
const refundAfterMs = 24 * 60 * 60 * 1000

function StateNotice({ order }: { order: OrderDetail }) {
  const now = useAccountNow()
  if (order.status === 'processing') {
    const { releaseAt } = order
    if (releaseAt !== null)
      return (
        <div className={styles.ready}>
          <Notice
            tone="info"
            icon={<IconCalendarTime size={16} stroke={1.6} />}
            title={
              releaseAt > now
                ? `Pre-order: delivered on the release date, ${formatFullMoment(releaseAt)}.`
                : `Released on ${formatFullMoment(releaseAt)}. Still being delivered.`
            }
          >
            Paid once, {formatEur(order.totalCents)}. Don’t order again. Units that aren’t delivered
            by {formatFullMoment(releaseAt + refundAfterMs)}, 24 hours after the release, are
            credited back to your balance automatically.
          </Notice>
        </div>
      )
    return (
      <div className={styles.ready}>
        <Notice
          tone="info"
          icon={<ProgressRing size={15} label="Being delivered" />}
          title="Still being delivered."
        >
          Paid once, {formatEur(order.totalCents)}. Don’t order again. Delivery finishes
          automatically.
        </Notice>
      </div>
    )
  }
  if (order.failure === null) return null
  return (
    <div className={styles.ready}>
      <Notice
        tone={order.deliveredUnits === 0 ? 'bad' : 'warn'}
        title={
          order.deliveredUnits === 0
            ? 'No units could be delivered.'
            : `${order.units - order.deliveredUnits} of ${order.units} units could not be delivered.`
        }
      >
        {formatEur(order.refundedCents)} was credited back to your balance. {order.failure.message}
      </Notice>
    </div>
  )
}
