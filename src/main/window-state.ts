import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const kept = z.object({ x: z.number().int(), y: z.number().int(), width: z.number().int().min(960), height: z.number().int().min(640), maximized: z.boolean() })
type Bounds = { x?: number; y?: number; width: number; height: number }

export type WindowState = {
  bounds(): Bounds
  maximized(): boolean
  keep(bounds: Required<Bounds>, maximized: boolean): void
}

/** The window's place and size, kept between starts. A file that can't be read is as good as none: the window opens at 1440 × 900. */
export function openWindowState(path: string): WindowState {
  const last = read(path)
  return {
    bounds: () => (last === null ? { width: 1440, height: 900 } : { x: last.x, y: last.y, width: last.width, height: last.height }),
    maximized: () => last?.maximized ?? false,
    keep(bounds, maximized) {
      const { x, y, width, height } = bounds
      writeFileSync(path, JSON.stringify({ x, y, width, height, maximized }), { mode: 0o600 })
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
