import { setImmediate } from 'node:timers/promises'

/**
 * A text file as messages of one part each, because a message of megabytes blocks the page.
 *
 * @param parts At least one.
 */
export async function* textParts<Facts extends object>(
  facts: Facts,
  parts: readonly string[],
): AsyncGenerator<Facts & { text: string }, void, void> {
  for (const text of parts) {
    yield { ...facts, text }
    await setImmediate()
  }
}
