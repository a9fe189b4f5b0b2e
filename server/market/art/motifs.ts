import type { SeededRandom } from '../random.ts'
import type { Canvas } from './canvas.ts'
import { downwards, flat, glow, mix } from './colour.ts'
import type { Palette } from './palettes.ts'
import { arc, ellipse, hole, rectangle, stroked } from './shapes.ts'

/**
 * Draws a scene over the complete canvas, including the background. The important parts are in the
 * upper two thirds.
 */
export type Motif = (canvas: Canvas, palette: Palette, random: SeededRandom) => void

const ground = (canvas: Canvas, { deep, mid }: Palette, turned = false): void =>
  canvas.fill(
    [rectangle(0, 0, canvas.width, canvas.height)],
    turned ? downwards(mid, deep, 0, canvas.height) : downwards(deep, mid, 0, canvas.height * 0.75),
  )

const sun = (canvas: Canvas, palette: Palette, x: number, y: number, radius: number): void => {
  canvas.fill(
    [rectangle(0, 0, canvas.width, canvas.height)],
    glow(palette.light, 0.7, x, y, radius * 4),
  )
  canvas.fill(
    [ellipse(x, y, radius)],
    downwards(palette.accent, mix(palette.accent, palette.light, 0.5), y - radius, y + radius),
  )
}

