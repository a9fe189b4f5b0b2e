import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findNearWords } from './near-words.ts'

/** Optimal string alignment distance, as a literal implementation of its definition. */
function distance(a: string, b: string): number {
  const memo = new Map<string, number>()
  const of = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j
    const known = memo.get(`${i},${j}`)
    if (known !== undefined) return known
    let best = Math.min(
      of(i - 1, j) + 1,
      of(i, j - 1) + 1,
      of(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
    )
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
      best = Math.min(best, of(i - 2, j - 2) + 1)
    memo.set(`${i},${j}`, best)
    return best
  }
  return of(a.length, b.length)
}

const seekIn =
  (sorted: readonly string[]) =>
  (from: string): string | undefined =>
    sorted.find((word) => word >= from)

const word = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'd', 'é', '~'),
  minLength: 1,
  maxLength: 7,
})

test('finds exactly the words within the distance, and the shortest near prefixes', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 40 }),
      word,
      fc.constantFrom(1, 2),
      (words, typed, most) => {
        const sorted = words.toSorted()
        const found = findNearWords(typed, most, seekIn(sorted))
        const complete = sorted.filter((each) => distance(typed, each) <= most)
        expect(found.filter((each) => each.isComplete).map((each) => each.text)).toEqual(complete)
        for (const each of found) expect(each.distance).toBe(distance(typed, each.text))

        const near = (text: string): boolean => distance(typed, text) <= most
        const beginnings =
          typed.length <= most
            ? []
            : [
                ...new Set(
                  sorted.flatMap((each) => {
                    const first = Array.from({ length: each.length }, (_, i) =>
                      each.slice(0, i + 1),
                    ).find(near)
                    return first === undefined ? [] : [first]
                  }),
                ),
              ]
        expect(
          found
            .filter((each) => !each.isComplete)
            .map((each) => each.text)
            .toSorted(),
        ).toEqual(beginnings.toSorted())
      },
    ),
    { numRuns: 400 },
  )
})

test('reads only a small part of a large vocabulary', () => {
  const letters = 'abcdefghij'
  const sorted = Array.from(
    { length: 100_000 },
    (_, i) =>
      [...String(i).padStart(5, '0')].map((digit) => letters[Number(digit)]).join('') + 'xyz',
  ).toSorted()
  let seeks = 0
  const seek = (from: string): string | undefined => {
    seeks += 1
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle] ?? '') < from) low = middle + 1
      else high = middle
    }
    return sorted[low]
  }
  const found = findNearWords('abdcexyz', 1, seek)
  expect(found.some((each) => each.text === 'abcdexyz' && each.isComplete)).toBe(true)
  expect(seeks).toBeLessThan(2000)
})
