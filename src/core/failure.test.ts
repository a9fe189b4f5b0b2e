import { expect, test } from 'vitest'
import { Failure, failure, isFailure } from './failure.ts'

test('a misspelled code doesn’t compile', () => {
  // @ts-expect-error the code is VAULT_LOCKED
  const misspelled = failure('VAULT_LOKCED', 'The vault is locked.', 'Unlock it.')
  // @ts-expect-error the code is NOT_FOUND
  expect(isFailure(misspelled, 'NOT_FUOND')).toBe(false)
  // @ts-expect-error the code is OFFLINE
  expect(misspelled.problem.code === 'OFLINE').toBe(false)
})

test('writes the service’s own code to the log', () => {
  const { problem } = failure('UNKNOWN_CODE', 'Not ordered.', 'Ask the service’s support.', {
    originalCode: 'A_CODE_OF_NEXT_YEAR',
  })
  expect(new Failure(problem).message).toBe('A_CODE_OF_NEXT_YEAR: Not ordered.')
})
