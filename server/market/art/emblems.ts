import type { SeededRandom } from '../random.ts'
import type { Canvas } from './drawing/canvas.ts'
import type { Paint } from './drawing/colour.ts'
import { downwards, flat, glow, mix } from './drawing/colour.ts'
import { fitText } from './layout.ts'
import { drawText, textWidth } from './drawing/lettering.ts'
import type { Palette } from './palettes.ts'
import {
  arc,
  ellipse,
  hole,
  rectangle,
  rotated,
  roundedRectangle,
  stroked,
} from './drawing/shapes.ts'

/**
 * Draws an object in the middle of the cover's upper part, for products without a game world.
 * `label` is its amount or length.
 */
export type Emblem = (canvas: Canvas, palette: Palette, random: SeededRandom, label: string) => void

const backdrop = (canvas: Canvas, palette: Palette, random: SeededRandom): void => {
  const { width, height } = canvas
  canvas.fill([rectangle(0, 0, width, height)], downwards(palette.mid, palette.deep, 0, height))
  const slope = 30 + random.next() * 50
  for (let band = 0; band < 7; band++) {
    const y = band * height * 0.19 - 40
    canvas.fill(
      [
        [
          0,
          y + slope,
          width,
          y - slope,
          width,
          y - slope + height * 0.08,
          0,
          y + slope + height * 0.08,
        ],
      ],
      flat(palette.light, 0.04 + (band % 3) * 0.025),
    )
  }
  canvas.fill(
    [rectangle(0, 0, width, height)],
    glow(palette.light, 0.45, width / 2, height * 0.38, width * 0.75),
  )
}

const centred = (
  canvas: Canvas,
  text: string,
  x: number,
  y: number,
  width: number,
  largest: number,
  paint: Paint,
): void => {
  const set = fitText(text, width, largest, 1, { weight: 0.19, tracking: 0.03 })
  const line = set.lines.join(' ')
  drawText(canvas, line, x - textWidth(line, set.style) / 2, y - set.height / 2, set.style, paint)
}

const card: Emblem = (canvas, palette, random, label) => {
  backdrop(canvas, palette, random)
  const [width, height] = [canvas.width * 0.74, canvas.width * 0.46]
  const [x, y] = [canvas.width * 0.13, canvas.height * 0.24]
  const at = (degrees: number, dy: number) =>
    rotated(
      roundedRectangle(x, y + dy, width, height, 12),
      degrees,
      canvas.width / 2,
      y + height / 2,
    )
  canvas.fill([at(-9, 14)], flat(palette.deep, 0.35))
  canvas.fill([at(-11, 0)], flat(mix(palette.accent, palette.deep, 0.35)))
  canvas.fill([at(0, 6)], flat(palette.deep, 0.3))
  canvas.fill(
    [at(0, 0)],
    downwards(mix(palette.accent, palette.light, 0.35), palette.accent, y, y + height),
  )
  canvas.fill([rectangle(x, y + height * 0.66, width, height * 0.15)], flat(palette.deep, 0.78))
  for (let ring = 0; ring < 3; ring++)
    canvas.fill(
      stroked(arc(x + width * 0.86, y + height * 0.24, 9 + ring * 7, 9 + ring * 7, 0, 360), 2),
      flat(palette.deep, 0.28),
    )
  centred(canvas, label, x + width * 0.4, y + height * 0.34, width * 0.66, 30, flat(palette.deep))
}

const coins: Emblem = (canvas, palette, random, label) => {
  backdrop(canvas, palette, random)
  const radius = canvas.width * 0.15
  const piles: readonly (readonly [number, number, number])[] = [
    [0.28, 0.5, 2],
    [0.72, 0.5, 3],
    [0.5, 0.54, 5],
  ]
  for (const [px, py, count] of piles) {
    for (let coin = 0; coin < count; coin++) {
      const [x, y] = [
        canvas.width * px + (random.next() - 0.5) * 6,
        canvas.height * py - coin * radius * 0.36,
      ]
      canvas.fill(
        [
          [
            ...arc(x, y + radius * 0.3, radius, radius * 0.42, 0, 180),
            ...arc(x, y, radius, radius * 0.42, 180, 360),
          ],
        ],
        flat(mix(palette.accent, palette.deep, 0.5)),
      )
      canvas.fill(
        [ellipse(x, y, radius, radius * 0.42)],
        downwards(
          mix(palette.accent, palette.light, 0.55),
          palette.accent,
          y - radius * 0.4,
          y + radius * 0.4,
        ),
      )
      canvas.fill(
        [
          ellipse(x, y, radius * 0.76, radius * 0.3),
          hole(ellipse(x, y, radius * 0.68, radius * 0.26)),
        ],
        flat(palette.deep, 0.35),
      )
    }
  }
  const badge = roundedRectangle(
    canvas.width * 0.14,
    canvas.height * 0.145,
    canvas.width * 0.72,
    40,
    20,
  )
  canvas.fill([badge], flat(palette.deep, 0.82))
  centred(
    canvas,
    label,
    canvas.width / 2,
    canvas.height * 0.145 + 20,
    canvas.width * 0.6,
    15,
    flat(palette.light),
  )
}

