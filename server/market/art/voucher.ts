import { createCanvas } from './drawing/canvas.ts'
import { downwards, flat, hex } from './drawing/colour.ts'
import { drawText, textWidth } from './drawing/lettering.ts'
import { encodePng } from './drawing/png.ts'
import { rectangle, roundedRectangle, stroked } from './drawing/shapes.ts'

const ink = hex('#1B2440')

/**
 * A code as a picture, like a scanned voucher: PNG of 360 × 120 pixels. The code can have letters,
 * digits and dashes.
 */
export const drawVoucher = (code: string): Buffer => {
  const canvas = createCanvas(360, 120)
  const style = { height: 16, weight: 0.17, tracking: 0.1 }
  const small = { height: 8, weight: 0.16, tracking: 0.2 }
  canvas.fill([rectangle(0, 0, 360, 120)], flat(hex('#E9E4D6')))
  canvas.fill(
    [roundedRectangle(10, 10, 340, 100, 10)],
    downwards(hex('#FFFDF6'), hex('#F6F0DF'), 10, 110),
  )
  drawText(canvas, 'Your code', 26, 26, small, flat(ink, 0.6))
  drawText(canvas, code, (360 - textWidth(code, style)) / 2, 54, style, flat(ink))
  for (let x = 26; x < 334; x += 9) canvas.fill(stroked([x, 88, x + 5, 88], 1.5), flat(ink, 0.35))
  return encodePng(canvas.bytes(3), 360, 120)
}
