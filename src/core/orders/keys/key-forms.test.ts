import { expect, test } from 'vitest'
import { customerMessage, formOf } from './key-forms.ts'

test.each([
  ['mira.holt@example.org:p:a;ss', 'mira.holt@example.org', 'p:a;ss'],
  ['jon|secret word', 'jon', 'secret word'],
  ['Login: jon@example.org\nPassword: s3cret', 'jon@example.org', 's3cret'],
  ['E-mail=jon@example.org; pass=x', 'jon@example.org', 'x'],
  ['  username : jon | PW : a b  ', 'jon', 'a b'],
  ['user name=jon,password=x', 'jon', 'x'],
  ['user=jon\r\n pass : x', 'jon', 'x'],
  ['email:jon\n\nPass:x', 'jon', 'x'],
  ['account = jon; password = x', 'jon', 'x'],
  [' jon ; p w ', 'jon', 'p w'],
])('splits the account %j into its login and its password', (value, login, password) => {
  expect(formOf(value, 'text/plain', 'account')).toEqual({
    kind: 'account',
    host: null,
    account: { login, password },
    fault: null,
  })
})

test('keeps credentials without a clear separator, and codes with a colon, as one text', () => {
  expect(formOf('no separator here', 'text/plain', 'account').kind).toBe('text')
  expect(formOf('ABCDE:FGHIJ', 'text/plain', 'key').kind).toBe('text')
  expect(formOf('my jon:secret', 'text/plain', 'account').kind).toBe('text')
})

test('shows the host of a link; treats a text with a link in it, and other schemes, as text', () => {
  expect(formOf('https://gift.example.com/c?x=1', 'text/plain', 'gift')).toEqual({
    kind: 'link',
    host: 'gift.example.com',
    account: null,
    fault: null,
  })
  expect(formOf('javascript:alert(1)', 'text/plain', 'link').kind).toBe('text')
  expect(formOf('see https://example.com', 'text/plain', 'link').kind).toBe('text')
  expect(formOf('https://example.com now', 'text/plain', 'link').kind).toBe('text')
  expect(formOf('https://[broken', 'text/plain', 'link').kind).toBe('text')
  expect(formOf(' HTTP://example.com:8080/c\n', 'text/plain', 'link').host).toBe('example.com:8080')
  expect(
    customerMessage([
      {
        name: 'Gift',
        platform: '',
        region: '',
        deliveryType: 'gift',
        contentType: 'text/plain',
        value: ' https://gift.example.com/c\n',
        instructions: null,
      },
    ]),
  ).toBe('Gift\nLink: https://gift.example.com/c')
})

test('rejects a picture by its own header: missing, broken, or with too many pixels', () => {
  const gif = (width: number, height: number): string => {
    const head = Buffer.from('GIF89a\0\0\0\0\0\0', 'latin1')
    head.writeUInt16LE(width, 6)
    head.writeUInt16LE(height, 8)
    return head.toString('base64')
  }
  const faultOf = (value: string, contentType = 'image/png') =>
    formOf(value, contentType, 'key').fault
  expect(
    [
      'iVBO',
      Buffer.from('<svg onload="alert(1)">').toString('base64'),
      'no base64',
      gif(0, 10),
    ].map((value) => faultOf(value)),
  ).toEqual(['broken', 'broken', 'broken', 'broken'])
  expect([gif(8000, 5000), gif(8000, 5001)].map((value) => faultOf(value, 'image/gif'))).toEqual([
    null,
    'too-large',
  ])
})

test('lists each product once in a message for the customer, with its units and how to redeem them', () => {
  const unit = {
    name: 'Hollow Tide',
    platform: 'Steam',
    region: 'Global',
    deliveryType: 'key',
    contentType: 'text/plain',
    instructions: 'Games › Activate.\n',
  }
  expect(
    customerMessage([
      { ...unit, value: 'AAAAA-BBBBB' },
      { ...unit, value: 'CCCCC-DDDDD' },
      {
        ...unit,
        name: 'Farspire',
        platform: 'Other',
        region: '',
        deliveryType: 'account',
        value: 'jon:pw',
        instructions: null,
      },
      { ...unit, name: 'Card', contentType: 'image/png', value: 'iVBO', instructions: null },
    ]),
  ).toBe(
    [
      'Hollow Tide (Steam, Global)',
      'Key 1: AAAAA-BBBBB',
      'Key 2: CCCCC-DDDDD',
      '',
      'How to redeem:',
      'Games › Activate.',
      '',
      'Farspire (Other)',
      'Login: jon',
      'Password: pw',
      '',
      'Card (Steam, Global)',
      'Picture: see the attached picture',
    ].join('\n'),
  )
})

test('reads hostile texts in time proportional to their length', () => {
  const long = 100_000
  for (const text of [
    `login: a${'\n'.repeat(long)}`,
    `login: a${'\npassword'.repeat(long / 10)}`,
    `a${'\t'.repeat(long)}`,
    `${' '.repeat(long)}|`,
  ])
    expect(formOf(text, 'text/plain', 'account')).toMatchObject({ kind: expect.any(String) })
})
