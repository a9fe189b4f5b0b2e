import { expect, it } from 'vitest'
import { systemRandom } from './system.ts'

it('draws as many random bytes as requested, and no byte twice', () => {
  for (const count of [0, 1, 11, 4095, 4096, 4097, 10_000])
    expect(systemRandom.bytes(count)).toHaveLength(count)
  const drawn = Array.from({ length: 1000 }, () => Buffer.from(systemRandom.bytes(11)))
  for (const bytes of drawn) expect(bytes).toHaveLength(11)
  expect(new Set(drawn.map((bytes) => bytes.toString('hex'))).size).toBe(1000)
})

it('keeps bytes that were returned unchanged while it draws more', () => {
  const first = systemRandom.bytes(16)
  const before = Buffer.from(first).toString('hex')
  for (let i = 0; i < 1000; i += 1) systemRandom.bytes(11)
  expect(Buffer.from(first).toString('hex')).toBe(before)
})
