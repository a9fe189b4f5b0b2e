/** Space between two tabs, in px, as in the style sheet. */
const GAP = 2
/** The width of the button that opens the menu of the others. */
const MORE = 66

/**
 * The tabs that fit into a row, by their index: all of them, or as many from the start as fit
 * beside the button of the others. The chosen one is always among them, in the place of the last
 * that fits.
 */
export function fittingTabs(widths: readonly number[], chosen: number, space: number): number[] {
  const all = widths.map((_, index) => index)
  const lengthOf = (shown: readonly number[]): number =>
    shown.reduce((sum, index) => sum + (widths[index] ?? 0), 0) + GAP * (shown.length - 1)
  if (lengthOf(all) <= space) return all
  for (let count = all.length - 1; count > 0; count--) {
    const first = all.slice(0, count)
    const shown = chosen < count ? first : [...first.slice(0, -1), chosen]
    if (lengthOf(shown) + GAP + MORE <= space) return shown
  }
  return chosen < 0 ? [] : [chosen]
}
