/**
 * A text without the characters at its start and end that `isOutside` accepts. In time proportional
 * to the text, which a regular expression such as `x+$` isn't.
 */
export function trimEnds(text: string, isOutside: (char: string) => boolean): string {
  let start = 0
  let end = text.length
  while (start < end && isOutside(text.charAt(start))) start += 1
  while (end > start && isOutside(text.charAt(end - 1))) end -= 1
  return start === 0 && end === text.length ? text : text.slice(start, end)
}
