import { IntlMessageFormat } from 'intl-messageformat'
import { expect, it } from 'vitest'
import { formatMessage, localized, readMessage, storeMessage, t } from './localized.ts'
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

it('leaves out a count of zero in sentences about an undone or canceled upload', () => {
  expect(t('screens.imports-undone-keys', { withdrawn: 1, returned: 0 })).toBe(
    '1 key in the vault.',
  )
  expect(t('screens.imports-undone-keys', { withdrawn: 25, returned: 42 })).toBe(
    '25 keys in the vault, 42 keys of other imports uploaded again.',
  )
  const undone = (returned: number): string =>
    formatMessage(localized('imports.undo-result', { withdrawn: 2, offer: 'Ironwharf', returned }))
  expect(undone(0)).toBe('2 keys of Ironwharf are in the vault')
  expect(undone(1)).toBe('2 keys of Ironwharf are in the vault, 1 other was uploaded again')
  expect(undone(2)).toBe('2 keys of Ironwharf are in the vault, 2 others were uploaded again')
  const canceled = (unsent: number): string =>
    formatMessage(localized('imports.added-not-sent', { added: 3, keys: 5, unsent }))
  expect(canceled(0)).toBe('3 of 5 keys added')
  expect(canceled(2)).toBe('3 of 5 keys added, 2 not sent')
})
