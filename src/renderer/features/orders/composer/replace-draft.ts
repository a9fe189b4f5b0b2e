import { t } from '../../../../contract/localization/localized.ts'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { maxLines, useBasket } from './basket.ts'
import type { BasketLine } from './basket.ts'

const refusals = {
  placing: {
    title: 'The lines are still being ordered',
    text: 'Undo again when the result of their order is known.',
  },
  'too-many': {
    title: 'The order has too many lines',
    text: `An order has at most ${maxLines} lines. Remove some, then undo again.`,
  },
} as const

/**
 * Replaces the order being composed by these lines. If lines are lost, a toast offers to undo it.
 *
 * @param title What happened: "Order draft discarded".
 */
export function replaceDraft(accountId: string, lines: readonly BasketLine[], title: string): void {
  const { lines: all, placing, replace } = useBasket.getState()
  const before = all[accountId] ?? []
  const undo = replace(accountId, lines)
  if (before.length === 0) return
  toast({
    // Only the latest replacement can be undone by its button.
    id: 'order-draft',
    title,
    text: before.some(({ id }) => placing.has(id))
      ? 'The removed lines are still being ordered.'
      : t('screens.orders-draft-removed', { count: before.length }),
    undo: async () => {
      const undone = undo()
      if (undone === 'restored') return true
      toast({ kind: 'bad', ...refusals[undone] })
      return false
    },
  })
}
