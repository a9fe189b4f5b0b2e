/** Alternating x and y in pixels; y grows downwards. A contour is closed, a line isn't. */
export type Points = readonly number[]

export const rectangle = (x: number, y: number, width: number, height: number): Points => [
  x,
  y,
  x + width,
  y,
  x + width,
  y + height,
  x,
  y + height,
]

/** Points on an ellipse from one angle to another, in degrees clockwise from the right. */
export const arc = (
  x: number,
  y: number,
  radiusX: number,
  radiusY: number,
  from: number,
  to: number,
): number[] => {
  const steps = Math.max(
    4,
    Math.ceil((Math.abs(to - from) / 360) * (14 + Math.sqrt(Math.max(radiusX, radiusY)) * 5)),
  )
  return Array.from(
    { length: steps + 1 },
    (_, step) => ((from + ((to - from) * step) / steps) * Math.PI) / 180,
  ).flatMap((angle) => [x + Math.cos(angle) * radiusX, y + Math.sin(angle) * radiusY])
}

export const ellipse = (x: number, y: number, radiusX: number, radiusY = radiusX): Points =>
  arc(x, y, radiusX, radiusY, 0, 360)

export const roundedRectangle = (
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
): Points => [
  ...arc(x + radius, y + radius, radius, radius, 180, 270),
  ...arc(x + width - radius, y + radius, radius, radius, 270, 360),
  ...arc(x + width - radius, y + height - radius, radius, radius, 0, 90),
  ...arc(x + radius, y + height - radius, radius, radius, 90, 180),
]

/** The same contour in the opposite direction: cuts a hole into the shape it is drawn with. */
export const hole = (points: Points): Points => {
  const turned: number[] = []
  for (let i = points.length - 2; i >= 0; i -= 2) turned.push(points[i] ?? 0, points[i + 1] ?? 0)
  return turned
}

/** Rotates by degrees clockwise around a point. */
export const rotated = (
  points: Points,
  degrees: number,
  aroundX: number,
  aroundY: number,
): Points => {
  const cos = Math.cos((degrees * Math.PI) / 180)
  const sin = Math.sin((degrees * Math.PI) / 180)
  return points.map((value, index) => {
    const x = (index % 2 === 0 ? value : (points[index - 1] ?? 0)) - aroundX
    const y = (index % 2 === 0 ? (points[index + 1] ?? 0) : value) - aroundY
    return index % 2 === 0 ? aroundX + x * cos - y * sin : aroundY + x * sin + y * cos
  })
}

/** A sharp corner extends to this many half widths; beyond that it is cut off. */
const miterLimit = 5

/**
 * The outline of a line drawn with a pen of this width: one contour per piece, all in the same
 * direction, so that they unite. The ends are square.
 */
export const stroked = (line: Points, width: number): Points[] => {
  const half = width / 2
  const pieces: Points[] = []
  let before: { nx: number; ny: number } | null = null
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = line.slice(i, i + 4)
    const length = Math.hypot(x1 - x0, y1 - y0)
    if (length === 0) continue
    const nx = (-(y1 - y0) / length) * half
    const ny = ((x1 - x0) / length) * half
    if (before !== null) pieces.push(corner(x0, y0, before.nx, before.ny, nx, ny, half))
    pieces.push([x0 - nx, y0 - ny, x1 - nx, y1 - ny, x1 + nx, y1 + ny, x0 + nx, y0 + ny])
    before = { nx, ny }
  }
  return pieces
}

/** Fills the gap on the outer side of a bend. */
const corner = (
  x: number,
  y: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  half: number,
): Points => {
  const side = ax * by - ay * bx > 0 ? -1 : 1
  const cosine = Math.sqrt(Math.max(0, (1 + (ax * bx + ay * by) / (half * half)) / 2))
  const reach = cosine > 1 / miterLimit ? side / (2 * cosine * cosine) : 0
  const tip = reach === 0 ? [] : [x + (ax + bx) * reach, y + (ay + by) * reach]
  const from = [x + ax * side, y + ay * side]
  const to = [x + bx * side, y + by * side]
  return side < 0 ? [x, y, ...from, ...tip, ...to] : [x, y, ...to, ...tip, ...from]
}
