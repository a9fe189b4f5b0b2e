import type { OfferRow } from '../../../../contract/offers/offers.ts'
import { t } from '../../../../contract/localization/localized.ts'
import { variantLabel } from '../../../lib/labels/product-labels.ts'
import type { Toast } from '../../../ui/feedback/toasts.tsx'
import { isLost } from './queued-change.ts'

/** What every toast about a queued change says. It closes when the connection is back. */
export const queuedToast = {
  kind: 'waits',
  text: 'Queued until the connection is back. Nothing is sent without you.',
  cause: 'offline',
} as const
/** What a toast says about a change that was sent and whose response was lost. */
export const lostToast = {
  kind: 'waits',
  text: 'The response was lost. Keydesk is checking whether the service has the change.',
} as const

/** Whether a new status of an offer was sent, queued, or sent without a response. */
export function statusToast(after: OfferRow, status: OfferRow['status']): Toast {
  const { name, stock } = after
  const isPause = status === 'paused'
  const change = isPause ? 'pause' : 'activation'
  if (isLost(after, 'status')) return { ...lostToast, title: `${name}: ${change} not confirmed` }
  if (after.pending?.state === 'waits')
    return {
      ...queuedToast,
      title: `${name}: ${change} queued`,
      group: {
        key: 'queued-statuses',
        many: (count) => t('screens.offers-statuses-queued', { count }),
      },
    }
  const keys = t('screens.offers-keys-stay', { count: stock })
  return {
    title: `${name} ${isPause ? 'paused' : 'is active'}`,
    text: `${variantLabel(after)}. No keys moved. ${keys} in stock.`,
    group: {
      key: `status-${status}`,
      many: (count) => t(isPause ? 'screens.offers-paused' : 'screens.offers-activated', { count }),
    },
  }
}
