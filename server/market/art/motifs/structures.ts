import { downwards, flat, glow, mix } from '../drawing/colour.ts'
import { arc, ellipse, rectangle, stroked } from '../drawing/shapes.ts'
import { type Motif, ground, ridge, sun } from './scenery.ts'

export const grid: Motif = (canvas, palette, random) => {
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

export const city: Motif = (canvas, palette, random) => {
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

export const arches: Motif = (canvas, palette, random) => {
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

export const circuit: Motif = (canvas, palette, random) => {
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

export const blocks: Motif = (canvas, palette, random) => {
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
