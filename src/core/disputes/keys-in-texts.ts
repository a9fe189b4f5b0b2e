import { maskKey } from '../mask-key.ts'

/**
 * What looks like a key: groups of letters and digits between hyphens, or sixteen and more in one
 * piece. Ids of the service begin with a prefix and `_`.
 */
const keys =
  /(?<![A-Za-z0-9_-])(?:[A-Za-z0-9]{3,8}(?:-[A-Za-z0-9]{3,8}){2,}|(?=[A-Za-z0-9]*\d)[A-Z0-9]{12,64}|[^\s:,;]{3,64}@[^\s:]{3,64}:\S{4,64})(?![A-Za-z0-9_-])/g
/** Of a conversation so much is looked at, in characters and in what looks like a key. */
const [MOST, MOST_KEYS] = [20_000, 50]

/** A text with everything masked that looks like a key or a login with its password. */
export const maskTexts = (text: string): string => text.replace(keys, (key) => maskKey(key))

/**
 * What looks like a key in texts; beside what was written in small letters the same in capitals.
 */
export function keysIn(texts: readonly (string | null)[]): string[] {
  const found = texts
    .flatMap((text) => [...(text ?? '').slice(0, MOST).matchAll(keys)].map(([key]) => key))
    .slice(0, MOST_KEYS)
  return [...new Set(found.flatMap((key) => [key, key.toUpperCase()]))]
}
