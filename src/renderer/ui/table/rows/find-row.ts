/**
 * The index of a row that was at `near` and may have moved, or -1 if it isn't loaded. Looks there
 * first, then further away in both directions.
 */
export function findRow(near: number, total: number, isRow: (index: number) => boolean): number {
  for (let away = 0; away < Math.max(near + 1, total - near); away += 1)
    for (const index of [near - away, near + away])
      if (index >= 0 && index < total && isRow(index)) return index
  return -1
}
