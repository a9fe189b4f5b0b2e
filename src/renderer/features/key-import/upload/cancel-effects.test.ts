import { expect, test } from 'vitest'
import { cancelEffects } from './cancel-effects.tsx'

const textsOf = (...args: Parameters<typeof cancelEffects>): string[] =>
  cancelEffects(...args).map(({ what, more }) => (more === undefined ? what : `${what} ${more}`))

test('lists unsent keys without repeating itself, and only if there are some', () => {
  const inDoubt = textsOf('stopped', { keys: 9, keysSettled: 5, keysInDoubt: 3 })
  expect(inDoubt[1]).toBe('1 key won’t be sent')
  const last = textsOf('stopped', { keys: 8, keysSettled: 5, keysInDoubt: 3 })
  expect(last.some((text) => text.includes('won’t be sent'))).toBe(false)
  expect(last[1]).toBe(
    '3 keys may or may not be on their offers because the response to their request was lost.',
  )
})

test('counts a request in flight as unsent, because its result is usually known in time', () => {
  expect(textsOf('uploading', { keys: 8, keysSettled: 5, keysInDoubt: 3 })[1]).toBe(
    '3 keys won’t be sent unless a request is in flight.',
  )
})
