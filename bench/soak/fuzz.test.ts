import { expect, test } from 'vitest'
import soakFuzz from './fuzz.ts'
import { fuzzTexts } from './fuzz/texts.ts'

test('answers every request within the contract, never with a defect, and keeps serving', async () => {
  const seed = Math.floor(Date.now() / 86_400_000)
  const told: string[] = []
  const result = await soakFuzz({
    rounds: 1000,
    seed,
    log: (text) => told.push(text),
    large: false,
  })
  expect(result, `seed ${seed}: ${told.join('\n')}`).toMatchObject({ lost: 0, twice: 0, wrong: 0 })
  expect(Object.keys(result.statuses)).toEqual(
    expect.arrayContaining(['200', '201', '400', '401', '404']),
  )
  expect(result.connections).toBeGreaterThan(100)
  expect(result.texts).toBeGreaterThan(10_000)
}, 180_000)

test('finds a reader of foreign text whose time grows with the square of the text', () => {
  const found: string[] = []
  fuzzTexts(
    (what) => found.push(what),
    [
      // One finding is enough: each takes seconds.
      { name: 'trimmed', read: (text) => (found.length > 0 ? text : text.replace(/\s+$/, '')) },
      { name: 'length', read: (text) => text.length },
    ],
  )
  expect(found).toEqual([expect.stringMatching(/^trimmed of /)])
}, 180_000)
