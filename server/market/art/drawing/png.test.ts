import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPng } from '../../testing/png.ts'
import { encodePng } from './png.ts'

test('an encoded picture decodes to the same pixels, with valid chunks', () => {
  const picture = fc.tuple(
    fc.integer({ min: 1, max: 24 }),
    fc.integer({ min: 1, max: 24 }),
    fc.constantFrom(3, 4),
  )
  fc.assert(
    fc.property(
      picture.chain(([width, height, channels]) =>
        fc
          .uint8Array({
            minLength: width * height * channels,
            maxLength: width * height * channels,
          })
          .map((pixels) => ({ width, height, channels, pixels })),
      ),
      ({ width, height, channels, pixels }) => {
        const read = readPng(encodePng(pixels, width, height))
        expect(read).toEqual({ width, height, channels, pixels, chunks: ['IHDR', 'IDAT', 'IEND'] })
      },
    ),
    { numRuns: 100 },
  )
})

test("pixel data that doesn't match the size is rejected", () => {
  expect(() => encodePng(new Uint8Array(10), 2, 2)).toThrow(RangeError)
})
