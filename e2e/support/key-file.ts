import { seeded } from './seeded.ts'

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export type KeyFile = { csv: string; keys: string[]; duplicates: number; broken: number }

/**
 * A table of game keys for one product with `count` data lines. `duplicates` of them repeat an
 * earlier key, and `broken` of them can't be sent (damaged by a spreadsheet, blank, or with a
 * control character).
 */
export function keyFile(seed: number, count: number, duplicates: number, broken: number): KeyFile {
  const below = seeded(seed)
  const group = (): string =>
    Array.from({ length: 5 }, () => letters[below(letters.length)]).join('')
  const seen = new Set<string>()
  while (seen.size < count - duplicates - broken) seen.add(`${group()}-${group()}-${group()}`)
  const keys = [...seen]
  const lines = [...keys]
  for (let index = 0; index < duplicates; index++) {
    const first = below(keys.length)
    // Insert it after its first occurrence, so that the first one counts.
    lines.splice(lines.indexOf(keys[first] ?? '') + 1 + below(200), 0, keys[first] ?? '')
  }
  const damages = ['1.23457E+15', '', 'ABCDE\u0007FGHJK']
  for (let index = 0; index < broken; index++)
    lines.splice(below(lines.length), 0, damages[index % damages.length] ?? '')
  return {
    csv: `code,note\n${lines.map((line) => `${line},lot 7`).join('\n')}\n`,
    keys,
    duplicates,
    broken,
  }
}
