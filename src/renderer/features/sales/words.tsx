import { IconArrowBackUp, IconClock } from '@tabler/icons-react'
import type { costSources, SaleRow, saleViews } from '../../../contract/sales.ts'
import { formatCents, formatDayOfYear } from '../../ui/format.ts'
import { Mark } from '../../ui/data-display/identity/mark.tsx'
import styles from './sales.module.css'
import { DAY_MS } from '../../../../server/api/time.ts'
import { useAccountNow } from '../../lib/account/account-time.tsx'

export type SaleView = (typeof saleViews)[number]
export const viewWords: Record<SaleView, string> = {
  all: 'All',
  pending: 'Pending',
  held: 'Held',
  released: 'Released',
  cancelled: 'Canceled',
}

/** The state of a sale as text: "Pending, 5 d", "Held by a dispute". */
export function stateText(
  sale: Pick<SaleRow, 'status' | 'held' | 'releaseAt'>,
  now: number,
): string {
  if (sale.held) return 'Held by a dispute'
  switch (sale.status) {
    case 'pending':
      return sale.releaseAt === null
        ? 'Pending'
        : sale.releaseAt <= now
          ? 'Pending, due now'
          : `Pending, ${Math.ceil((sale.releaseAt - now) / DAY_MS)} d`
    case 'released':
      return 'Released'
    case 'cancelled':
      return 'Canceled, refunded'
    default:
      return sale.status
  }
}

/** The state with its icon. */
export function SaleState({ sale }: { sale: SaleRow }) {
  const words = stateText(sale, useAccountNow())
  const mark = sale.held ? (
    <Mark kind="alert" />
  ) : sale.status === 'released' ? (
    <Mark kind="ok" />
  ) : sale.status === 'cancelled' ? (
    <IconArrowBackUp size={14} stroke={1.6} aria-hidden />
  ) : (
    <IconClock size={14} stroke={1.6} className={styles.clock} aria-hidden />
  )
  return (
    <span className={styles.state} data-held={sale.held || undefined}>
      {mark}
      {words}
    </span>
  )
}

/** The cost of a sale; with a sign if it is the offer's, because the key's own cost is unknown. */
export const costText = ({ costCents, costSource }: SaleRow): string =>
  costCents === null ? '–' : `${costSource === 'offer' ? '≈ ' : ''}${formatCents(costCents)}`

/** The profit of a sale, with the same sign if its cost is estimated. */
export const profitText = ({ profitCents, costSource }: SaleRow): string =>
  profitCents === null ? '–' : `${costSource === 'offer' ? '≈ ' : ''}${formatCents(profitCents)}`

/** Where the cost of a sale comes from. */
export const costSourceWords: Record<(typeof costSources)[number], string> = {
  batch: 'from the key’s batch',
  offer: 'estimated from the offer',
}

/** When the money is or was released: a day, or "on hold" while a dispute holds it. */
export function releaseText(sale: SaleRow): string {
  if (sale.held) return 'on hold'
  if (sale.status === 'cancelled') return '–'
  const at = sale.releasedAt ?? sale.releaseAt
  return at === null ? 'unknown' : formatDayOfYear(at)
}
