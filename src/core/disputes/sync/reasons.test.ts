import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { languageOf, reasonOf } from './reasons.ts'

type Language = { countries: string[]; claims: Record<string, string[]> }
const { languages } = JSON.parse(
  readFileSync(new URL('../../../../resources/demo/complaints.json', import.meta.url), 'utf8'),
) as { languages: Language[] }
const codes = ['en', 'de', 'fr', 'es', 'it', 'pl']
const said = languages.flatMap(({ claims }, at) =>
  Object.entries(claims).flatMap(([reason, texts]) =>
    texts.map((text) => ({
      reason,
      language: codes[at],
      text: text.replace('{product}', 'Ironwharf 3'),
    })),
  ),
)

test('detects the reason of complaints in six languages', () => {
  expect(said.length).toBeGreaterThan(60)
  expect(said.filter(({ reason, text }) => reasonOf(text) !== reason)).toEqual([])
})

test('detects the language of nearly all of them and never a wrong one', () => {
  expect(said.filter(({ language, text }) => ![language, null].includes(languageOf(text)))).toEqual(
    [],
  )
  expect(said.filter(({ text }) => languageOf(text) === null).length).toBeLessThan(said.length / 10)
})

test('reports no reason or language for text without any', () => {
  expect([
    reasonOf(''),
    reasonOf('???'),
    languageOf(''),
    languageOf('12345'),
    languageOf('Ключ не работает'),
  ]).toEqual(['other', 'other', null, null, 'ru'])
})
