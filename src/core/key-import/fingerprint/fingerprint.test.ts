import { createHash, createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createFingerprints, fingerprintBytes } from './fingerprint.ts'
import { createFourKeys } from './four-keys.ts'
import { keyed } from './sha256.ts'

const hmacKey = randomBytes(32)
const fingerprintOf = (key: Uint8Array): Buffer =>
  createHmac('sha256', hmacKey)
    .update(createHash('sha256').update(key).digest())
    .digest()
    .subarray(0, 16)

/**
 * Concatenates keys of random bytes with a byte between them, and returns their fingerprints, which
 * are written in another order than the keys.
 */
function printed(
  lengths: readonly number[],
  print: ReturnType<typeof createFingerprints>['many'],
): { made: string[]; expected: string[] } {
  const bytes = randomBytes(lengths.reduce((sum, length) => sum + length + 1, 0))
  const out = new Uint32Array((lengths.length + 1) * 4)
  let at = 0
  const keys = lengths.map((length, index) => {
    const from = at
    at += length + 1
    return { from, to: from + length, at: (lengths.length - index) * 4 }
  })
  print(
    bytes,
    Uint32Array.from(keys.flatMap((key) => [key.from, key.to, key.at])),
    keys.length,
    out,
  )
  expect([...out.subarray(0, 4)]).toEqual([0, 0, 0, 0])
  return {
    made: keys.map((key) => fingerprintBytes(out, key.at).toString('hex')),
    expected: keys.map(({ from, to }) => fingerprintOf(bytes.subarray(from, to)).toString('hex')),
  }
}

test('computes the HMAC over the SHA-256 for keys of every length', () => {
  const { one } = createFingerprints(hmacKey)
  const words = new Uint32Array(4)
  for (let length = 0; length < 300; length++) {
    const key = randomBytes(length)
    one(key, 0, length, words, 0)
    expect(fingerprintBytes(words, 0)).toEqual(fingerprintOf(key))
  }
})

test.each([[1], [2047], [3001]])(
  'computes the same fingerprints together as one by one, for short and long keys mixed (%i)',
  (count) => {
    const { many } = createFingerprints(hmacKey)
    for (const lengths of [
      Array.from({ length: count }, (_, key) => (key * 7) % 131),
      Array.from({ length: count }, () => 17),
    ]) {
      const { made, expected } = printed(lengths, many)
      expect(made).toEqual(expected)
    }
  },
)

test('hashes keys of one block four at a time and longer keys separately', () => {
  const { one } = createFingerprints(hmacKey)
  const alone: number[] = []
  const fourKeys = createFourKeys(
    keyed(hmacKey, 'inside'),
    keyed(hmacKey, 'outside'),
    (bytes, from, to, out, at) => {
      alone.push(to - from)
      one(bytes, from, to, out, at)
    },
  )
  const { made, expected } = printed([...Array(70).keys()], fourKeys ?? (() => {}))
  expect(made).toEqual(expected)
  expect(alone).toEqual([56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69])
})
