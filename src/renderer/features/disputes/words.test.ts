import { expect, test } from 'vitest'
import { cents } from '../../../../server/api/money.ts'
import {
  authorWord,
  doneToast,
  factsOf,
  heldNote,
  needsLanguageChoice,
  safeText,
  undoneWords,
  unfilledFields,
} from './words.ts'

test('names characters that turn or hide text instead of obeying them, and changes nothing else', () => {
  expect(safeText('pay \u202Egnp.exe now\u0000')).toBe('pay ⟨202E⟩gnp.exe now⟨0000⟩')
  expect(safeText(`a${'\u0301'.repeat(5000)}b`)).toBe(`a${'\u0301'.repeat(8)}⟨…⟩b`)
  expect(safeText('<script>alert(1)</script>\r\nžluťoučký 钥匙 \t')).toBe(
    '<script>alert(1)</script>\nžluťoučký 钥匙 \t',
  )
})

test('names the author of a message, also of an answer sent elsewhere', () => {
  expect(
    [
      ['customer', null],
      ['seller', true],
      ['seller', false],
      ['seller', null],
      ['support', null],
      [null, null],
    ].map(([author, own]) => authorWord(author as string | null, own as boolean | null)),
  ).toEqual(['Customer', 'You', 'Your shop, sent elsewhere', 'Your shop', 'Support', 'Unknown'])
})

test('finds unfilled template fields in a text, and ignores other braces', () => {
  expect(
    unfilledFields('Your key ends in {last4}, order {order}; {last4} again, {nonsense} and {}'),
  ).toEqual(['{last4}', '{order}'])
  expect(unfilledFields('Nothing to fill in')).toEqual([])
})

test('asks for a language unless the template has the one in which the customer writes', () => {
  const template = { bodies: { en: 'Hello', es: 'Hola', de: '' } }
  expect(['en', 'es', 'de', 'pt', null].map((code) => needsLanguageChoice(template, code))).toEqual(
    [false, false, true, true, true],
  )
  const single = { bodies: { en: 'Hello' } }
  expect(['en', 'pt', null].map((code) => needsLanguageChoice(single, code))).toEqual([
    false,
    true,
    false,
  ])
  expect(needsLanguageChoice({ bodies: {} }, 'pt')).toBe(false)
})

test('says which answers of held replies were sent before, also after an undo', () => {
  const [unsent, sent] = [{ answered: false }, { answered: true }]
  expect([[unsent, unsent], [sent], [sent, sent, unsent]].map(heldNote)).toEqual([
    'Nothing has been sent yet.',
    '1 answer was sent before. Nothing else has been sent yet.',
    '2 answers were sent before. Nothing else has been sent yet.',
  ])
  expect(undoneWords([unsent])).toEqual({
    title: '1 reply not sent',
    text: 'Your text is a draft again. No keys or money moved.',
  })
  expect(undoneWords([sent])).toEqual({
    title: '1 retry undone',
    text: '1 answer was sent before and stays sent. No keys or money moved.',
  })
  expect(undoneWords([sent, sent, unsent])).toEqual({
    title: '3 retries undone',
    text:
      '2 answers were sent before and stay sent. 1 text is a draft again. ' +
      'No keys or money moved.',
  })
})

test('names a dispute that was marked as done, and counts several in one message', () => {
  const dispute = { name: 'Quarry of Glass', platform: 'Steam', region: 'Global' }
  const { title, text, group } = doneToast({ ...dispute, deliveryType: 'key' })
  expect(title).toBe('Quarry of Glass marked as done')
  expect(text).toMatch(/^Quarry of Glass · Steam · Global/)
  expect(group.many(3)).toBe('3 disputes marked as done')
})

test('tells disputes about different deliveries of a product apart', () => {
  const facts = {
    platform: 'Steam',
    region: 'Europe',
    customerCents: cents(1234),
    orderId: 'ord_1',
  }
  expect(factsOf({ ...facts, deliveryType: 'key' })).toBe('Steam · Europe · EUR 12.34 · ord_1')
  expect(factsOf({ ...facts, deliveryType: 'account' })).toBe(
    'Steam · Europe · account · EUR 12.34 · ord_1',
  )
})
