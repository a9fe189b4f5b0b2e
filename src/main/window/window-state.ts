import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const kept = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(960),
  height: z.number().int().min(640),
  maximized: z.boolean(),
})
type Bounds = { x?: number; y?: number; width: number; height: number }

export type WindowState = {
  bounds(): Bounds
  maximized(): boolean
  keep(bounds: Required<Bounds>, maximized: boolean): void
}

/** The part of the window, in pixels, that must be on a screen so that it can be moved. */
const MIN_VISIBLE = 80

type Area = { x: number; y: number; width: number; height: number }

/** Whether the top of a window can be reached on one of these screens. */
const isReachable = ({ x, y, width }: Required<Bounds>, areas: readonly Area[]): boolean =>
  areas.some(
    (area) =>
      Math.min(x + width, area.x + area.width) - Math.max(x, area.x) >= MIN_VISIBLE &&
      y >= area.y - MIN_VISIBLE / 2 &&
      y <= area.y + area.height - MIN_VISIBLE,
  )

/**
 * The window's position and size, kept between starts. An unreadable file is ignored: the window
 * opens at 1440 × 900. If its screen is gone, the window keeps its size and the system places it.
 */
export function openWindowState(path: string, screens: () => readonly Area[]): WindowState {
  const last = read(path)
  return {
    bounds() {
      if (last === null) return { width: 1440, height: 900 }
      const { x, y, width, height } = last
      return isReachable(last, screens()) ? { x, y, width, height } : { width, height }
    },
    maximized: () => last?.maximized ?? false,
    keep(bounds, maximized) {
      const { x, y, width, height } = bounds
      try {
        writeFileSync(path, JSON.stringify({ x, y, width, height, maximized }), { mode: 0o600 })
      } catch {
        // The folder is read-only or its disk full: the next start uses the last saved position.
      }
    },
  }
}

function read(path: string): z.infer<typeof kept> | null {
  try {
    return kept.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? null
  } catch {
    return null
  }
}
