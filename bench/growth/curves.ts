/** A cost by the number of records. */
export type Curve = { name: string; points: readonly { records: number; cpuMs: number }[] }

const WIDTH = 900
const HEIGHT = 460
const LEFT = 92
const RIGHT = 268
const TOP = 24
const BOTTOM = 44
const colors = [
  '#2563eb',
  '#d97706',
  '#059669',
  '#dc2626',
  '#7c3aed',
  '#0891b2',
  '#be185d',
  '#65a30d',
  '#475569',
  '#a16207',
  '#0f172a',
  '#db2777',
]

/**
 * The exponent of a cost that grows like `records ** exponent`, fitted to its points by least
 * squares of the logarithms.
 */
export function fittedExponent(points: Curve['points']): number {
  const logs = points.map(({ records, cpuMs }) => [
    Math.log(records),
    Math.log(Math.max(cpuMs, 0.01)),
  ]) as [number, number][]
  const mean = (of: 0 | 1): number => logs.reduce((sum, each) => sum + each[of], 0) / logs.length
  const [x, y] = [mean(0), mean(1)]
  const slope =
    logs.reduce((sum, [at, cost]) => sum + (at - x) * (cost - y), 0) /
    logs.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  return Math.round(slope * 100) / 100
}

/** A picture of curves over logarithmic axes, as SVG. */
export function drawCurves(curves: readonly Curve[]): string {
  const all = curves.flatMap(({ points }) => points)
  const powers = (values: readonly number[]): number[] => {
    const from = Math.floor(Math.log10(Math.min(...values)))
    const to = Math.ceil(Math.log10(Math.max(...values)))
    return Array.from({ length: Math.max(to, from + 1) - from + 1 }, (_, at) => from + at)
  }
  const across = powers(all.map(({ records }) => records))
  const up = powers(all.map(({ cpuMs }) => Math.max(cpuMs, 0.01)))
  const share = (value: number, among: readonly number[]): number =>
    (Math.log10(Math.max(value, 0.01)) - (among[0] ?? 0)) / ((among.at(-1) ?? 1) - (among[0] ?? 0))
  const x = (records: number): number => LEFT + share(records, across) * (WIDTH - LEFT - RIGHT)
  const y = (cpuMs: number): number => HEIGHT - BOTTOM - share(cpuMs, up) * (HEIGHT - TOP - BOTTOM)
  const text = (at: [number, number], words: string, more = ''): string =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${more}>${words}</text>`
  const line = (from: [number, number], to: [number, number]): string =>
    `<path d="M${from.join(' ')}L${to.join(' ')}" stroke="#cbd5e1"/>`
  const grid = [
    ...across.map((power) => line([x(10 ** power), TOP], [x(10 ** power), HEIGHT - BOTTOM])),
    ...up.map((power) => line([LEFT, y(10 ** power)], [WIDTH - RIGHT, y(10 ** power)])),
  ]
  const labels = [
    ...across.map((power) =>
      text(
        [x(10 ** power), HEIGHT - BOTTOM + 18],
        (10 ** power).toLocaleString('en'),
        'text-anchor="middle"',
      ),
    ),
    ...up.map((power) =>
      text(
        [LEFT - 8, y(10 ** power) + 4],
        `${(10 ** power).toLocaleString('en')} ms`,
        'text-anchor="end"',
      ),
    ),
    text([(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6], 'records', 'text-anchor="middle"'),
  ]
  const drawn = curves.map(({ name, points }, at) => {
    const color = colors[at % colors.length] ?? ''
    const path = points.map(({ records, cpuMs }) => `${x(records)} ${y(cpuMs)}`).join('L')
    const dots = points.map(
      ({ records, cpuMs }) => `<circle cx="${x(records)}" cy="${y(cpuMs)}" r="3.5"/>`,
    )
    const legend = TOP + 14 + at * 20
    return (
      `<g fill="${color}"><path d="M${path}" fill="none" stroke="${color}" stroke-width="2"/>` +
      `${dots.join('')}<rect x="${WIDTH - RIGHT + 20}" y="${legend - 8}" width="14" height="3"/>` +
      `${text([WIDTH - RIGHT + 42, legend - 2], `${name} (${fittedExponent(points)})`, 'fill="#0f172a"')}</g>`
    )
  })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" ` +
    `font-family="system-ui, sans-serif" font-size="12" fill="#334155">` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>` +
    `${[...grid, ...labels, ...drawn].join('\n')}</svg>\n`
  )
}
