/** Space below the bars for their names, and above the highest bar, in pixels. */
export const AXIS_HEIGHT = 20
export const TOP = 8

export type BarPlace = { left: number; width: number }

/** The place of a bar. Wide bars begin at a pixel, which keeps their edges sharp. */
export function placeOf(at: number, band: number): BarPlace {
  if (band < 6) return { left: at * band, width: Math.max(0.5, band - 1) }
  const width = Math.floor(band * 0.64)
  return { left: Math.round(at * band + (band - width) / 2), width }
}

/** The bar at a distance from the left; null next to the bars. */
export function barAt(x: number, plotWidth: number, count: number): number | null {
  const at = Math.floor((x / plotWidth) * count)
  return at >= 0 && at < count ? at : null
}

/**
 * The bars whose names fit below them, counted from the last one, with at least `gap` pixels between
 * two names.
 *
 * @param nameWidth The width of the longest name.
 */
export function namedBars(count: number, band: number, nameWidth: number, gap: number): number[] {
  const step = Math.max(1, Math.ceil((nameWidth + gap) / band))
  const named: number[] = []
  // A name that would begin left of the chart is left out.
  for (let at = count - 1; at >= 0 && (at + 0.5) * band >= nameWidth / 2; at -= step)
    named.unshift(at)
  return named
}

/**
 * One outline for a part of all bars, because a shape for each part of each bar takes a browser
 * half a second for a year.
 *
 * @param from The height of each bar below the part, in pixels above the baseline.
 */
export function outlineOf(
  from: readonly number[],
  heights: readonly number[],
  band: number,
  baseline: number,
): string {
  return heights
    .map((height, at) => {
      if (height <= 0) return ''
      const { left, width } = placeOf(at, band)
      const [x, y, w, h] = [left, baseline - (from[at] ?? 0) - height, width, height].map(rounded)
      return `M${x} ${y}h${w}v${h}H${x}z`
    })
    .join('')
}

const rounded = (value: number): number => Math.round(value * 100) / 100
