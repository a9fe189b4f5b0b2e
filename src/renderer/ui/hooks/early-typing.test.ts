import { expect, it } from 'vitest'
import { withKey } from './early-typing.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false, repeat: false, altGraph: false }
const typed = (keys: readonly string[], held: Partial<typeof plain> = {}): string =>
  keys.reduce<string>((text, key) => withKey(text, { ...plain, ...held, key }) ?? text, '')

it('keeps letters, digits, spaces and signs in their order', () => {
  expect(typed(['c', 'O', 'r', ' ', '7', '_', 'ß'])).toBe('cOr 7_ß')
})

it('takes back the last character, also one of two code units', () => {
  expect(typed(['a', 'b', 'Backspace'])).toBe('a')
  expect(typed(['a', '😀', 'Backspace'])).toBe('a')
  expect(typed(['Backspace', 'a'])).toBe('a')
})

it.each(['Enter', 'Tab', 'Escape', 'ArrowDown', 'F5', 'Shift', 'Dead', 'Process'])(
  'leaves %s to others',
  (key) => {
    expect(withKey('a', { ...plain, key })).toBeNull()
  },
)

it('leaves shortcuts to others, and the repetition of the held key that opened the dialog', () => {
  expect(withKey('a', { ...plain, key: 'b', ctrlKey: true })).toBeNull()
  expect(withKey('a', { ...plain, key: 'b', metaKey: true })).toBeNull()
  expect(withKey('a', { ...plain, key: 'b', altKey: true })).toBeNull()
  expect(withKey('a', { ...plain, key: 'e', repeat: true })).toBeNull()
})

it('keeps signs that are typed with AltGr, which counts as Ctrl and Alt', () => {
  expect(typed(['@'], { ctrlKey: true, altKey: true, altGraph: true })).toBe('@')
})
