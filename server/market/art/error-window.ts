import { createCanvas } from './drawing/canvas.ts'
import { flat, hex } from './drawing/colour.ts'
import { drawText } from './drawing/lettering.ts'
import { encodePng } from './drawing/png.ts'
import { ellipse, rectangle, roundedRectangle, stroked } from './drawing/shapes.ts'

const drawn = new Map<string, Buffer>()

/**
 * A shop's window that rejects a code, as customers send it with a claim: PNG of 420 × 150 pixels,
 * drawn once per process. Lines can have letters, digits and dashes.
 */
export function errorWindow(title: string, line: string): Buffer {
  const text = `${title}\n${line}`
  const known = drawn.get(text) ?? drawErrorWindow(title, line)
  drawn.set(text, known)
  return known
}

function drawErrorWindow(title: string, line: string): Buffer {
  const canvas = createCanvas(420, 150)
  const ink = hex('#DDE3EE')
  canvas.fill([rectangle(0, 0, 420, 150)], flat(hex('#12161F')))
  canvas.fill([roundedRectangle(14, 14, 392, 122, 8)], flat(hex('#212838')))
  canvas.fill([ellipse(58, 62, 22)], flat(hex('#C8463F')))
  canvas.fill(stroked([50, 54, 66, 70], 4), flat(hex('#FFFFFF')))
  canvas.fill(stroked([66, 54, 50, 70], 4), flat(hex('#FFFFFF')))
  drawText(canvas, title, 98, 46, { height: 12, weight: 0.17, tracking: 0.1 }, flat(ink))
  drawText(canvas, line, 98, 72, { height: 9, weight: 0.15, tracking: 0.1 }, flat(ink, 0.7))
  canvas.fill([roundedRectangle(316, 104, 76, 22, 5)], flat(hex('#3A4560')))
  drawText(canvas, 'Close', 332, 111, { height: 8, weight: 0.16, tracking: 0.1 }, flat(ink))
  return encodePng(canvas.bytes(3), 420, 150)
}
