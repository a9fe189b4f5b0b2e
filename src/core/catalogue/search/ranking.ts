import { isOneOf, searchWords, wordsOf } from '../../mirror/mirror.ts'
import type { InterpretedQuery } from '../../mirror/mirror.ts'

/** The data that ranking needs. */
export type Hit = {
  rid: number
  productId: string
  nameKey: string
  platform: string
  region: string
  productType: string
  deliveryType: string
  /** 1 or 0; null if the account's API doesn't report it. */
  inStock: number | null
}

/** From best to worst; lower is better. */
const GRADE = { id: 0, name: 1, beginsName: 2, wholeWords: 3, beginnings: 4, guesses: 5 } as const

/**
 * Sorts hits in the order people expect: the product with that id, the exact name, names that start
 * with the text, complete words, prefixes of words, guesses. Within each: more of the words in the
 * name than in its labels, then products that aren't out of stock, then shorter names, then
 * alphabetical order.
 */
export function rankHits(
  typed: string,
  understood: InterpretedQuery | null,
  hits: readonly Hit[],
): Hit[] {
  const typedKey = wordsOf(typed).join(' ')
  const graded = hits.map((hit) => ({ hit, ...gradeOf(hit, typed.trim(), typedKey, understood) }))
  graded.sort(
    (a, b) =>
      a.grade - b.grade ||
      b.inName - a.inName ||
      Number(a.hit.inStock === 0) - Number(b.hit.inStock === 0) ||
      a.hit.nameKey.length - b.hit.nameKey.length ||
      inOrder(a.hit.nameKey, b.hit.nameKey) ||
      inOrder(a.hit.platform, b.hit.platform) ||
      inOrder(a.hit.region, b.hit.region) ||
      inOrder(a.hit.productId, b.hit.productId),
  )
  return graded.map((each) => each.hit)
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function gradeOf(
  hit: Hit,
  typed: string,
  typedKey: string,
  understood: InterpretedQuery | null,
): { grade: number; inName: number } {
  if (hit.productId === typed) return { grade: GRADE.id, inName: 0 }
  if (understood === null) return { grade: GRADE.beginnings, inName: 0 }
  const nameWords = hit.nameKey.split(' ')
  const inName = understood.query.filter((terms) =>
    terms.some((term) => nameWords.some((word) => isOneOf(word, term))),
  ).length
  if (hit.nameKey === typedKey) return { grade: GRADE.name, inName }
  if (hit.nameKey.startsWith(typedKey)) return { grade: GRADE.beginsName, inName }
  const all = wordsOfHit(hit)
  if (understood.words.every((word) => all.includes(word)))
    return { grade: GRADE.wholeWords, inName }
  const asTyped = understood.words.every((word) => all.some((each) => each.startsWith(word)))
  return { grade: asTyped ? GRADE.beginnings : GRADE.guesses, inName }
}

/** The words that find a product. */
export const wordsOfHit = (
  hit: Pick<Hit, 'nameKey' | 'platform' | 'region' | 'productType' | 'deliveryType'>,
): string[] =>
  searchWords(hit.nameKey.split(' '), [hit.platform, hit.region, hit.productType, hit.deliveryType])

/**
 * The words that replaced a mistyped text, as the best hit has them. Null if nothing was guessed.
 */
export function guessedWords(understood: InterpretedQuery, best: Hit | undefined): string | null {
  if (best === undefined || !understood.guessed.includes(true)) return null
  const words = wordsOfHit(best)
  return understood.words
    .map((typed, i) => {
      if (words.some((word) => word.startsWith(typed))) return typed
      const term = understood.query[i]?.find((each) => words.some((word) => isOneOf(word, each)))
      return term === undefined ? typed : (words.find((word) => isOneOf(word, term)) ?? typed)
    })
    .join(' ')
}
