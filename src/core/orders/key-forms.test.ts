import { expect, test } from 'vitest'
import { customerMessage, formOf } from './key-forms.ts'

test.each([
  ['mira.holt@example.org:p:a;ss', 'mira.holt@example.org', 'p:a;ss'],
  ['jon|secret word', 'jon', 'secret word'],
  ['Login: jon@example.org\nPassword: s3cret', 'jon@example.org', 's3cret'],
  ['E-mail=jon@example.org; pass=x', 'jon@example.org', 'x'],
])('an account %j shows its login and its password apart', (value, login, password) => {
  expect(formOf(value, 'text/plain', 'account')).toEqual({ kind: 'account', host: null, account: { login, password } })
})

test('credentials that nobody can take apart, and codes with a colon, stay one text', () => {
  expect(formOf('no separator here', 'text/plain', 'account').kind).toBe('text')
  expect(formOf('ABCDE:FGHIJ', 'text/plain', 'key').kind).toBe('text')
})

test('a link tells its host; a text with a link in it, and other schemes, are text', () => {
  expect(formOf('https://gift.example.com/c?x=1', 'text/plain', 'gift')).toEqual({ kind: 'link', host: 'gift.example.com', account: null })
  expect(formOf('javascript:alert(1)', 'text/plain', 'link').kind).toBe('text')
  expect(formOf('see https://example.com now', 'text/plain', 'link').kind).toBe('text')
})

test('a message for the customer has each product once, its units, and how to redeem them', () => {
  const unit = { name: 'Hollow Tide', platform: 'Steam', region: 'Global', deliveryType: 'key', contentType: 'text/plain', instructions: 'Games › Activate.\n' }
  expect(customerMessage([
    { ...unit, value: 'AAAAA-BBBBB' }, { ...unit, value: 'CCCCC-DDDDD' },
    { ...unit, name: 'Farspire', platform: 'Other', region: '', deliveryType: 'account', value: 'jon:pw', instructions: null },
    { ...unit, name: 'Card', contentType: 'image/png', value: 'iVBO', instructions: null },
  ])).toBe([
    'Hollow Tide (Steam, Global)', 'Key 1: AAAAA-BBBBB', 'Key 2: CCCCC-DDDDD', '', 'How to redeem:', 'Games › Activate.', '',
    'Farspire (Other)', 'Login: jon', 'Password: pw', '', 'Card (Steam, Global)', 'Picture: see the attached picture',
  ].join('\n'))
})
