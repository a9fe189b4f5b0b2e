import type { Database } from 'better-sqlite3'
import { prepared } from '../../mirror/mirror.ts'

/** Positions of the sampled names in the catalogue, as shares of its products. */
const PLACES = [0.1, 0.4, 0.7]
const MAX_LETTERS = 14

/**
 * Texts a user could have typed after each letter of a few names of the catalogue, with a mistake
 * in each.
 */
export function warmUpTexts(db: Database, all: number): string[] {
  const nameAt = prepared(db, 'SELECT name_key FROM products WHERE rid >= :from LIMIT 1').pluck()
  return PLACES.flatMap((place) => {
    const typed = mistyped(
      (nameAt.get({ from: Math.floor(all * place) }) as string | undefined) ?? '',
    ).slice(0, MAX_LETTERS)
    return Array.from({ length: typed.length }, (_, at) => typed.slice(0, at + 1))
  })
}

/** A name without the fourth letter of its first long word. */
const mistyped = (name: string): string =>
  name.replace(/(?<before>\p{L}{3})\p{L}(?=\p{L})/u, '$<before>')
