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

const portuguese: readonly (readonly [string, string])[] = [
  ['used', 'O código já foi usado. Podem enviar outro, por favor?'],
  ['used', 'Diz que a chave já foi resgatada, mas eu acabei de comprar.'],
  ['invalid', 'Olá, a chave não funciona no Steam. Quero um reembolso ou uma chave nova.'],
  ['region', 'Não consigo ativar o jogo, diz que não está disponível na minha região.'],
  ['login', 'A senha da conta não entra mais, me tiraram do jogo ontem.'],
  ['expired', 'O link que vocês enviaram expirou, abri pela primeira vez hoje.'],
  ['missing', 'Paguei e ainda não recebi a chave do jogo.'],
  ['edition', 'Recebi a edição errada, não é o que eu comprei.'],
]

test('tells Portuguese from Spanish, and detects its reasons', () => {
  expect(portuguese.map(([, text]) => languageOf(text))).toEqual(portuguese.map(() => 'pt'))
  expect(portuguese.map(([, text]) => reasonOf(text))).toEqual(portuguese.map(([reason]) => reason))
  const spanish = [
    'El código ya ha sido usado. ¿Pueden enviarme otro, por favor?',
    'Dice que la clave ya fue canjeada, pero la acabo de comprar.',
    'Hola, la clave no funciona en Steam. Quiero un reembolso o una clave nueva.',
  ]
  expect(spanish.map(languageOf)).toEqual(['es', 'es', 'es'])
})
