import type { SeededRandom } from '../../random.ts'
import type { Canvas } from '../drawing/canvas.ts'
import type { Palette } from '../palettes.ts'
import { downwards, flat, glow, mix } from '../drawing/colour.ts'
import { ellipse, rectangle } from '../drawing/shapes.ts'

/**
 * Draws a scene over the complete canvas, including the background. The important parts are in the
 * upper two thirds.
 */
export type Motif = (canvas: Canvas, palette: Palette, random: SeededRandom) => void

export const ground = (canvas: Canvas, { deep, mid }: Palette, turned = false): void =>
  canvas.fill(
    [rectangle(0, 0, canvas.width, canvas.height)],
    turned ? downwards(mid, deep, 0, canvas.height) : downwards(deep, mid, 0, canvas.height * 0.75),
  )

export const sun = (
  canvas: Canvas,
  palette: Palette,
  x: number,
  y: number,
  radius: number,
): void => {
  canvas.fill(
    [rectangle(0, 0, canvas.width, canvas.height)],
    glow(palette.light, 0.7, x, y, radius * 4),
  )
  canvas.fill(
    [ellipse(x, y, radius)],
    downwards(palette.accent, mix(palette.accent, palette.light, 0.5), y - radius, y + radius),
  )
}

export const stars = (
  canvas: Canvas,
  palette: Palette,
  random: SeededRandom,
  count: number,
  lower: number,
): void =>
  canvas.fill(
    Array.from({ length: count }, () =>
      ellipse(random.next() * canvas.width, random.next() * lower, 0.5 + random.next() * 0.9),
    ),
    flat(palette.light, 0.75),
  )

/** The area below a curve, as one contour. */
export const below = (canvas: Canvas, step: number, height: (x: number) => number): number[] => {
  const points: number[] = [canvas.width + step, canvas.height, -step, canvas.height]
  for (let x = -step; x <= canvas.width + step; x += step) points.push(x, height(x))
  return points
}

export const ridge = (
  canvas: Canvas,
  random: SeededRandom,
  level: number,
  relief: number,
  roughness: number,
): number[] => {
  let heights = [random.next(), random.next(), random.next()]
  for (let pass = 0, size = 0.5; pass < 5; pass++, size *= roughness) {
    heights = heights.flatMap((value, index) => {
      const next = heights[index + 1]
      return next === undefined
        ? [value]
        : [value, (value + next) / 2 + (random.next() - 0.5) * size]
    })
  }
  const step = canvas.width / (heights.length - 1)
  return [
    canvas.width,
    canvas.height,
    0,
    canvas.height,
    ...heights.flatMap((value, index) => [index * step, level - value * relief]),
  ]
}
