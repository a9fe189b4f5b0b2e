const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] =
  Buffer.from('"\\[]{}')

/**
 * Whether arrays and objects of a JSON text are nested more than `levels` deep. Parsing such a text
 * takes a disproportionate amount of memory and time: seconds and hundreds of megabytes for 16 MiB
 * of brackets. The result is meaningless for text that isn't JSON.
 */
export function nestsDeeper(bytes: Uint8Array, levels: number): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (quoted) {
      if (byte === BACKSLASH) index += 1
      else if (byte === QUOTE) quoted = false
    } else if (byte === QUOTE) quoted = true
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1
      if (depth > levels) return true
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1
  }
  return false
}
