const bullet = '•'
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

/**
 * A key as it can be shown on the screen: its first group and bullets, the login of a
 * `login:password`, or the host of a link. A key without groups shows its first quarter, at most
 * four characters.
 */
export function maskKey(key: string): string {
  const text = key.replace(unprintable, '·')
  if (/^https?:\/\//.test(text))
    return `${URL.canParse(text) ? new URL(text).host : text.slice(0, 8)}/${bullet.repeat(8)}`
  const groups = text.split('-')
  if (groups.length >= 3)
    return groups
      .map((group, index) =>
        index === 0
          ? group.slice(0, Math.min(6, Math.ceil(text.length / 3)))
          : bullet.repeat(Math.max(1, Math.min(group.length, 8))),
      )
      .join('-')
      .slice(0, 64)
  const colon = text.indexOf(':')
  const head =
    colon > 0
      ? text.slice(0, Math.min(8, Math.floor(colon / 2)))
      : text.slice(0, Math.min(4, Math.floor(text.length / 4)))
  return `${head}${bullet.repeat(Math.max(1, Math.min(8, text.length - head.length)))}`
}

/**
 * The minimum length of a key whose last four characters can be shown, so that they are at most a
 * third of it.
 */
const MIN_LENGTH = 12

/**
 * The last four characters of a key, by which its owner recognizes it. Null when they would reveal
 * too much or identify nothing: for short keys, passwords, pictures and links without a path.
 */
export function lastFour(key: string): string | null {
  const secret = /^https?:\/\//.test(key) ? (/\/([^/]*)$/.exec(key.slice(8))?.[1] ?? '') : key
  const characters = secret.replace(/[^\p{L}\p{N}]/gu, '')
  return characters.length < MIN_LENGTH || /[:\s]/.test(secret) ? null : characters.slice(-4)
}