const dial: Emblem = (canvas, palette, random, label) => {
  backdrop(canvas, palette, random)
  const [x, y, radius] = [canvas.width / 2, canvas.height * 0.37, canvas.width * 0.29]
  canvas.fill([ellipse(x, y, radius * 1.22)], flat(palette.deep, 0.72))
  canvas.fill(stroked(arc(x, y, radius, radius, 0, 360), 13), flat(palette.light, 0.22))
  canvas.fill(
    stroked(arc(x, y, radius, radius, -90, 110 + random.next() * 110), 13),
    flat(palette.accent),
  )
  for (let tick = 0; tick < 12; tick++)
    canvas.fill(
      [rotated(rectangle(x - 1, y - radius * 0.82, 2, 7), tick * 30, x, y)],
      flat(palette.light, 0.6),
    )
  const [count = label, unit = ''] = label.split(' ')
  centred(canvas, count, x, y - 7, radius * 1.3, 34, flat(palette.light))
  if (unit !== '') centred(canvas, unit, x, y + 26, radius * 1.2, 11, flat(palette.accent))
}

const shield: Emblem = (canvas, palette, random) => {
  backdrop(canvas, palette, random)
  const [x, y, size] = [canvas.width / 2, canvas.height * 0.2, canvas.width * 0.27]
  const outline = (by: number): number[] => [
    x,
    y - by,
    x + size + by,
    y + size * 0.3,
    ...arc(x, y + size * 0.75, size + by, size * 1.25 + by, 0, 180),
    x - size - by,
    y + size * 0.3,
  ]
  canvas.fill([outline(10)], flat(palette.deep, 0.45))
  canvas.fill(
    [outline(0)],
    downwards(mix(palette.light, palette.accent, 0.15), palette.accent, y, y + size * 2),
  )
  canvas.fill(
    [
      [
        x,
        y,
        x,
        y + size * 2,
        ...arc(x, y + size * 0.75, size, size * 1.25, 90, 0),
        x + size,
        y + size * 0.3,
      ],
    ],
    flat(palette.deep, 0.16),
  )
  canvas.fill(
    stroked(
      [
        x - size * 0.4,
        y + size * 0.92,
        x - size * 0.08,
        y + size * 1.22,
        x + size * 0.46,
        y + size * 0.62,
      ],
      size * 0.17,
    ),
    flat(palette.deep, 0.9),
  )
}

const panes: Emblem = (canvas, palette, random) => {
  backdrop(canvas, palette, random)
  const [width, height] = [canvas.width * 0.6, canvas.width * 0.44]
  for (let pane = 2; pane >= 0; pane--) {
    const [x, y] = [canvas.width * 0.2 + (pane - 1) * 20, canvas.height * 0.25 - (pane - 1) * 22]
    canvas.fill([roundedRectangle(x + 3, y + 6, width, height, 9)], flat(palette.deep, 0.3))
    canvas.fill(
      [roundedRectangle(x, y, width, height, 9)],
      flat(mix(palette.light, palette.mid, pane * 0.33)),
    )
    canvas.fill(
      [roundedRectangle(x, y, width, 18, 9), rectangle(x, y + 9, width, 9)],
      flat(mix(palette.deep, palette.mid, pane * 0.25)),
    )
    for (let dot = 0; dot < 3; dot++)
      canvas.fill(
        [ellipse(x + 11 + dot * 9, y + 9, 2.4)],
        flat(dot === 0 ? palette.accent : palette.light),
      )
  }
  const [x, y] = [canvas.width * 0.2 - 20, canvas.height * 0.25 + 22]
  for (let bar = 0; bar < 6; bar++) {
    const tall = height * (0.15 + random.next() * 0.42)
    canvas.fill(
      [rectangle(x + 16 + bar * width * 0.145, y + height - 12 - tall, width * 0.09, tall)],
      flat(bar % 3 === 1 ? palette.accent : palette.mid),
    )
  }
}

export const emblems = { card, coins, dial, shield, panes } as const
