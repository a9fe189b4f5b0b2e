import { z } from 'zod'

const parts = /^(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})$/

/** A released version: three numbers in ASCII digits, without leading zeros. */
export const versionSchema = z.string().regex(parts)

/** The numbers of a version, without those of a prerelease, such as `-test`. */
const numbersOf = (version: string): number[] =>
  (parts.exec(version.split('-', 1)[0] ?? '') ?? []).slice(1).map(Number)

/** Below 0 if `a` is older than `b`, 0 for the same version, above 0 if it is newer. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  for (let at = 0; at < 3; at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
