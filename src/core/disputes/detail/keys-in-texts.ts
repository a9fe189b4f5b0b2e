import { maskKey } from '../../mask-key.ts'

/**
 * Text that resembles a key: groups of letters and digits between hyphens, twelve or more in one
 * piece, or a login with its password. Ids of the service start with a prefix and `_`.
 */
const keyForms = [
  '[A-Za-z0-9]{3,8}(?:-[A-Za-z0-9]{3,8}){2,}',
  String.raw`(?=[A-Za-z0-9]*\d)[A-Z0-9]{12,64}`,
  String.raw`[^\s:,;]{3,64}@[^\s:]{3,64}:\S{4,64}`,
]
const keys = new RegExp(`(?<![A-Za-z0-9_-])(?:${keyForms.join('|')})(?![A-Za-z0-9_-])`, 'g')
/** Limits for one conversation: characters per text, and candidates for keys. */
const [MOST, MOST_KEYS] = [20_000, 50]

/** A text in which everything that resembles a key or a login with its password is masked. */
export const maskKeys = (text: string): string => text.replace(keys, (key) => maskKey(key))

/** Candidates for keys in texts, each also in upper case. */
export function findKeys(texts: readonly (string | null)[]): string[] {
  const found = texts
    .flatMap((text) => [...(text ?? '').slice(0, MOST).matchAll(keys)].map(([key]) => key))
    .slice(0, MOST_KEYS)
  return [...new Set(found.flatMap((key) => [key, key.toUpperCase()]))]
}
