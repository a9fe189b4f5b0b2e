import { t } from '../../contract/localization/localized.ts'
/** Width and height of a badge in pixels, for a screen with a scale factor of two. */
export const BADGE_SIZE = 32

/**
 * Digits and a plus, five dots wide and seven high. One number per row; the leftmost dot is the
 * highest of its five bits.
 */
const glyphs: Readonly<Record<string, readonly number[]>> = {
  1: [0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e],
  2: [0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f],
  3: [0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e],
  4: [0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02],
  5: [0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e],
  6: [0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e],
  7: [0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08],
  8: [0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e],
  9: [0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c],
  '+': [0x00, 0x04, 0x04, 0x1f, 0x04, 0x04, 0x00],
}
const DOT = 3
const red = [0x3d, 0x32, 0xd0, 0xff] as const
const white = [0xff, 0xff, 0xff, 0xff] as const

/**
 * The badge for a count of at least 1, as BGRA pixels: a red disc with the digit, or `+` above
 * nine. Windows has no counts on the taskbar.
 */
export function badgePixels(count: number): Buffer {
  const glyph = glyphs[count > 9 ? '+' : String(count)] ?? []
  const pixels = Buffer.alloc(BADGE_SIZE * BADGE_SIZE * 4)
  const middle = (BADGE_SIZE - 1) / 2
  const [left, top] = [
    Math.round((BADGE_SIZE - 5 * DOT) / 2),
    Math.round((BADGE_SIZE - 7 * DOT) / 2),
  ]
  for (let y = 0; y < BADGE_SIZE; y++) {
    for (let x = 0; x < BADGE_SIZE; x++) {
      if (Math.hypot(x - middle, y - middle) > BADGE_SIZE / 2) continue
      const column = Math.floor((x - left) / DOT)
      const bits = glyph[Math.floor((y - top) / DOT)] ?? 0
      const isDot = column >= 0 && column < 5 && ((bits >> (4 - column)) & 1) === 1
      pixels.set(isDot ? white : red, (y * BADGE_SIZE + x) * 4)
    }
  }
  return pixels
}

/** The accessible description of a badge. */
export const badgeLabel = (count: number): string =>
  count === 0 ? '' : t('counts.notices', { count })
