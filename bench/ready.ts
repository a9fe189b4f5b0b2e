import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FILE_SUFFIXES } from '../src/core/mirror/database/open-database.ts'
import { withCompileCache } from './soak/support/console-process.ts'
import { fillMirror } from './support/mirror.ts'

type Measured = { readyMs: number; readyCpuMs: number; firstRowsMs: number; all: number }

/**
 * From the start of the console's core to its responses: ready, and the first page of the catalogue
 * of an account with `products` in its mirror, compared with an empty folder. The core is loaded
 * already; each start is a separate process, and the first one on a folder isn't counted.
 */
export default async function benchReady({
  log,
  products = 1_000_000,
  rounds = 5,
  mirror,
}: {
  log: (text: string) => void
  products?: number
  rounds?: number
  /** An existing mirror to be moved here instead of a new one. */
  mirror?: string
}): Promise<{ rounds: number; figures: Record<string, Measured> }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-bench-'))
  const figures: Record<string, Measured> = {}
  const start = (data: string, accountId: string): Measured =>
    JSON.parse(
      execFileSync(
        process.execPath,
        [path.join(import.meta.dirname, 'ready', 'one.ts'), data, accountId],
        { env: withCompileCache },
      ).toString(),
    ) as Measured
  try {
    for (const [name, count] of [
      ['an empty mirror', 0],
      [`${products.toLocaleString('en')} products`, products],
    ] as const) {
      const data = path.join(folder, String(count))
      const file = path.join(data, 'catalogues', 'bench.db')
      mkdirSync(path.dirname(file), { recursive: true })
      if (count > 0 && mirror !== undefined)
        for (const suffix of FILE_SUFFIXES.slice(0, 2)) rename(mirror + suffix, file + suffix)
      else if (count > 0) (await fillMirror(file, count)).db.close()
      start(data, 'bench')
      const starts = Array.from({ length: rounds }, () => start(data, 'bench'))
      const least = (of: keyof Measured): number => Math.min(...starts.map((each) => each[of]))
      figures[name] = {
        readyMs: least('readyMs'),
        readyCpuMs: least('readyCpuMs'),
        firstRowsMs: least('firstRowsMs'),
        all: least('all'),
      }
      if (figures[name].all !== count)
        throw new Error(`the mirror shows ${figures[name].all} of ${count} products`)
      log(
        `${name}: ready in ${figures[name].readyMs} ms (${figures[name].readyCpuMs} of CPU ` +
          `time), the first page ${figures[name].firstRowsMs} ms later; the lowest of ` +
          `${rounds} rounds`,
      )
    }
    return { rounds, figures }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function rename(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
