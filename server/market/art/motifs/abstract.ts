import { downwards, flat, glow, mix } from '../drawing/colour.ts'
import { arc, ellipse, rectangle, stroked } from '../drawing/shapes.ts'
import { type Motif, ground, stars } from './scenery.ts'

export const orbit: Motif = (canvas, palette, random) => {
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

export const shards: Motif = (canvas, palette, random) => {
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
