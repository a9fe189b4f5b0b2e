import { expect, test } from 'vitest'
import { createCanvas } from './canvas.ts'
import { downwards, flat, glow, hex } from './colour.ts'
import { ellipse, hole, rectangle, stroked } from './shapes.ts'

const white = flat([255, 255, 255])
/** Total alpha of all pixels: the covered area. */
const area = (
  width: number,
  height: number,
  draw: (canvas: ReturnType<typeof createCanvas>) => void,
): number => {
  const canvas = createCanvas(width, height)
  draw(canvas)
  return canvas.bytes(4).reduce((sum, value, index) => sum + (index % 4 === 3 ? value / 255 : 0), 0)
}

test("fills exactly a shape's area, also between pixels", () => {
  expect(
    area(20, 20, (canvas) => canvas.fill([rectangle(2.25, 3.5, 10.5, 6.25)], white)),
  ).toBeCloseTo(10.5 * 6.25, 0)
  expect(
    area(40, 40, (canvas) => canvas.fill([[1.3, 2.1, 33.7, 5.2, 12.4, 38.9]], white)),
  ).toBeCloseTo(578.96, 0)
  const disc = area(60, 60, (canvas) => canvas.fill([ellipse(30, 30, 25)], white)) / (Math.PI * 625)
  expect(disc).toBeGreaterThan(0.995)
  expect(disc).toBeLessThan(1)
})

test('clips a shape at the canvas edges', () => {
  expect(area(20, 10, (canvas) => canvas.fill([rectangle(-50, -50, 60, 55)], white))).toBeCloseTo(
    50,
    0,
  )
  expect(area(20, 10, (canvas) => canvas.fill([rectangle(30, 2, 5, 5)], white))).toBe(0)
})

test('cuts a hole for a contour in the opposite direction, and unites pieces of a line', () => {
  expect(
    area(30, 30, (canvas) =>
      canvas.fill([rectangle(0, 0, 30, 30), hole(rectangle(5, 5, 10, 10))], white),
    ),
  ).toBeCloseTo(800, 0)
  expect(
    area(30, 30, (canvas) => canvas.fill(stroked([5, 5, 25, 5, 25, 25], 4), white)),
  ).toBeCloseTo(160, 0)
})

test('draws only on the requested rows', () => {
  expect(
    area(10, 10, (canvas) => canvas.fill([rectangle(0, 0, 10, 10)], white, { from: 2, to: 5 })),
  ).toBe(30)
})

test('supports paints: flat over flat, a vertical fade, a glow that is strongest in its center', () => {
  const canvas = createCanvas(1, 101)
  canvas.fill([rectangle(0, 0, 1, 101)], flat(hex('#000000')))
  canvas.fill([rectangle(0, 0, 1, 101)], downwards([0, 0, 0], [201, 0, 0], 0.5, 100.5))
  const fade = canvas.bytes(4)
  expect([fade[0], fade[50 * 4], fade[100 * 4]]).toEqual([0, 101, 201])

  const lit = createCanvas(41, 41)
  lit.fill([rectangle(0, 0, 41, 41)], glow([255, 255, 255], 1, 20.5, 20.5, 15))
  const alpha = (x: number, y: number): number => lit.bytes(4)[(y * 41 + x) * 4 + 3] ?? 0
  expect(alpha(20, 20)).toBe(255)
  expect(alpha(28, 20)).toBeGreaterThan(0)
  expect(alpha(28, 20)).toBeLessThan(alpha(24, 20))
  expect(alpha(36, 20)).toBe(0)
})
