/**
 * Strokes of our own geometric sans serif: capitals, digits and the marks in product names. Units:
 * hundredths of a capital's height, y downwards from its top. `M x y` and `L x y` move and draw. `A
 * x y rx ry from to` draws an arc in degrees clockwise from the right, joined to the previous
 * stroke unless it follows an `M` or `O`. `O` lifts the pen; `D x y` sets a square dot.
 */
export interface Glyph {
  /** Width of the strokes. */
  width: number
  path: string
  /** True when parts hang below the baseline. */
  descends?: boolean
}

export const glyphs: Readonly<Record<string, Glyph>> = {
  A: { width: 78, path: 'M 0 100 L 39 0 L 78 100 M 13 67 L 65 67' },
  B: {
    width: 58,
    path: 'M 0 0 L 0 100 M 0 0 L 31 0 A 31 24 24 24 -90 90 L 0 48 M 31 48 A 32 74 26 26 -90 90 L 0 100',
  },
  C: { width: 70, path: 'A 40 50 40 50 -44 -316' },
  D: { width: 68, path: 'M 0 0 L 0 100 M 0 0 L 22 0 A 22 50 46 50 -90 90 L 0 100' },
  E: { width: 48, path: 'M 48 0 L 0 0 L 0 100 L 48 100 M 0 49 L 42 49' },
  F: { width: 46, path: 'M 46 0 L 0 0 L 0 100 M 0 51 L 40 51' },
  G: { width: 76, path: 'A 40 50 40 50 -46 -360 M 80 52 L 44 52' },
  H: { width: 64, path: 'M 0 0 L 0 100 M 64 0 L 64 100 M 0 49 L 64 49' },
  I: { width: 0, path: 'M 0 0 L 0 100' },
  J: { width: 42, path: 'M 42 0 L 42 72 A 20 72 22 28 0 160' },
  K: { width: 60, path: 'M 0 0 L 0 100 M 58 0 L 4 58 M 21 41 L 62 100' },
  L: { width: 46, path: 'M 0 0 L 0 100 L 46 100' },
  M: { width: 84, path: 'M 0 100 L 0 0 L 42 74 L 84 0 L 84 100' },
  N: { width: 66, path: 'M 0 100 L 0 0 L 66 100 L 66 0' },
  O: { width: 84, path: 'A 42 50 42 50 0 360' },
  P: { width: 56, path: 'M 0 0 L 0 100 M 0 0 L 30 0 A 30 28 26 28 -90 90 L 0 56' },
  Q: { width: 84, path: 'A 42 50 42 50 0 360 M 50 72 L 78 106', descends: true },
  R: { width: 60, path: 'M 0 0 L 0 100 M 0 0 L 30 0 A 30 28 26 28 -90 90 L 0 56 M 28 56 L 60 100' },
  S: { width: 54, path: 'A 28 25 25 25 -28 -270 A 27 75 27 25 -90 152' },
  T: { width: 62, path: 'M 0 0 L 62 0 M 31 0 L 31 100' },
  U: { width: 64, path: 'M 0 0 L 0 66 A 32 66 32 34 180 0 L 64 0' },
  V: { width: 74, path: 'M 0 0 L 37 100 L 74 0' },
  W: { width: 108, path: 'M 0 0 L 27 100 L 54 8 L 81 100 L 108 0' },
  X: { width: 68, path: 'M 0 0 L 68 100 M 68 0 L 0 100' },
  Y: { width: 70, path: 'M 0 0 L 35 54 L 70 0 M 35 54 L 35 100' },
  Z: { width: 60, path: 'M 0 0 L 60 0 L 0 100 L 60 100' },
  '0': { width: 62, path: 'A 31 50 31 50 0 360' },
  '1': { width: 24, path: 'M 0 16 L 24 0 L 24 100' },
  '2': { width: 54, path: 'A 27 28 27 28 -165 38 L 0 100 L 56 100' },
  '3': { width: 54, path: 'A 26 24 24 24 -155 90 O A 26 74 28 26 -90 155' },
  '4': { width: 64, path: 'M 48 100 L 48 0 L 0 74 L 64 74' },
  '5': { width: 54, path: 'M 50 0 L 8 0 L 5 46 A 25 68 29 32 -132 150' },
  '6': { width: 58, path: 'A 29 68 29 32 0 360 M 45 0 L 4 56' },
  '7': { width: 54, path: 'M 0 0 L 54 0 L 18 100' },
  '8': { width: 58, path: 'A 29 24 24 24 0 360 A 29 74 29 26 0 360' },
  '9': { width: 58, path: 'A 29 32 29 32 0 360 M 13 100 L 54 44' },
  '&': {
    width: 68,
    path: 'M 70 100 L 19 36 A 33 21 19 21 150 395 L 14 58 A 29 75 28 25 222 10 L 62 56',
  },
  "'": { width: 0, path: 'M 0 0 L 0 26' },
  '–': { width: 44, path: 'M 0 54 L 44 54' },
  '-': { width: 26, path: 'M 0 54 L 26 54' },
  ':': { width: 0, path: 'D 0 34 D 0 100' },
  '.': { width: 0, path: 'D 0 100' },
  ',': { width: 6, path: 'M 6 94 L 0 116', descends: true },
  '+': { width: 50, path: 'M 0 54 L 50 54 M 25 29 L 25 79' },
  '/': { width: 40, path: 'M 0 100 L 40 0' },
  ' ': { width: 16, path: '' },
}
