import type { ProductType } from '../../api/schemas/enums.ts'
import type { SeededRandom } from '../random.ts'
import { seededRandom } from '../random.ts'
import type { Canvas } from './drawing/canvas.ts'
import { createCanvas } from './drawing/canvas.ts'
import { downwards, flat, mix } from './drawing/colour.ts'
import { emblems } from './emblems.ts'
import type { NameParts } from './layout.ts'
import { fitText, lineStep, nameParts } from './layout.ts'
import { drawText, drawable, textWidth } from './drawing/lettering.ts'
import { motifFor } from './motif-choice.ts'
import type { Motif } from './motifs.ts'
import type { Palette } from './palettes.ts'
import { palettes, platformColour } from './palettes.ts'
import { encodePng } from './drawing/png.ts'
import { rectangle, stroked } from './drawing/shapes.ts'

/** The input for drawing a product's pictures. */
export interface PictureSubject {
  name: string
  platform: string
  productType: ProductType
}

const typeLabels: Readonly<Record<ProductType, string>> = {
  game: '',
  dlc: 'DLC',
  software: 'Software',
  'gift-card': 'Gift card',
  subscription: 'Membership',
  'game-point': 'Top-up',
}

/** All products of a series share colors and motif; each product has its own view of the motif. */
export const styleOf = (
  name: string,
): { parts: NameParts; palette: Palette; random: SeededRandom; motif: Motif } => {
  const parts = nameParts(drawable(name))
  const shared = seededRandom(`art:${parts.series}`)
  return {
    parts,
    palette: shared.pick(palettes),
    motif: motifFor(parts.series, shared),
    random: seededRandom(`view:${parts.title}:${parts.subtitles.join(':')}`),
  }
}

const drawScene = (
  canvas: Canvas,
  { productType }: PictureSubject,
  { parts, palette, random, motif }: ReturnType<typeof styleOf>,
): void => {
  const label = parts.subtitles.at(-1) ?? ''
  if (productType === 'gift-card') emblems.card(canvas, palette, random, label)
  else if (productType === 'game-point') emblems.coins(canvas, palette, random, label)
  else if (productType === 'subscription') emblems.dial(canvas, palette, random, label)
  else if (productType === 'software')
    (/VPN|Security|Antivirus/.test(parts.title) ? emblems.shield : emblems.panes)(
      canvas,
      palette,
      random,
      label,
    )
  else motif(canvas, palette, random)
}

const drawBand = (
  canvas: Canvas,
  { platform, productType }: PictureSubject,
  palette: Palette,
): void => {
  const colour = platformColour(platform)
  const label = { height: 8, weight: 0.17, tracking: 0.16 }
  canvas.fill(
    [rectangle(0, 0, canvas.width, 26)],
    downwards(mix(colour, [255, 255, 255], 0.06), colour, 0, 26),
  )
  canvas.fill([rectangle(0, 26, canvas.width, 2)], flat(palette.accent))
  const shown = drawable(platform === 'Other' ? 'Digital code' : platform)
  drawText(canvas, shown, 12, 9, label, flat([255, 255, 255]))
  const type = typeLabels[productType]
  drawText(
    canvas,
    type,
    canvas.width - 12 - textWidth(type, label),
    9,
    label,
    flat([255, 255, 255], 0.72),
  )
}

const drawTitle = (canvas: Canvas, { parts, palette }: ReturnType<typeof styleOf>): void => {
  const { width, height } = canvas
  const margin = 16
  const room = width - margin * 2
  const title = fitText(parts.title, room, 36, 3, { weight: 0.2, tracking: 0.02 })
  const subtitles = parts.subtitles.map((text) =>
    fitText(text, room, 12, 2, { weight: 0.15, tracking: 0.12 }),
  )
  const gap = 11
  const total = title.height + subtitles.reduce((sum, set) => sum + gap + set.height, 0)
  const top = height - 22 - total
  canvas.fill(
    [rectangle(0, top - 90, width, 90 + height - top)],
    downwards(palette.deep, palette.deep, top - 90, top + total * 0.4, 0, 0.9),
  )
  let y = top
  for (const [index, set] of [title, ...subtitles].entries()) {
    for (const line of set.lines) {
      drawText(
        canvas,
        line,
        margin,
        y,
        set.style,
        flat(index === 0 ? [255, 255, 255] : palette.accent),
      )
      y += set.style.height * lineStep
    }
    y += gap - set.style.height * (lineStep - 1)
  }
}

/** A more elaborate frame for premium editions. */
const drawFrame = (canvas: Canvas, { parts, palette }: ReturnType<typeof styleOf>): void => {
  if (!parts.subtitles.some((text) => text.endsWith('Edition'))) return
  const [left, top, right, bottom] = [7.5, 35.5, canvas.width - 7.5, canvas.height - 7.5]
  canvas.fill(
    stroked([left, top, right, top, right, bottom, left, bottom, left, top, right, top], 1.5),
    flat(palette.accent, 0.9),
  )
}

/**
 * A product's cover as PNG of 264 × 352 pixels, at most 40 kB; the same subject always gives the
 * same bytes.
 */
export const drawCover = (subject: PictureSubject): Buffer => {
  const canvas = createCanvas(264, 352)
  const style = styleOf(subject.name)
  drawScene(canvas, subject, style)
  drawTitle(canvas, style)
  drawBand(canvas, subject, style.palette)
  drawFrame(canvas, style)
  return encodePng(canvas.bytes(3), canvas.width, canvas.height)
}
