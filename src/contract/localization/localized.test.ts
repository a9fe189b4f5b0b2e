import { IntlMessageFormat } from 'intl-messageformat'
import { expect, it } from 'vitest'
import { formatMessage, localized, readMessage, storeMessage } from './localized.ts'
import { messages } from './messages.ts'

it('formats every message of the catalogue as valid ICU MessageFormat', () => {
  for (const [code, text] of Object.entries(messages)) {
    expect(code).toMatch(/^[a-z]+([.-][a-z]+)*$/)
    expect(() => new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true })).not.toThrow()
  }
})

it('checks the values of a message at compile time', () => {
  expect(formatMessage(localized('text', { text: 'Price changed' }))).toBe('Price changed')
  // @ts-expect-error the value is missing
  expect(formatMessage(localized('text'))).toBe('text')
  // @ts-expect-error no such message
  expect(formatMessage(localized('no-such-message', {}))).toBe('no-such-message')
})

it('restores a stored message with its values', () => {
  const message = localized('text', { text: 'a {b} "c"' })
  expect(readMessage(storeMessage(message))).toEqual(message)
})

it.each(['Price changed', '{"code":', '{"code":5}', '', '{"code":"text"}'])(
  'shows the stored sentence %j of an earlier version as it is',
  (stored) => {
    expect(formatMessage(readMessage(stored))).toBe(stored)
  },
)

it('shows the code of a message that a newer version stored', () => {
  expect(formatMessage(readMessage('{"code":"newer.code","values":{}}'))).toBe('newer.code')
})
