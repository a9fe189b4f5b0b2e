import { seededRandom } from '../random.ts'
import { createCanvas } from './drawing/canvas.ts'
import { downwards, flat, mix } from './drawing/colour.ts'
import type { PictureSubject } from './cover.ts'
import { styleOf } from './cover.ts'
import { drawText, textWidth } from './drawing/lettering.ts'
import { motifs } from './motifs.ts'
import { encodePng } from './drawing/png.ts'
import { ellipse, hole, rectangle, roundedRectangle, stroked } from './drawing/shapes.ts'

const label = { height: 9, weight: 0.17, tracking: 0.14 }

/**
 * Picture number `no` (from 1) of a game as PNG of 640 × 360 pixels, with part of its display over
 * the scene; the same subject always gives the same bytes.
 */
export const drawScreenshot = (subject: Pick<PictureSubject, 'name'>, no: number): Buffer => {
  const canvas = createCanvas(640, 360)
  const { parts, palette, motif } = styleOf(subject.name)
  const random = seededRandom(`screenshot:${parts.title}:${no}`)
  const { width, height } = canvas
  const scene = no === 1 ? motif : random.pick(Object.values(motifs))
  scene(canvas, palette, random)
  canvas.fill(
    [rectangle(0, height * 0.6, width, height * 0.4)],
    downwards(palette.deep, palette.deep, height * 0.6, height, 0, 0.75),
  )

  const [x, y] = [24, height - 46]
  for (const [index, share] of [0.55 + random.next() * 0.45, 0.2 + random.next() * 0.7].entries()) {
    canvas.fill([roundedRectangle(x, y + index * 14, 150, 8, 4)], flat(palette.deep, 0.7))
    canvas.fill(
      [roundedRectangle(x, y + index * 14, 150 * share, 8, 4)],
      flat(index === 0 ? palette.accent : palette.light),
    )
  }
  for (let slot = 0; slot < 5; slot++) {
    const left = width / 2 - 95 + slot * 40
    const outline = roundedRectangle(left, height - 52, 32, 32, 6)
    canvas.fill([outline], flat(palette.deep, 0.62))
    canvas.fill(
      [outline, hole(roundedRectangle(left + 1.5, height - 50.5, 29, 29, 5))],
      flat(palette.light, slot === no ? 1 : 0.4),
    )
    if (random.chance(0.7))
      canvas.fill(
        [ellipse(left + 16, height - 36, 5 + random.next() * 4)],
        flat(mix(palette.accent, palette.mid, random.next())),
      )
  }
  const [mapX, mapY, radius] = [width - 58, 58, 38]
  canvas.fill([ellipse(mapX, mapY, radius)], flat(palette.deep, 0.66))
  canvas.fill(
    stroked(
      [mapX - 26, mapY + 6, mapX - 8, mapY - 14, mapX + 10, mapY + 2, mapX + 24, mapY - 12],
      2,
    ),
    flat(palette.light, 0.7),
  )
  canvas.fill([ellipse(mapX + 4, mapY - 4, 4)], flat(palette.accent))
  canvas.fill(
    [ellipse(mapX, mapY, radius + 2), hole(ellipse(mapX, mapY, radius))],
    flat(palette.light, 0.8),
  )
  const corner = String(random.between(100, 99_999))
  drawText(
    canvas,
    corner,
    width - 24 - textWidth(corner, label),
    height - 32,
    label,
    flat(palette.light),
  )
  return encodePng(canvas.bytes(3), width, height)
}
