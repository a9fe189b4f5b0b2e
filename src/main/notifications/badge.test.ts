import { expect, test } from 'vitest'
import { BADGE_SIZE, badgePixels, badgeLabel } from './badge.ts'

/** The badge as characters: empty, disc, digit. */
const drawn = (count: number): string[] => {
  const pixels = badgePixels(count)
  return Array.from({ length: BADGE_SIZE }, (_, y) =>
    Array.from({ length: BADGE_SIZE }, (__, x) => {
      const [blue, green, , alpha] = pixels.subarray((y * BADGE_SIZE + x) * 4)
      return alpha === 0 ? ' ' : blue === 0xff && green === 0xff ? '#' : 'o'
    }).join(''),
  )
}

test('draws a disc with a centered digit, and a plus from ten on', () => {
  const four = drawn(4)
  expect([four[0]?.[0], four[31]?.[31], four[16]?.[0]]).toEqual([' ', ' ', 'o'])
  expect(
    four
      .filter((row) => row.includes('#'))
      .map((row) => row.slice(9, 24).replace(/(.)\1\1/g, '$1'))
      .filter((_, at) => at % 3 === 0),
  ).toEqual(['ooo#o', 'oo##o', 'o#o#o', '#oo#o', '#####', 'ooo#o', 'ooo#o'])
  expect(drawn(10)).toEqual(drawn(123))
  for (let count = 1; count <= 9; count++) expect(drawn(count)).not.toEqual(drawn(count + 1))
  expect([badgeLabel(0), badgeLabel(1), badgeLabel(12)]).toEqual(['', '1 notice', '12 notices'])
})
