import type { PriceRule, RuleMode } from '../../../../contract/price-watch/price-rules.ts'
import type { RuleView } from '../../../../contract/price-watch/price-watch-records.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { toastProblem } from '../../../ui/feedback/toasts.tsx'
import type { Toast } from '../../../ui/feedback/toasts.tsx'

type Reversible = Pick<Toast, 'undo' | 'redo' | 'final'>

/** Why auto-apply is never turned on by undo or redo. */
const AUTO_ASKS = 'Auto-apply is turned on only with its question'

/** Runs a reversal. Resolves to whether it succeeded; a failure is shown. */
async function reversed(
  name: string,
  work: () => Promise<unknown>,
  after: () => void,
): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    toastProblem(problemOf(error), name)
    return false
  } finally {
    after()
  }
}

/**
 * How to undo the saving of a rule: the earlier version is saved again, or a new rule is removed.
 * Only a rule that isn't on auto-apply is saved this way, so nothing is sent.
 *
 * @param before The earlier rule; null for a new rule.
 * @param after Called after each reversal, to read the rules again.
 */
export function undoSave(
  accountId: string,
  before: RuleView | null,
  saved: RuleView,
  after: () => void,
): Reversible {
  const { ruleId } = saved
  const save = (rule: PriceRule) => () =>
    reversed(saved.rule.name, () => rpc.priceWatch.saveRule({ accountId, ruleId, rule }), after)
  return before === null
    ? {
        undo: () =>
          reversed(saved.rule.name, () => rpc.priceWatch.removeRule({ accountId, ruleId }), after),
      }
    : { undo: save(before.rule), redo: save(saved.rule) }
}

/** How to undo a change of a rule's mode. Auto-apply is never turned on this way. */
export function undoMode(
  accountId: string,
  { ruleId, mode: before, rule: { name } }: RuleView,
  now: RuleMode,
  after: () => void,
): Reversible {
  const set = (mode: RuleMode) => () =>
    reversed(name, () => rpc.priceWatch.setMode({ accountId, ruleId, mode }), after)
  if (before === 'auto') return { final: AUTO_ASKS }
  return now === 'auto' ? { undo: set(before) } : { undo: set(before), redo: set(now) }
}
