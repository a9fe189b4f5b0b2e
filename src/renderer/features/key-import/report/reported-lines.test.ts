import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImportReport } from '../../../../contract/keys/import-reports.ts'
import {
  groupsOf,
  lineRanges,
  reportedLines,
  sumLines,
  undeterminedLines,
} from './reported-lines.ts'

const count = fc.nat({ max: 1_000_000 })
const file = fc
  .record({
    counts: fc.record({
      ready: count,
      duplicate: count,
      refused: count,
      noOffer: count,
      setAside: count,
      cleaned: count,
      unusual: count,
    }),
    added: count,
    duplicates: count,
    unsure: count,
    notTaken: count,
    excluded: count,
    notSent: count,
  })
  .map(({ counts, ...sent }): ImportReport['files'][number] => {
    const { added, duplicates, unsure, notTaken, excluded, notSent } = sent
    const ready = added + duplicates + unsure + notTaken + excluded + notSent
    return {
      name: 'a.txt',
      read: ready + counts.duplicate + counts.refused + counts.noOffer + counts.setAside,
      counts: { ...counts, ready },
      reasons: [],
      cleaned: counts.cleaned,
      refused: counts.refused,
      ...sent,
    }
  })

test('adds up to the lines read, for each file and for all', () => {
  fc.assert(
    fc.property(fc.array(file, { minLength: 1, maxLength: 5 }), (files) => {
      for (const { read, ...of } of [
        ...files.map(reportedLines),
        sumLines(files.map(reportedLines)),
      ])
        expect(
          of.added +
            of.duplicates +
            of.rejected +
            of.excluded +
            of.setAside +
            of.noOffer +
            of.unsure +
            of.notSent,
        ).toBe(read)
    }),
  )
})

test('separates lines of a lost response from lines with mixed counts', () => {
  const reasons = (state: 'cancelled' | 'done', keysInDoubt: number, unsure: number) =>
    undeterminedLines({ state, upload: { keysInDoubt } }, unsure)
  expect(reasons('cancelled', 1000, 1003)).toEqual({ canceled: 1000, mixed: 3 })
  expect(reasons('cancelled', 1000, 1000)).toEqual({ canceled: 1000, mixed: 0 })
  expect(reasons('cancelled', 0, 3)).toEqual({ canceled: 0, mixed: 3 })
  expect(reasons('done', 1000, 3)).toEqual({ canceled: 0, mixed: 3 })
})

test('counts the lines of a reason in each file and in all, for files of the same name too', () => {
  const reasons = (count: number, lines: string) => [
    { reason: 'blank' as const, fate: 'refused' as const, count, lines, isComplete: true },
  ]
  const files = [
    { name: 'Pasted lines.txt', reasons: reasons(1, '5') },
    { name: 'Pasted lines.txt', reasons: reasons(2, '7, 9') },
  ] as ImportReport['files']
  const [group] = groupsOf({ files }, 'refused')
  expect(group?.count).toBe(3)
  expect(group?.files.map(({ count, lines }) => [count, lines])).toEqual([
    [1, '5'],
    [2, '7, 9'],
  ])
})

test('says once that there are more lines', () => {
  expect(lineRanges([3, 7, 8, 9, 20], true)).toBe('3, 7–9, 20')
  expect(lineRanges([3, 7], false)).toBe('3, 7 and more')
  const apart = Array.from({ length: 13 }, (_, index) => index * 2 + 1)
  expect(lineRanges(apart, true)).toMatch(/, 23 and more$/)
  expect(lineRanges(apart, false)).toMatch(/, 23 and more$/)
})
