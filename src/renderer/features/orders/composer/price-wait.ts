import type { ComposedLine } from './compose-order.ts'

/**
 * The waiting lines whose price is within their maximum again.
 *
 * @param since By the id of a line, when the prices were read that it waits to change.
 * @param quotedAt When the prices of the lines were read: a line waits for a later reading.
 */
export const linesWithinMaximum = (
  lines: readonly ComposedLine[],
  since: ReadonlyMap<number, number>,
  quotedAt: number,
): ComposedLine[] =>
  lines.filter(
    ({ id, unitCents, maxCents }) =>
      unitCents !== null &&
      maxCents !== null &&
      unitCents <= maxCents &&
      (since.get(id) ?? quotedAt) < quotedAt,
  )
