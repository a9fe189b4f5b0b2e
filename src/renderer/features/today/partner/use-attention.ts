import { useQuery } from '@tanstack/react-query'
import { IconHourglass, IconShoppingBag, IconUserCheck } from '@tabler/icons-react'
import { HOUR_MS } from '../../../../../server/api/time.ts'
import { useAccountNow } from '../../../lib/account/account-time.tsx'
import { useAccount } from '../../../lib/account/current-account.ts'
import { api } from '../../../lib/core/rpc.ts'
import { firstDay } from '../../../lib/days.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import { formatDuration } from '../../../ui/format.ts'
import type { AttentionKind } from '../attention.tsx'
import type { Place } from '../open-list.tsx'

const ROWS = 2
const isAhead = (at: number | null, now: number): at is number => at !== null && at > now
const WEEK = 'last 7 days'
const ordersIn = (view: string, days: readonly string[] = []): Place => ({
  path: '/orders',
  list: { tableId: 'orders', look: { view, days } },
})
const keysIn = (view: 'ending' | 'unhanded'): Place => ({
  path: '/keys',
  list: { tableId: 'keys', look: { view } },
})

function useOrdersOf(status: string, from: number | null, oldestFirst: boolean) {
  const { id: accountId } = useAccount()
  return useQuery(
    api.orders.list.queryOptions({
      input: {
        accountId,
        statuses: [status],
        from,
        sort: { column: 'created', direction: oldestFirst ? 'asc' : 'desc' },
        window: { offset: 0, limit: ROWS },
      },
    }),
  ).data
}

function useKeysOf(view: 'ending' | 'unhanded') {
  const { id: accountId } = useAccount()
  return useQuery(
    api.orders.keys.queryOptions({
      input: { accountId, view, window: { offset: 0, limit: ROWS } },
    }),
  ).data
}

/** Everything that waits for the partner: failed orders first, then open ones by age. */
export function usePartnerAttention(): AttentionKind[] {
  const now = useAccountNow()
  const failed = useOrdersOf('failed', firstDay(now, 7), false)
  const processing = useOrdersOf('processing', null, true)
  const ending = useKeysOf('ending')
  const unhanded = useKeysOf('unhanded')
  return [
    {
      id: 'failed',
      icon: IconShoppingBag,
      name: 'Failed orders',
      count: failed?.total ?? null,
      place: ordersIn('failed', [WEEK]),
      note: 'in 7 days',
      rows: (failed?.rows ?? []).map((order) => ({
        id: order.orderId,
        name: order.externalId,
        detail: `${order.title}, ${variantLabel(order)}, fully credited back`,
        cents: order.totalCents,
        when: `${formatDuration(now - order.createdAt)} ago`,
        tone: 'urgent',
        action: 'Open',
        place: { path: `/orders/${encodeURIComponent(order.orderId)}` },
      })),
    },
    {
      id: 'processing',
      icon: IconShoppingBag,
      name: 'In progress',
      count: processing?.total ?? null,
      place: ordersIn('processing'),
      rows: (processing?.rows ?? []).map((order) => ({
        id: order.orderId,
        name: order.externalId,
        detail: [order.title, variantLabel(order)].filter(Boolean).join(', '),
        cents: order.totalCents,
        when: isAhead(order.releaseAt, now)
          ? `release in ${formatDuration(order.releaseAt - now)}`
          : `for ${formatDuration(now - order.createdAt)}`,
        ...(!isAhead(order.releaseAt, now) &&
          now - order.createdAt > HOUR_MS && { tone: 'soon' as const }),
        action: 'Open',
        place: { path: `/orders/${encodeURIComponent(order.orderId)}` },
      })),
    },
    {
      id: 'ending',
      icon: IconHourglass,
      name: 'Claims ending',
      count: ending?.counts.ending ?? null,
      place: keysIn('ending'),
      note: 'keys, within 24 h',
      rows: (ending?.rows ?? []).slice(0, ROWS).map((key) => ({
        id: key.keyId,
        name: key.externalId,
        detail: [key.name, variantLabel(key)].filter(Boolean).join(', '),
        cents: null,
        when: `${formatDuration(key.claimUntil - now)} left`,
        tone: key.claimUntil - now < 6 * HOUR_MS ? 'urgent' : 'soon',
        action: 'Check',
        place: { path: `/orders/${encodeURIComponent(key.orderId)}` },
      })),
    },
    {
      id: 'unhanded',
      icon: IconUserCheck,
      name: 'To hand over',
      count: unhanded?.counts.unhanded ?? null,
      place: keysIn('unhanded'),
      note: 'keys, stored here',
      rows: (unhanded?.rows ?? []).map((key) => ({
        id: key.keyId,
        name: key.externalId,
        detail: [key.name, variantLabel(key)].filter(Boolean).join(', '),
        cents: 'none',
        when: `for ${formatDuration(now - key.deliveredAt)}`,
        action: 'Open',
        place: { path: `/orders/${encodeURIComponent(key.orderId)}` },
      })),
    },
  ]
}
