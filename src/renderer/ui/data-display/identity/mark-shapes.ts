export type MarkKind = 'ok' | 'behind' | 'bad' | 'warn' | 'alert' | 'skip' | 'typed' | 'unknown'

/** The symbol inside a mark's disc, as a path in a 14 by 14 box. */
export const markShapes: Record<MarkKind, string> = {
  ok: 'M4.6 7.2l1.7 1.7 3.2-3.4',
  typed: 'M4.6 7.2l1.7 1.7 3.2-3.4',
  behind: 'M7 4.2v5.2M4.8 7.4L7 9.6l2.2-2.2',
  bad: 'M5 5l4 4M9 5l-4 4',
  alert: 'M7 4v3.6M7 10v.1',
  warn: 'M7 4v3.6M7 10v.1',
  skip: 'M4.6 7h4.8',
  unknown: 'M5.6 5.8a1.5 1.5 0 1 1 2 1.4c-.5.2-.6.5-.6 1M7 10v.1',
}

interface MarkColors {
  readonly ok: string
  readonly warn: string
  readonly panel: string
  readonly 'accent-text': string
  readonly 'text-3': string
}

function image(shape: string, color: string, inside: string | null): string {
  const drawn =
    inside === null
      ? `<circle cx="7" cy="7" r="5.9" fill="none" stroke="${color}" ` +
        `stroke-width="1.2"/><path d="${shape}" fill="none" stroke="${color}" ` +
        'stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round"/>'
      : `<circle cx="7" cy="7" r="6.5" fill="${color}"/><path d="${shape}" fill="none" ` +
        `stroke="${inside}" stroke-width="1.6" stroke-linecap="round" ` +
        'stroke-linejoin="round"/>'
  return `url("data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="14" height="14" viewBox="0 0 14 ' +
      `14">${drawn}</svg>`,
  )}")`
}

/**
 * The lead marks as CSS images, `--kd-mark-<name>`. Table cells show them as backgrounds, because
 * extra elements would cost time on every frame.
 */
export function markImages(colors: MarkColors): Record<string, string> {
  const { ok, warn, panel, 'accent-text': typed, 'text-3': pale } = colors
  return {
    '--kd-mark-ok': image(markShapes.ok, ok, panel),
    '--kd-mark-behind': image(markShapes.behind, warn, panel),
    '--kd-mark-typed': image(markShapes.typed, typed, panel),
    '--kd-mark-ok-hollow': image(markShapes.ok, pale, null),
    '--kd-mark-behind-hollow': image(markShapes.behind, pale, null),
  }
}