const stars = (
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
const below = (canvas: Canvas, step: number, height: (x: number) => number): number[] => {
  const points: number[] = [canvas.width + step, canvas.height, -step, canvas.height]
  for (let x = -step; x <= canvas.width + step; x += step) points.push(x, height(x))
  return points
}

const waves: Motif = (canvas, palette, random) => {
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

const ridge = (
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

const peaks: Motif = (canvas, palette, random) => {
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

const orbit: Motif = (canvas, palette, random) => {
  const { width, height } = canvas
  canvas.fill(
    [rectangle(0, 0, width, height)],
    downwards(palette.deep, mix(palette.deep, palette.mid, 0.6), 0, height),
  )
  stars(canvas, palette, random, 90, height)
  const [x, y] = [width * (0.35 + random.next() * 0.3), height * 0.38]
  const radius = Math.min(width, height) * (0.19 + random.next() * 0.07)
  const tilt = 0.22 + random.next() * 0.2
  canvas.fill([rectangle(0, 0, width, height)], glow(palette.light, 0.45, x, y, radius * 3))
  const ring = (size: number, from: number, to: number, pen: number, alpha: number): void =>
    canvas.fill(
      stroked(arc(x, y, radius * size, radius * size * tilt, from, to), pen),
      flat(palette.light, alpha),
    )
  const sizes = [1.45, 1.72, 1.85, 2.35]
  sizes.forEach((size, index) => ring(size, 180, 360, index === 1 ? 6 : 1.6, 0.5))
  canvas.fill(
    [ellipse(x, y, radius)],
    downwards(palette.accent, palette.mid, y - radius, y + radius),
  )
  for (let band = -2; band <= 2; band++) {
    const reach = Math.sqrt(1 - (band / 3.2) ** 2) * radius
    canvas.fill(
      stroked(
        arc(x, y + band * radius * 0.3, reach, reach * tilt * 0.6, 8, 172),
        2 + random.next() * 5,
      ),
      flat(palette.deep, 0.22),
    )
  }
  sizes.forEach((size, index) => ring(size, 0, 180, index === 1 ? 6 : 1.6, 0.85))
  const moonAngle = random.next() * 3
  canvas.fill(
    [
      ellipse(
        x + Math.cos(moonAngle) * radius * 2.35,
        y + Math.sin(moonAngle) * radius * 2.35 * tilt,
        radius * 0.13,
      ),
    ],
    flat(palette.accent),
  )
}

const grid: Motif = (canvas, palette, random) => {
  const { width, height } = canvas
  const horizon = height * 0.52
  canvas.fill([rectangle(0, 0, width, horizon)], downwards(palette.deep, palette.mid, 0, horizon))
  const [x, radius] = [width * (0.4 + random.next() * 0.2), Math.min(width, height) * 0.27]
  canvas.fill(
    [rectangle(0, 0, width, horizon)],
    glow(palette.accent, 0.6, x, horizon, radius * 2.6),
  )
  canvas.fill(
    [ellipse(x, horizon - radius * 0.55, radius)],
    downwards(palette.accent, palette.light, horizon - radius * 1.5, horizon),
  )
  for (let bar = 0; bar < 5; bar++)
    canvas.fill(
      [
        rectangle(
          x - radius * 1.1,
          horizon - radius * (0.08 + bar * 0.19),
          radius * 2.2,
          radius * (0.085 - bar * 0.014),
        ),
      ],
      flat(mix(palette.deep, palette.mid, 0.85 - bar * 0.1)),
    )
  canvas.fill(
    [ridge(canvas, random, horizon, height * 0.12, 0.5)],
    flat(mix(palette.deep, palette.mid, 0.25)),
  )
  canvas.fill(
    [rectangle(0, horizon, width, height - horizon)],
    downwards(mix(palette.deep, palette.mid, 0.35), palette.deep, horizon, height),
  )
  for (let line = 0; line < 11; line++)
    canvas.fill(
      [rectangle(0, horizon + (height - horizon) * (line / 10) ** 2.2, width, 1.3)],
      flat(palette.light, 0.5),
    )
  for (let line = -14; line <= 14; line++)
    canvas.fill(
      stroked([x + line * width * 0.035, horizon, x + line * width * 0.34, height], 1.2),
      flat(palette.light, 0.42),
    )
}

const shards: Motif = (canvas, palette, random) => {
  const { width, height } = canvas
  ground(canvas, palette, true)
  const [x, y] = [width * (0.35 + random.next() * 0.3), height * (0.36 + random.next() * 0.08)]
  const reach = Math.hypot(width, height)
  const rays = 15
  const turn = random.next() * 6.28
  for (let ray = 0; ray < rays; ray++) {
    const from = turn + (ray / rays) * 6.283
    const to = from + (0.08 + random.next() * 0.3)
    const tone = random.pick([palette.light, palette.accent, palette.deep, palette.mid])
    canvas.fill(
      [
        [
          x,
          y,
          x + Math.cos(from) * reach,
          y + Math.sin(from) * reach,
          x + Math.cos(to) * reach,
          y + Math.sin(to) * reach,
        ],
      ],
      flat(tone, 0.1 + random.next() * 0.24),
    )
  }
  canvas.fill([rectangle(0, 0, width, height)], glow(palette.light, 0.8, x, y, width * 0.6))
  for (let shard = 0; shard < 13; shard++) {
    const angle = random.next() * 6.283
    const away = width * (0.05 + random.next() ** 1.4 * 0.5)
    const [cx, cy, size] = [
      x + Math.cos(angle) * away,
      y + Math.sin(angle) * away,
      width * (0.03 + random.next() * 0.11),
    ]
    const lean = angle + (random.next() - 0.5) * 0.8
    const corner = (turned: number, length: number): number[] => [
      cx + Math.cos(lean + turned) * size * length,
      cy + Math.sin(lean + turned) * size * length,
    ]
    const [tip, right, tail, left] = [
      corner(0, 1.5),
      corner(1.5, 0.42),
      corner(3.14, 0.9),
      corner(-1.5, 0.42),
    ]
    canvas.fill([[...tip, ...right, ...tail]], flat(mix(palette.accent, palette.light, 0.6)))
    canvas.fill([[...tip, ...tail, ...left]], flat(mix(palette.accent, palette.deep, 0.35)))
  }
}

const city: Motif = (canvas, palette, random) => {
  const { width, height } = canvas
  ground(canvas, palette)
  sun(canvas, palette, width * (0.25 + random.next() * 0.5), height * 0.3, width * 0.15)
  for (let layer = 0; layer < 3; layer++) {
    const tone = mix(mix(palette.mid, palette.light, 0.3), palette.deep, 0.25 + layer * 0.35)
    const windows: number[][] = []
    for (let x = -8; x < width;) {
      const breadth = width * (0.06 + random.next() * 0.09)
      const top = height * (0.26 + layer * 0.14 + random.next() * 0.22)
      canvas.fill(
        [rectangle(x, top, breadth + 1, height - top)],
        downwards(tone, mix(tone, palette.deep, 0.4), top, height * 0.85),
      )
      if (random.chance(0.3))
        canvas.fill(
          [rectangle(x + breadth * 0.45, top - height * 0.05, 1.6, height * 0.05)],
          flat(tone),
        )
      for (let wy = top + 7; wy < height * 0.8; wy += 8) {
        for (let wx = x + 4; wx < x + breadth - 4; wx += 6)
          if (random.chance(0.22)) windows.push([...rectangle(wx, wy, 2.6, 3.6)])
      }
      x += breadth + (random.chance(0.25) ? width * 0.02 : 0)
    }
    canvas.fill(windows, flat(palette.accent, 0.3 + layer * 0.3))
  }
}

const forest: Motif = (canvas, palette, random) => {
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

const arches: Motif = (canvas, palette, random) => {
  const { width, height } = canvas
  ground(canvas, palette, true)
  const [x, foot] = [width * (0.42 + random.next() * 0.16), height * 0.86]
  const gate = (share: number): number[] => [
    ...arc(
      x,
      height * 0.42 + height * (1 - share) * 0.12,
      width * 0.5 * share,
      width * 0.5 * share,
      180,
      360,
    ),
    x + width * 0.5 * share,
    foot,
    x - width * 0.5 * share,
    foot,
  ]
  for (let step = 0; step < 7; step++) {
    const share = 1.12 - step * 0.145
    canvas.fill(
      [gate(share)],
      flat(
        step % 2 === 0
          ? mix(palette.deep, palette.mid, step * 0.09)
          : mix(palette.mid, palette.light, 0.05 + step * 0.07),
      ),
    )
  }
  canvas.fill([gate(0.2)], downwards(palette.accent, palette.light, height * 0.45, foot))
  canvas.fill(
    [rectangle(0, 0, width, height)],
    glow(palette.accent, 0.55, x, height * 0.6, width * 0.55),
  )
  canvas.fill(
    [[0, height, width, height, x + width * 0.1, foot - 2, x - width * 0.1, foot - 2]],
    downwards(mix(palette.accent, palette.mid, 0.5), palette.deep, foot, height),
  )
}

const circuit: Motif = (canvas, palette, random) => {
  const { width, height } = canvas
  ground(canvas, palette, true)
  const lane = width * 0.05
  const centreX = width * (0.1 + random.next() * 0.25)
  for (let ring = 0; ring < 9; ring++) {
    const radius = width * (0.22 + ring * 0.11)
    const tone = ring % 3 === 0 ? palette.accent : ring % 3 === 1 ? palette.light : palette.deep
    const line = [
      -20,
      height * 0.62 - radius,
      ...arc(centreX + width * 0.3, height * 0.62, radius, radius, 270, 380),
      centreX + width * 0.3 + radius * 0.6,
      height * 1.2,
    ]
    canvas.fill(
      stroked(line, ring === 3 ? lane * 0.9 : lane * (0.1 + random.next() * 0.5)),
      flat(tone, ring === 3 ? 0.95 : 0.18 + random.next() * 0.3),
    )
  }
  canvas.fill(
    [rectangle(0, 0, width, height)],
    glow(palette.light, 0.35, centreX + width * 0.3, height * 0.6, width * 0.7),
  )
  // The start line crosses the brightest lane.
  const [lineX, lineY, square] = [
    width * (0.1 + random.next() * 0.15),
    height * 0.62 - width * 0.55,
    (lane * 0.9) / 4,
  ]
  canvas.fill([rectangle(lineX, lineY - square * 2, square * 3, square * 4)], flat([255, 255, 255]))
  const chequers = Array.from({ length: 12 }, (_, index) => index).filter(
    (index) => (Math.floor(index / 3) + (index % 3)) % 2 === 0,
  )
  canvas.fill(
    chequers.map((index) =>
      rectangle(
        lineX + (index % 3) * square,
        lineY - square * 2 + Math.floor(index / 3) * square,
        square,
        square,
      ),
    ),
    flat(palette.deep),
  )
  for (let dash = 0; dash < 7; dash++)
    canvas.fill(
      [rectangle(lineX + square * 5 + dash * width * 0.07, lineY - 1, width * 0.035, 2)],
      flat(palette.deep, 0.55),
    )
}

const blocks: Motif = (canvas, palette, random) => {
  const { width, height } = canvas
  ground(canvas, palette)
  const size = width / (5 + random.between(0, 2))
  for (let row = 0; row * size * 0.75 < height * 0.95; row++) {
    for (let column = -1; column * size < width + size; column++) {
      if (random.chance(0.22)) continue
      const x = column * size + (row % 2) * (size / 2)
      const y = height * 0.1 + row * size * 0.75 - (random.chance(0.25) ? size * 0.2 : 0)
      const [half, quarter, tall] = [size / 2, size / 4, size * 0.5]
      const lit = random.chance(0.14)
      const top = lit
        ? palette.accent
        : mix(palette.mid, palette.light, 0.25 + random.next() * 0.45)
      canvas.fill([[x, y - quarter, x + half, y, x, y + quarter, x - half, y]], flat(top))
      canvas.fill(
        [[x - half, y, x, y + quarter, x, y + quarter + tall, x - half, y + tall]],
        flat(mix(top, palette.deep, 0.42)),
      )
      canvas.fill(
        [[x + half, y, x, y + quarter, x, y + quarter + tall, x + half, y + tall]],
        flat(mix(top, palette.deep, 0.7)),
      )
    }
  }
}

const beacon: Motif = (canvas, palette, random) => {
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

export const motifs = {
  waves,
  peaks,
  orbit,
  grid,
  shards,
  city,
  forest,
  arches,
  circuit,
  blocks,
  beacon,
} as const
