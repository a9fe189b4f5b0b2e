import { t } from '../../../../contract/localization/localized.ts'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { maxLines, useBasket } from './basket.ts'
import type { BasketLine } from './basket.ts'

/**
 * Replaces the order being composed by these lines. If lines are lost, a toast offers to undo it.
 *
 * @param title What happened: "Order draft discarded".
 */
export function replaceDraft(accountId: string, lines: readonly BasketLine[], title: string): void {
  const count = useBasket.getState().lines[accountId]?.length ?? 0
  const undo = useBasket.getState().replace(accountId, lines)
  if (count === 0) return
  toast({
    title,
    text: t('screens.orders-draft-removed', { count }),
    undo: async () => {
      if (undo()) return true
      toast({
        kind: 'bad',
        title: 'The order has too many lines',
        text: `An order has at most ${maxLines} lines. Remove some, then undo again.`,
      })
      return false
    },
  })
}
