import { t } from '../../../../contract/localization/localized.ts'
import { IconBox, IconCash, IconKey, IconLock, IconMessage, IconReceipt } from '@tabler/icons-react'
import type { DisputeEffects } from '../../../../contract/disputes/dispute-records.ts'
import type { DisputeActionKind } from '../../../../contract/disputes/dispute-replies.ts'
import type { Effect } from '../../../ui/feedback/confirm-dialog.tsx'
import { formatCents, formatCount, formatEur } from '../../../ui/format.ts'

const size = { size: 16, stroke: 1.6 } as const
const keys = (count: number): string => t('counts.keys', { count })

/** Effects on stock, money, the sale and the dispute. Each is listed, also if nothing changes. */
export const effectsFor = (
  kind: DisputeActionKind,
  effects: DisputeEffects | undefined,
): Effect[] => (kind === 'refund' ? refundEffects(effects) : replacementEffects(kind, effects))

function refundEffects(effects: DisputeEffects | undefined): Effect[] {
  const { sale = null, balance = null, refundCents = null } = effects ?? {}
  return [
    {
      icon: <IconCash {...size} />,
      what: 'The customer gets the money back.',
      amount: refundCents === null ? 'amount unknown' : formatEur(refundCents),
      tone: 'bad',
    },
    {
      icon: <IconReceipt {...size} />,
      what: 'The sale is canceled.',
      more:
        sale?.priceCents == null
          ? 'You receive nothing for it.'
          : `You don’t receive ${formatEur(sale.priceCents)}.`,
    },
    balance === null
      ? {
          icon: <IconCash {...size} />,
          what: 'Your balance decreases by the amount of the sale.',
          more: 'The balance hasn’t been read yet.',
        }
      : {
          icon: <IconCash {...size} />,
          what: `${balance.part === 'pending' ? 'Pending' : 'Available'} balance`,
          amount: `${formatCents(balance.beforeCents)} → ${formatCents(balance.afterCents)}`,
          ...(balance.afterCents < 0 ? { tone: 'warn' as const } : {}),
        },
    {
      icon: <IconKey {...size} />,
      what: 'No key is moved.',
      more: 'The customer keeps the sold key; it doesn’t return to stock.',
    },
    {
      icon: <IconMessage {...size} />,
      what: 'The dispute is resolved permanently.',
      more: 'It no longer accepts messages.',
    },
  ]
}

function replacementEffects(
  kind: Exclude<DisputeActionKind, 'refund'>,
  effects: DisputeEffects | undefined,
): Effect[] {
  const { stock = null, sale = null } = effects ?? {}
  return [
    kind === 'replace-key'
      ? {
          icon: <IconKey {...size} />,
          what: 'The key you type is sent to the customer.',
          more: 'Your stock doesn’t change.',
        }
      : {
          icon: <IconBox {...size} />,
          what: 'The oldest key of the offer is sent to the customer.',
          ...(stock === null
            ? { amount: 'stock unknown' }
            : { amount: `${keys(stock.before)} → ${formatCount(stock.after)}` }),
        },
    {
      icon: <IconCash {...size} />,
      what: 'No money moves.',
      more:
        sale?.priceCents == null
          ? 'The sale remains.'
          : `The sale remains: you receive ${formatEur(sale.priceCents)}.`,
    },
    {
      icon: <IconMessage {...size} />,
      what: 'The dispute is resolved permanently.',
      more: 'It no longer accepts messages.',
    },
    {
      icon: <IconLock {...size} />,
      what: 'Keydesk records the action before sending it.',
      more: 'Even if the connection fails, it runs only once.',
    },
  ]
}
