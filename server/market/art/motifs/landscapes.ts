import { downwards, flat, glow, mix } from '../drawing/colour.ts'
import { hole, rectangle } from '../drawing/shapes.ts'
import { type Motif, below, ground, ridge, stars, sun } from './scenery.ts'

export const waves: Motif = (canvas, palette, random) => {
  const { width, height } = canvas
  ground(canvas, palette)
  stars(canvas, palette, random, 26, height * 0.35)
  sun(
    canvas,
    palette,
    width * (0.3 + random.next() * 0.4),
    height * 0.36,
    width * (0.11 + random.next() * 0.06),
  )
  for (let layer = 0; layer < 6; layer++) {
    const share = layer / 5
    const level = height * (0.4 + share * 0.42)
    const swell = height * (0.012 + share * 0.03)
    const length = width * (0.28 + share * 0.3)
    const phase = random.next() * 7
    const contour = below(
      canvas,
      4,
      (x) =>
        level +
        Math.sin((x / length) * 6.28 + phase) * swell +
        Math.sin((x / length) * 2.4 + phase * 2) * swell * 0.8,
    )
    const tone = mix(mix(palette.light, palette.mid, 0.45), palette.deep, share ** 0.7)
    canvas.fill(
      [contour],
      downwards(mix(tone, palette.light, 0.12), tone, level - swell * 2, level + height * 0.14),
    )
  }
}

export const peaks: Motif = (canvas, palette, random) => {
  const { width, height } = canvas
  ground(canvas, palette)
  stars(canvas, palette, random, 40, height * 0.4)
  sun(
    canvas,
    palette,
    width * (0.2 + random.next() * 0.6),
    height * (0.22 + random.next() * 0.1),
    width * (0.07 + random.next() * 0.07),
  )
  for (let layer = 0; layer < 4; layer++) {
    const share = layer / 3
    const level = height * (0.56 + share * 0.26)
    const tone = mix(mix(palette.mid, palette.light, 0.42), palette.deep, 0.1 + share * 0.85)
    canvas.fill(
      [ridge(canvas, random, level, height * (0.3 - share * 0.1), 0.52)],
      downwards(tone, mix(tone, palette.mid, 0.35), level - height * 0.26, level + height * 0.12),
    )
  }
}

export const forest: Motif = (canvas, palette, random) => {
  const { width, height } = canvas
  ground(canvas, palette)
  stars(canvas, palette, random, 30, height * 0.4)
  sun(canvas, palette, width * (0.3 + random.next() * 0.4), height * 0.32, width * 0.13)
  for (let layer = 0; layer < 4; layer++) {
    const tone = mix(mix(palette.mid, palette.light, 0.35), palette.deep, 0.12 + layer * 0.29)
    const level = height * (0.55 + layer * 0.11)
    const size = height * (0.13 + layer * 0.055)
    for (let x = -size * 0.2; x < width + size * 0.2; x += size * (0.22 + random.next() * 0.3)) {
      const tall = size * (0.75 + random.next() * 0.7)
      const tiers = [0, 0.28, 0.54].map((tier) => [
        x,
        level - tall * (1 - tier * 0.75),
        x + tall * (0.13 + tier * 0.22),
        level - tall * (0.62 - tier),
        x - tall * (0.13 + tier * 0.22),
        level - tall * (0.62 - tier),
      ])
      canvas.fill(tiers, flat(tone))
    }
    canvas.fill(
      [rectangle(0, level - size * 0.12, width, height)],
      downwards(tone, mix(tone, palette.mid, 0.3), level, level + height * 0.2),
    )
  }
}

export const beacon: Motif = (canvas, palette, random) => {
  const { width, height } = canvas
  ground(canvas, palette)
  stars(canvas, palette, random, 45, height * 0.5)
  const [x, y] = [width * (0.35 + random.next() * 0.3), height * 0.24]
  const lean = random.next() * 0.5 - 0.25
  const beam = (angle: number, spread: number): number[] => [
    x,
    y,
    x + Math.cos(angle - spread) * width * 1.3,
    y + Math.sin(angle - spread) * width * 1.3,
    x + Math.cos(angle + spread) * width * 1.3,
    y + Math.sin(angle + spread) * width * 1.3,
  ]
  canvas.fill(
    [beam(lean, 0.13), beam(lean + Math.PI, 0.13)],
    glow(palette.accent, 0.85, x, y, width),
  )
  canvas.fill([rectangle(0, 0, width, height)], glow(palette.light, 0.55, x, y, width * 0.5))
  const tower = mix(palette.light, palette.mid, 0.25)
  canvas.fill(
    [
      [
        x - width * 0.045,
        y + 8,
        x + width * 0.045,
        y + 8,
        x + width * 0.085,
        height * 0.72,
        x - width * 0.085,
        height * 0.72,
      ],
    ],
    downwards(tower, palette.mid, y, height * 0.72),
  )
  for (let band = 0; band < 3; band++)
    canvas.fill(
      [rectangle(x - width * 0.07, height * (0.36 + band * 0.11), width * 0.14, height * 0.035)],
      flat(palette.accent, 0.85),
    )
  canvas.fill(
    [
      rectangle(x - width * 0.05, y - 8, width * 0.1, 16),
      hole(rectangle(x - width * 0.035, y - 4, width * 0.07, 9)),
    ],
    flat(palette.deep),
  )
  canvas.fill([[x - width * 0.06, y - 8, x, y - 24, x + width * 0.06, y - 8]], flat(palette.deep))
  canvas.fill(
    [ridge(canvas, random, height * 0.74, height * 0.12, 0.5)],
    flat(mix(palette.deep, palette.mid, 0.2)),
  )
  canvas.fill(
    [below(canvas, 4, (at) => height * 0.8 + Math.sin(at / 22) * 3)],
    downwards(mix(palette.mid, palette.light, 0.15), palette.deep, height * 0.8, height),
  )
}
