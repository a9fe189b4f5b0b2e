import { describe, expect, it } from 'vitest'
import { createTestRandom } from '../testing/fixture.ts'
import { testValue } from './test-units.ts'

describe('a test unit', () => {
  it('starts with TEST- for every delivery type', () => {
    const random = createTestRandom()
    for (const kind of ['key', 'gift', 'account', 'link'] as const)
      expect(testValue(kind, random)).toMatch(/^TEST-.{15,}/)
  })
})
