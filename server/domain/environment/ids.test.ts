import { describe, expect, it } from 'vitest'
import { createTestClock, createTestRandom } from '../testing/fixture.ts'
import { createCountingIds, createIds } from './ids.ts'

describe('ids', () => {
  it('sort by creation time, and counting ids are reproducible', () => {
    const clock = createTestClock()
    const ids = createIds(clock, createTestRandom())
    const made = Array.from({ length: 50 }, () => {
      clock.move(1)
      return ids.next('ord')
    })
    expect([...made].sort()).toEqual(made)
    expect(made[0]).toMatch(/^ord_[0-9a-z]{20}$/)
    const count = () => {
      const counting = createCountingIds()
      return [counting.next('a'), counting.next('b'), counting.next('a')]
    }
    expect(count()).toEqual(count())
    expect(new Set(count()).size).toBe(3)
  })

  it('that count sort by creation, have the form of others, and differ between kinds', () => {
    const counting = createCountingIds()
    const made = Array.from({ length: 40 }, () => counting.next('ord'))
    expect([...made].sort()).toEqual(made)
    for (const id of made) expect(id).toMatch(/^ord_[0-9a-z]{20}$/)
    const tails = [...made, counting.next('prd')].map((id) => id.slice(-11))
    expect(new Set(tails).size).toBe(41)
  })
})
