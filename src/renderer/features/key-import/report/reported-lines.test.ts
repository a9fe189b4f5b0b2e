import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ImportReport } from '../../../../contract/keys/import-reports.ts'
import { reportedLines, sumLines } from './reported-lines.ts'

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
    notSent: count,
  })
  .map(({ counts, ...sent }): ImportReport['files'][number] => {
    const ready = sent.added + sent.duplicates + sent.unsure + sent.notTaken + sent.notSent
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
            of.setAside +
            of.noOffer +
            of.unsure +
            of.notSent,
        ).toBe(read)
    }),
  )
})
