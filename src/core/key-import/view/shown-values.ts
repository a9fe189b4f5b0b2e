import { maskKey } from '../../mask-key.ts'
import type { ResolvedTarget } from '../check/key-check-task.ts'
import { createValueGuard } from '../parse/detect/key-look.ts'

type Target = Pick<ResolvedTarget, 'value' | 'lines' | 'by'>

/** Share of the lines that must name own offers for the other values to be article numbers. */
const TRUSTED_SHARE = 0.4

/**
 * The values of a file's offer column as the page may see and send them, in the order of the
 * targets. A value that could be a key is masked and numbered, because a wrong offer column would
 * show keys in clear.
 */
export function shownValues(targets: readonly Target[]): (string | null)[] {
  const isMatched = ({ by }: Target): boolean => by !== 'none' && by !== 'chosen'
  const total = targets.reduce((sum, { lines }) => sum + lines, 0)
  const matched = targets.filter(isMatched).reduce((sum, { lines }) => sum + lines, 0)
  const unmatched = targets.filter((target) => !isMatched(target))
  const isShown = createValueGuard(
    unmatched.flatMap(({ value, lines }) => (value === null ? [] : [{ value, lines }])),
    matched >= total * TRUSTED_SHARE,
  )
  return targets.map((target, index) =>
    target.value === null || isMatched(target) || isShown(target.value, target.lines)
      ? target.value
      : `${maskKey(target.value)} (${index + 1})`,
  )
}

/** The value that the page means; a value that isn't in the file stays as it is. */
export function valueMeant(targets: readonly Target[], shown: string | null): string | null {
  const index = shownValues(targets).indexOf(shown)
  return index < 0 ? shown : (targets[index]?.value ?? null)
}
