import { expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import { unitValue } from './unit-values.ts'

test.each([
  ['Steam', /^[A-Z2-9]{5}(-[A-Z2-9]{5}){2}$/],
  ['Xbox', /^[A-Z2-9]{5}(-[A-Z2-9]{5}){4}$/],
  ['PlayStation', /^[A-Z2-9]{4}(-[A-Z2-9]{4}){2}$/],
  ['Battle.net', /^[A-Z2-9]{6}-[A-Z2-9]{4}-[A-Z2-9]{6}$/],
  ['Other', /^[A-Z2-9]{4}(-[A-Z2-9]{4}){3}$/],
])('a key for %s has its format', (platform, shape) => {
  expect(unitValue(seededRandom('key'), platform, 'key')).toMatch(shape)
})

test('gifts and links are URLs, accounts a login and a password', () => {
  const random = seededRandom('others')
  expect(new URL(unitValue(random, 'Steam', 'gift')).hostname).toBe('gifts.steam.example')
  expect(new URL(unitValue(random, 'EA App', 'link')).hostname).toBe('activate.eaapp.example')
  expect(unitValue(random, 'Epic', 'account')).toMatch(/^[a-z]+\.[a-z]+\d+@mail\.example:\S{10,}$/)
})

test('values are the same for the same seed, and never repeat', () => {
  const values = (seed: string) => {
    const random = seededRandom(seed)
    return Array.from({ length: 20_000 }, () => unitValue(random, 'PlayStation', 'key'))
  }
  expect(new Set(values('stock')).size).toBe(20_000)
  expect(values('stock').slice(0, 50)).toEqual(values('stock').slice(0, 50))
})
