import type { Paint } from './colour.ts'
import { mix } from './colour.ts'
import type { Points } from './shapes.ts'

/** A picture being drawn: smooth-edged shapes are layered on each other. */
export interface Canvas {
  readonly width: number
  readonly height: number
  /**
   * Fills the union of contours with the same direction; contours in the opposite direction cut
   * holes. Only rows inside `rows` are drawn.
   */
  fill(contours: readonly Points[], paint: Paint, rows?: { from: number; to: number }): void
  /** The pixels as 3 bytes each, or 4 with transparency. */
  bytes(channels: 3 | 4): Uint8Array
}

/** A transparent canvas of this size in pixels. */
export const createCanvas = (width: number, height: number): Canvas => {
  // Premultiplied red, green, blue and alpha, 0 to 255 and 0 to 1.
  const pixels = new Float32Array(width * height * 4)

  const fill: Canvas['fill'] = (contours, paint, rows = { from: 0, to: height }) => {
    let left = Infinity
    let right = -Infinity
    let upper = Infinity
    let lower = -Infinity
    for (const points of contours) {
      for (let i = 0; i + 1 < points.length; i += 2) {
        const x = points[i] ?? 0
        const y = points[i + 1] ?? 0
        if (x < left) left = x
        if (x > right) right = x
        if (y < upper) upper = y
        if (y > lower) lower = y
      }
    }
    const top = Math.max(rows.from, 0, Math.floor(upper))
    const bottom = Math.min(rows.to, height, Math.ceil(lower))
    const originX = Math.floor(left)
    const span = Math.ceil(right) - originX + 2
    if (!(bottom > top) || !(span > 0) || originX >= width || right <= 0) return
    const cover = new Float32Array(span * (bottom - top))
    for (const points of contours) {
      let x = (points.at(-2) ?? 0) - originX
      let y = (points.at(-1) ?? 0) - top
      for (let i = 0; i + 1 < points.length; i += 2) {
        const nextX = (points[i] ?? 0) - originX
        const nextY = (points[i + 1] ?? 0) - top
        addEdge(cover, span, bottom - top, x, y, nextX, nextY)
        x = nextX
        y = nextY
      }
    }
    const firstX = Math.max(0, -originX)
    const lastX = Math.min(span, width - originX)
    for (let row = 0; row < bottom - top; row++) {
      let sum = 0
      const start = row * span
      for (let i = start; i < start + lastX; i++) {
        sum += cover[i] ?? 0
        cover[i] = sum < 0 ? Math.min(1, -sum) : Math.min(1, sum)
      }
      paintRow(
        paint,
        pixels,
        (row + top) * width + originX + firstX,
        originX + firstX,
        row + top,
        cover,
        start + firstX,
        lastX - firstX,
      )
    }
  }

  const bytes: Canvas['bytes'] = (channels) => {
    const out = new Uint8Array(width * height * channels)
    // In opaque pictures, steps of three are invisible, and a third of the values compresses much
    // better.
    const step = channels === 3 ? 3 : 1
    for (let from = 0, to = 0; from < pixels.length; from += 4, to += channels) {
      const alpha = pixels[from + 3] ?? 0
      const divisor = channels === 4 && alpha > 0 ? alpha : 1
      for (let c = 0; c < 3; c++)
        out[to + c] = Math.min(255, Math.round((pixels[from + c] ?? 0) / divisor / step) * step)
      if (channels === 4) out[to + 3] = Math.round(alpha * 255)
    }
    return out
  }
  return { width, height, fill, bytes }
}

/**
 * Adds an edge to the differences whose running total along a row is the covered share of each
 * pixel.
 */
const addEdge = (
  cover: Float32Array,
  span: number,
  rows: number,
  fromX: number,
  fromY: number,
  toX: number,
  toY: number,
): void => {
  if (fromY === toY) return
  const direction = fromY < toY ? 1 : -1
  const [x0, y0, x1, y1] = direction > 0 ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY]
  const slope = (x1 - x0) / (y1 - y0)
  let x = y0 < 0 ? x0 - y0 * slope : x0
  const last = Math.min(rows, Math.ceil(y1))
  for (let row = Math.max(0, Math.floor(y0)); row < last; row++) {
    const height = Math.min(row + 1, y1) - Math.max(row, y0)
    const nextX = x + slope * height
    const area = height * direction
    const near = Math.min(x, nextX)
    const far = Math.max(x, nextX)
    const first = Math.floor(near)
    const end = Math.ceil(far)
    const base = row * span + first
    if (end <= first + 1) {
      const inside = 1 - ((x + nextX) / 2 - first)
      cover[base] = (cover[base] ?? 0) + area * inside
      cover[base + 1] = (cover[base + 1] ?? 0) + area * (1 - inside)
    } else {
      // The average coverage of each column over the edge's height; the buffer gets the difference
      // to the previous column.
      let before = 0
      for (let column = first; column < end; column++) {
        const from = Math.max(near, column)
        const to = Math.min(far, column + 1)
        const covered = (from - near + (to - from) * (column + 1 - (from + to) / 2)) / (far - near)
        cover[row * span + column] = (cover[row * span + column] ?? 0) + area * (covered - before)
        before = covered
      }
      cover[row * span + end] = (cover[row * span + end] ?? 0) + area * (1 - before)
    }
    x = nextX
  }
}

/**
 * A glow falls off in rings, like a print: it looks drawn, and needs a third of the bytes of a
 * smooth one.
 */
const glowSteps = 10

/** Coverage below this is invisible. */
const leastCover = 0.002

/**
 * Draws `count` pixels of a paint, each with its coverage as strength, starting at pixel number
 * `first`, at position x, y.
 */
const paintRow = (
  paint: Paint,
  pixels: Float32Array,
  first: number,
  x: number,
  y: number,
  cover: Float32Array,
  coverAt: number,
  count: number,
): void => {
  const share =
    paint.kind === 'downwards'
      ? Math.max(0, Math.min(1, (y + 0.5 - paint.top) / (paint.bottom - paint.top)))
      : 0
  const [red, green, blue] =
    paint.kind === 'downwards' ? mix(paint.from, paint.to, share) : paint.colour
  const strength =
    paint.kind === 'downwards'
      ? paint.fromAlpha + (paint.toAlpha - paint.fromAlpha) * share
      : paint.alpha
  const distance = paint.kind === 'glow' ? (y + 0.5 - paint.y) ** 2 : 0
  if (paint.kind === 'glow' && distance >= paint.radius ** 2) return
  for (let i = 0; i < count; i++) {
    let alpha = (cover[coverAt + i] ?? 0) * strength
    if (alpha < leastCover) continue
    if (paint.kind === 'glow') {
      const left = 1 - ((x + i + 0.5 - paint.x) ** 2 + distance) / paint.radius ** 2
      if (left <= 0) continue
      alpha *= Math.round(left * left * left * glowSteps) / glowSteps
      if (alpha === 0) continue
    }
    const at = (first + i) * 4
    const rest = 1 - alpha
    pixels[at] = red * alpha + (pixels[at] ?? 0) * rest
    pixels[at + 1] = green * alpha + (pixels[at + 1] ?? 0) * rest
    pixels[at + 2] = blue * alpha + (pixels[at + 2] ?? 0) * rest
    pixels[at + 3] = alpha + (pixels[at + 3] ?? 0) * rest
  }
}
